import type { Rng } from '../../envs/core/rng.ts';
import type { MeanEstimate } from './estimate.ts';
import { confidence } from './intervals.ts';

/** One number a seed and task, such as the share of that task's episodes that were solved. Every seed has every task. */
export type SeedsByTasks = readonly (readonly number[])[]; // [seed][task]

export interface BootstrapOptions {
  readonly rng: Rng;
  readonly resamples?: number;
  readonly level?: number;
}

export const defaultResamples = 10_000;

/**
 * Mean with a percentile bootstrap interval (Efron 1979). Tasks are drawn with replacement, and so are seeds where there are
 * several. All seeds met the same tasks, so one draw of tasks serves all seeds of a resample (the pigeonhole bootstrap, Owen
 * 2007): drawing tasks afresh for each seed would take the luck of the panel for noise that seeds average away. With one
 * seed it is the bootstrap over tasks. Of one task, or of equal values, it knows no doubt and its interval has no width: who prints one
 * says there what else is known, as {@link statisticsOf} does.
 */
export function bootstrapMean(values: SeedsByTasks, options: BootstrapOptions): MeanEstimate {
  assertRectangle(values);
  const first = values[0]?.[0] as number;
  if (values.every((row) => row.every((value) => value === first))) return { mean: first, low: first, high: first }; // as every resample
  const resamples = options.resamples ?? defaultResamples;
  const means = new Float64Array(resamples);
  for (let round = 0; round < resamples; round += 1) {
    means[round] = weightedMean(values, drawCounts(values.length, options.rng), drawCounts(taskCount(values), options.rng));
  }
  return percentileInterval(meanOf(values), means, options.level);
}

/**
 * Mean of `a` minus mean of `b` on the same tasks, with a percentile bootstrap interval. Tasks are paired: a resample draws
 * the same tasks for both. Seeds are not: seed 1 of one agent has nothing to do with seed 1 of another.
 */
export function bootstrapDifference(a: SeedsByTasks, b: SeedsByTasks, options: BootstrapOptions): MeanEstimate {
  assertRectangle(a);
  assertRectangle(b);
  if (taskCount(a) !== taskCount(b)) throw new RangeError(`a paired difference takes the same tasks, not ${taskCount(a)} and ${taskCount(b)}`);
  const resamples = options.resamples ?? defaultResamples;
  const differences = new Float64Array(resamples);
  for (let round = 0; round < resamples; round += 1) {
    const tasks = drawCounts(taskCount(a), options.rng);
    differences[round] =
      weightedMean(a, drawCounts(a.length, options.rng), tasks) - weightedMean(b, drawCounts(b.length, options.rng), tasks);
  }
  return percentileInterval(meanOf(a) - meanOf(b), differences, options.level);
}

const taskCount = (values: SeedsByTasks): number => values[0]?.length ?? 0;

function assertRectangle(values: SeedsByTasks): void {
  const tasks = taskCount(values);
  if (tasks > 0 && values.every((row) => row.length === tasks)) return;
  throw new RangeError(`a bootstrap takes the same tasks for every seed, not ${values.map((row) => row.length).join(', ') || 'none'}`);
}

/** How often each of `size` things was drawn in `size` draws with replacement. */
function drawCounts(size: number, rng: Rng): Uint32Array {
  const counts = new Uint32Array(size);
  for (let draw = 0; draw < size; draw += 1) {
    const drawn = rng.int(size);
    counts[drawn] = (counts[drawn] as number) + 1;
  }
  return counts;
}

function weightedMean(values: SeedsByTasks, seeds: Uint32Array, tasks: Uint32Array): number {
  let sum = 0;
  for (let seed = 0; seed < values.length; seed += 1) {
    const weight = seeds[seed] as number;
    if (weight === 0) continue;
    const row = values[seed] as readonly number[];
    let rowSum = 0;
    for (let task = 0; task < row.length; task += 1) rowSum += (tasks[task] as number) * (row[task] as number);
    sum += weight * rowSum;
  }
  return sum / (values.length * tasks.length);
}

const meanOf = (values: SeedsByTasks): number =>
  values.reduce((sum, row) => sum + row.reduce((rowSum, value) => rowSum + value, 0), 0) / (values.length * taskCount(values));

function percentileInterval(mean: number, resampled: Float64Array, level = confidence): MeanEstimate {
  const sorted = resampled.toSorted();
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
