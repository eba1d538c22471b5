import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { createRng, type Rng } from '../../envs/core/rng.ts';
import { bootstrapDifference, bootstrapMean, type SeedsByTasks } from './bootstrap.ts';
import { rateEstimateSchema, scoreEstimateSchema, type ScoreEstimate } from './estimate.ts';
import { rateInterval, solvedValue, tableOf } from './rates.ts';
import type { EpisodeRow, EvaluationResult } from './result.ts';

/** What the numbers are, for tables and JSON. */
export const attemptConventions = {
  turn: 'A turn is a reply of the agent, whether or not it can be read or done. A wrong answer starts the task again.',
  within:
    'Success within k turns is the share of episodes that are solved in at most k turns. All k come from one run of K turns; MINT plays a run for each k and states its limit.',
  perTurn:
    'Gain per turn is the slope of the least-squares line of success within k over k = 1 to K: the improvement rate of MINT (Wang et al. 2024).',
  feedback: 'Gain of feedback is success within k turns with feedback minus without, task by task.',
} as const;

const curveSchema = z.strictObject({
  /** Success within k turns, for k = 1 to K. */
  within: z
    .array(rateEstimateSchema.extend({ k: z.int().min(1) }))
    .min(1)
    .readonly(),
  /** Absent with one turn. Without bounds where there is one task, or all tasks have equal curves. */
  perTurn: scoreEstimateSchema.optional(),
  /** Of the line of `perTurn`; absent where all rates are equal. */
  r2: z.number().min(0).max(1).optional(),
});

/** Success over turns, without feedback and with it. */
export const attemptsSchema = z.strictObject({
  conventions: z.strictObject({
    turn: z.string(),
    within: z.string(),
    perTurn: z.string(),
    feedback: z.string(),
  }),
  /** K. */
  turns: z.int().min(1),
  /** The most attempts that an episode may have. */
  attempts: z.int().min(1),
  withoutFeedback: curveSchema,
  withFeedback: curveSchema
    .extend({
      /** `scripted`, or `openai:MODEL@URL`. */
      feedback: z.string(),
      /** Feedback given in an episode, on average. */
      given: z.number().min(0),
      /** The gain for k = 1 to K. Without bounds where there is one task, or all tasks gain the same. */
      gain: z
        .array(scoreEstimateSchema.extend({ k: z.int().min(1) }))
        .min(1)
        .readonly(),
    })
    .optional(),
});
export type AttemptsReport = Readonly<z.output<typeof attemptsSchema>>;
type Curve = Readonly<z.output<typeof curveSchema>>;

/** What was played. */
export interface PlayedAttempts {
  readonly turns: number;
  readonly attempts: number;
  readonly without: EvaluationResult;
  readonly withFeedback?: { readonly feedback: string; readonly result: EvaluationResult } | undefined;
}

/**
 * Success within k turns, the gain per turn and the gain of feedback (Wang et al., "MINT", ICLR 2024). Intervals are those of the results:
 * over tasks, and pairs of equal tasks for the gain of feedback.
 *
 * @throws UsageError where both results do not have the same tasks and seeds
 */
export function summariseAttempts({
  turns,
  attempts,
  without,
  withFeedback,
}: PlayedAttempts): AttemptsReport {
  const rng = createRng(0).fork('attempts').fork(without.panel.fingerprint);
  return {
    conventions: attemptConventions,
    turns,
    attempts,
    withoutFeedback: curveOf(without, turns, rng.fork('without')),
    ...(withFeedback === undefined ? {} : { withFeedback: gainsOf(without, withFeedback, { turns, rng }) }),
  };
}

function gainsOf(
  without: EvaluationResult,
  { feedback, result }: NonNullable<PlayedAttempts['withFeedback']>,
  { turns, rng }: { readonly turns: number; readonly rng: Rng },
): NonNullable<AttemptsReport['withFeedback']> {
  assertSameTasks(without, result);
  return {
    feedback,
    ...curveOf(result, turns, rng.fork('with')),
    given: result.metrics?.['feedback']?.mean ?? 0,
    gain: kOf(turns).map((k) => ({
      k,
      ...difference(solvedWithin(result, k), solvedWithin(without, k), rng.fork('gain').fork(String(k))),
    })),
  };
}

function curveOf(result: EvaluationResult, turns: number, rng: Rng): Curve {
  const tables = kOf(turns).map((k) => solvedWithin(result, k));
  const within = tables.map((table, index) => ({
    k: index + 1,
    ...rateInterval(table, result.interval, rng.fork(String(index + 1))),
  }));
  if (turns === 1) return { within };
  const { r2 } = leastSquares(within.map(({ rate }) => rate));
  // the slope is linear in the rates, so its mean over tasks is the slope of the means
  const slopes: SeedsByTasks = (tables[0] ?? []).map((row, seed) =>
    row.map((_, task) => leastSquares(tables.map((table) => table[seed]?.[task] ?? 0)).slope),
  );
  return { within, perTurn: meanOf(slopes, rng.fork('slope')), ...(r2 === undefined ? {} : { r2 }) };
}

const kOf = (turns: number): readonly number[] => Array.from({ length: turns }, (_, index) => index + 1);

const solvedWithin = ({ episodes }: EvaluationResult, k: number): SeedsByTasks =>
  tableOf(episodes, (row: EpisodeRow) => (row.turns <= k ? solvedValue(row) : 0));

/**
 * The line through `rates` over k = 1, 2, … by least squares.
 *
 * @throws RangeError for fewer than two rates
 */
export function leastSquares(rates: readonly number[]): {
  readonly slope: number;
  readonly intercept: number;
  /** Undefined where all rates are equal. */
  readonly r2: number | undefined;
} {
  const { length } = rates;
  if (length < 2) throw new RangeError('a line takes at least two rates');
  const [middle, mean] = [(length + 1) / 2, rates.reduce((sum, rate) => sum + rate, 0) / length];
  let [across, along, up] = [0, 0, 0];
  for (const [index, rate] of rates.entries()) {
    const [dx, dy] = [index + 1 - middle, rate - mean];
    along += dx * dx;
    across += dx * dy;
    up += dy * dy;
  }
  const slope = across / along;
  const isFlat = rates.every((rate) => rate === rates[0]);
  return {
    slope,
    intercept: mean - slope * middle,
    r2: isFlat ? undefined : Math.min(1, (across * across) / (along * up)),
  };
}

/** A mean of numbers that are no shares. Equal numbers say nothing of others, so they have no interval. */
function meanOf(values: SeedsByTasks, rng: Rng): ScoreEstimate {
  const { mean, low, high } = bootstrapMean(values, { rng });
  return isUnknown(values) ? { mean } : { mean, low, high };
}

function difference(one: SeedsByTasks, other: SeedsByTasks, rng: Rng): ScoreEstimate {
  const gains = one.map((row, seed) => row.map((value, task) => value - (other[seed]?.[task] ?? 0)));
  const { mean, low, high } = bootstrapDifference(one, other, { rng });
  return isUnknown(gains) ? { mean } : { mean, low, high };
}

const isUnknown = (values: SeedsByTasks): boolean => {
  const flat = values.flat();
  return (values[0]?.length ?? 0) < 2 || flat.every((value) => value === flat[0]);
};

function assertSameTasks(one: EvaluationResult, other: EvaluationResult): void {
  const keys = ({ episodes }: EvaluationResult): string =>
    episodes.map(({ seed, index, family }) => `${seed}/${index}/${family}`).join();
  if (keys(one) === keys(other)) return;
  throw new UsageError({
    where: `results of ${one.agent} without and with feedback`,
    what: 'they do not have the same tasks, seeds and numbers of episodes.',
    fix: 'Play both on one panel with the same options.',
  });
}
