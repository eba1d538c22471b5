import { fairCoinAtMost, normalQuantile } from './distributions.ts';
import type { MeanEstimate } from './estimate.ts';
import { confidence } from './intervals.ts';

/** Two agents on the same tasks, one episode each: how often they agreed and which of them alone solved the task. */
export interface PairedCounts {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

/** Counts the four cells. The arrays name the same tasks in the same order. */
export function countPairs(first: readonly boolean[], second: readonly boolean[]): PairedCounts {
  if (first.length !== second.length)
    throw new RangeError(`pairs take the same tasks, not ${first.length} and ${second.length}`);
  const count = (a: boolean, b: boolean): number =>
    first.filter((solved, task) => solved === a && second[task] === b).length;
  return {
    both: count(true, true),
    onlyFirst: count(true, false),
    onlySecond: count(false, true),
    neither: count(false, false),
  };
}

/**
 * McNemar's test (1947): the probability, were both agents equally good, of a split of the discordant tasks at least as uneven as
 * this one. Two-sided and exact at every size: the chi-square form with its continuity correction only approximates it.
 */
export function mcnemarProbability(counts: Pick<PairedCounts, 'onlyFirst' | 'onlySecond'>): number {
  const { onlyFirst, onlySecond } = counts;
  return Math.min(1, 2 * fairCoinAtMost(Math.min(onlyFirst, onlySecond), onlyFirst + onlySecond));
}

/**
 * Success of the first minus success of the second with an adjusted Wald interval. It keeps its coverage when
 * the discordant tasks are few or none. Its middle is drawn towards 0, but never so far that the interval
 * excludes the difference. That would take a normal quantile below sqrt(3/2), and that of 95 % is 1.96.
 * Source: Bonett and Price, "Adjusted Wald confidence interval for a difference of binomial proportions based
 * on paired data", 2012.
 */
export function pairedDifference(counts: PairedCounts): MeanEstimate {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const tasks = both + onlyFirst + onlySecond + neither;
  if (tasks === 0) throw new RangeError('a paired difference takes at least one task');
  const first = (onlyFirst + 1) / (tasks + 2);
  const second = (onlySecond + 1) / (tasks + 2);
  const margin =
    normalQuantile(0.5 + confidence / 2) * Math.sqrt((first + second - (first - second) ** 2) / (tasks + 2));
  return {
    mean: (onlyFirst - onlySecond) / tasks,
    low: Math.max(-1, first - second - margin),
    high: Math.min(1, first - second + margin),
  };
}
