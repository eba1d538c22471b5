import { fairCoinAtMost, normalQuantile, studentUpperQuantile } from './distributions.ts';
import type { MeanEstimate, RateEstimate } from './estimate.ts';

/** The share of intervals that hold the truth, everywhere in this package. */
export const confidence = 0.95;

const clampRate = (value: number): number => Math.min(1, Math.max(0, value));

/** A share with Wilson's score interval, for independent trials: one episode a task (Wilson 1927; Brown, Cai and DasGupta 2001). */
export function wilsonInterval(successes: number, trials: number, level = confidence): RateEstimate {
  assertCounts(successes, trials);
  const z = normalQuantile(0.5 + level / 2);
  const rate = successes / trials;
  const weight = 1 + (z * z) / trials;
  const centre = (rate + (z * z) / (2 * trials)) / weight;
  const margin = (z / weight) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return {
    rate,
    // At the ends the bound is the rate itself; rounding must not move it past.
    low: successes === 0 ? 0 : clampRate(Math.min(rate, centre - margin)),
    high: successes === trials ? 1 : clampRate(Math.max(rate, centre + margin)),
  };
}

function assertCounts(successes: number, trials: number): void {
  if (
    Number.isInteger(trials) &&
    trials > 0 &&
    Number.isInteger(successes) &&
    successes >= 0 &&
    successes <= trials
  )
    return;
  throw new RangeError(
    `a rate takes whole numbers 0 <= successes <= trials with trials > 0, not ${successes} of ${trials}`,
  );
}

/** A mean with Student's interval, for a few independent numbers such as one a seed. One number alone has no finite interval. */
export function studentInterval(values: readonly number[], level = confidence): MeanEstimate {
  if (values.length === 0) throw new RangeError('a mean takes at least one value');
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 1) return { mean, low: -Infinity, high: Infinity };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const margin =
    studentUpperQuantile((1 - level) / 2, values.length - 1) *
    Math.sqrt(squares / (values.length - 1) / values.length);
  return { mean, low: mean - margin, high: mean + margin };
}

/**
 * A median over runs of which some never got there. Undefined stands for "not within the budget", which sorts after every
 * number.
 */
export interface MedianEstimate {
  readonly median: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  /** Probability that the interval holds the median: below 95 % when there are fewer than 6 runs. */
  readonly coverage: number;
  readonly reached: number;
  readonly runs: number;
}

/**
 * Median of "steps to threshold" over seeds with the interval between two order statistics. It needs no
 * assumption on the distribution and accepts runs that never reached the threshold (Conover, Practical
 * Nonparametric Statistics, 3.2).
 */
export function medianToThreshold(
  steps: readonly (number | undefined)[],
  level = confidence,
): MedianEstimate {
  if (steps.length === 0) throw new RangeError('a median takes at least one run');
  const sorted = steps.map((value) => value ?? Infinity).toSorted((a, b) => a - b);
  const runs = sorted.length;
  // The largest rank r with P(fewer than r of the runs below the median) within the tail; rank 1 when there is none.
  let rank = 1;
  while (rank + 1 <= runs / 2 && fairCoinAtMost(rank, runs) <= (1 - level) / 2) rank += 1;
  const at = (index: number): number | undefined => finite(sorted[index] as number);
  const middle =
    ((sorted[Math.floor((runs - 1) / 2)] as number) + (sorted[Math.floor(runs / 2)] as number)) / 2;
  return {
    median: finite(middle),
    low: at(rank - 1),
    high: at(runs - rank),
    coverage: 1 - 2 * fairCoinAtMost(rank - 1, runs),
    reached: sorted.filter(Number.isFinite).length,
    runs,
  };
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
