import { type Rng, drawNormal } from '../../envs/core/rng.ts';
import type { MeanEstimate } from './estimate.ts';
import { confidence } from './intervals.ts';

/**
 * One number for each seed and task, such as the solved share of that task's episodes. Every seed has every
 * task.
 */
export type SeedsByTasks = readonly (readonly number[])[]; // [seed][task]

export interface BootstrapOptions {
  readonly rng: Rng;
  readonly resamples?: number;
  readonly level?: number;
}

export const defaultResamples = 10_000;

/**
 * Mean with an interval over tasks and, if there are several, over seeds.
 *
 * Tasks are many: they are drawn with replacement, and the interval lies between percentiles of the resampled
 * means (Efron 1979). All seeds met the same tasks, so one draw of tasks is used for all seeds. Drawing tasks
 * for each seed separately would treat the luck of the panel as noise that seeds average away.
 *
 * Seeds are few: resampling three or five of them hardly leaves their range, and the interval would contain
 * the truth in 80 or 90 % instead of 95. So each draw of tasks is shifted by the standard error of the seeds'
 * means times a draw of Student's t (Student 1908).
 *
 * With one task, or equal values, the interval has no width. Callers that print one add what else is known,
 * as {@link statisticsOf} does.
 */
export function bootstrapMean(values: SeedsByTasks, options: BootstrapOptions): MeanEstimate {
  assertRectangle(values);
  const first = values[0]?.[0] as number;
  if (values.every((row) => row.every((value) => value === first)))
    return { mean: first, low: first, high: first }; // as in every resample
  const rows = packed(values);
  const tasks = new Uint32Array(taskCount(values));
  return percentileInterval(meanOf(values), options, () => {
    drawCounts(tasks, options.rng);
    return resampledMean(rows, tasks, options.rng);
  });
}

/**
 * Mean of `a` minus mean of `b` on the same tasks, with such an interval. Tasks are paired: a resample draws
 * the same tasks for both. Seeds are not, even if equal ones share a start, which can make the interval wider
 * than necessary but not narrower.
 */
export function bootstrapDifference(
  a: SeedsByTasks,
  b: SeedsByTasks,
  options: BootstrapOptions,
): MeanEstimate {
  assertRectangle(a);
  assertRectangle(b);
  if (taskCount(a) !== taskCount(b))
    throw new RangeError(`a paired difference takes the same tasks, not ${taskCount(a)} and ${taskCount(b)}`);
  const [ours, others] = [packed(a), packed(b)];
  const tasks = new Uint32Array(taskCount(a));
  return percentileInterval(meanOf(a) - meanOf(b), options, () => {
    drawCounts(tasks, options.rng);
    return resampledMean(ours, tasks, options.rng) - resampledMean(others, tasks, options.rng);
  });
}

const taskCount = (values: SeedsByTasks): number => values[0]?.length ?? 0;

function assertRectangle(values: SeedsByTasks): void {
  const tasks = taskCount(values);
  if (tasks > 0 && values.every((row) => row.length === tasks)) return;
  throw new RangeError(
    `a bootstrap takes the same tasks for every seed, not ${values.map((row) => row.length).join(', ') || 'none'}`,
  );
}

/** Resampling reads each value thousands of times. */
const packed = (values: SeedsByTasks): readonly Float64Array[] => values.map((row) => Float64Array.from(row));

/** Sets how often each thing was drawn, in as many draws with replacement as there are things. */
function drawCounts(counts: Uint32Array, rng: Rng): void {
  counts.fill(0);
  const size = counts.length;
  for (let draw = 0; draw < size; draw += 1) {
    const drawn = rng.int(size);
    counts[drawn] = (counts[drawn] as number) + 1;
  }
}

/** The mean over the drawn tasks and all seeds, plus the variation of seeds. */
function resampledMean(rows: readonly Float64Array[], tasks: Uint32Array, rng: Rng): number {
  const means: number[] = [];
  let total = 0;
  for (const row of rows) {
    let sum = 0;
    for (let task = 0; task < row.length; task += 1) sum += (tasks[task] as number) * (row[task] as number);
    means.push(sum / tasks.length);
    total += sum / tasks.length;
  }
  const mean = total / means.length;
  const degrees = means.length - 1;
  if (degrees === 0) return mean;
  const squares = means.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return mean + Math.sqrt(squares / degrees / means.length) * drawStudent(degrees, rng);
}

function drawStudent(degrees: number, rng: Rng): number {
  let squares = 0;
  for (let draw = 0; draw < degrees; draw += 1) squares += drawNormal(rng) ** 2;
  return drawNormal(rng) / Math.sqrt(squares / degrees);
}

const meanOf = (values: SeedsByTasks): number =>
  values.reduce((sum, row) => sum + row.reduce((rowSum, value) => rowSum + value, 0), 0) /
  (values.length * taskCount(values));

function percentileInterval(
  mean: number,
  { resamples = defaultResamples, level = confidence }: BootstrapOptions,
  resample: () => number,
): MeanEstimate {
  const sorted = Float64Array.from({ length: resamples }, resample).toSorted();
  return {
    mean,
    low: Math.min(mean, quantile(sorted, (1 - level) / 2)),
    high: Math.max(mean, quantile(sorted, (1 + level) / 2)),
  };
}

/** Quantile of sorted numbers, linear between neighbours (type 7 of Hyndman and Fan 1996, the default of NumPy). */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (place - below) * (high - low);
}
