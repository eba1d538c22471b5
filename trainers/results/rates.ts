import type { Rng } from '../../envs/core/rng.ts';
import { bootstrapMean, type SeedsByTasks } from './bootstrap.ts';
import type { RateEstimate } from './estimate.ts';
import { wilsonInterval } from './intervals.ts';
import type { EpisodeRow, IntervalMethod } from './result.ts';

/** 1 for a solved episode, else 0: a remaining fault counts as a failure. */
export const solvedValue = (row: Pick<EpisodeRow, 'outcome'>): number => (row.outcome === 'solved' ? 1 : 0);

/** The members of groups with equal keys, in the order of their first members. */
export function groupRows<Key>(
  rows: readonly EpisodeRow[],
  keyOf: (row: EpisodeRow) => Key,
): Map<Key, EpisodeRow[]> {
  const groups = new Map<Key, EpisodeRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** A number of the episodes of each seed and task; seeds and tasks in order of their numbers. */
export function tableOfGroups(
  rows: readonly EpisodeRow[],
  value: (episodes: readonly EpisodeRow[]) => number,
): SeedsByTasks {
  const byNumber = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]): number => a - b;
  return [...groupRows(rows, (row) => row.seed)]
    .toSorted(byNumber)
    .map(([, ofSeed]) =>
      [...groupRows(ofSeed, (row) => row.index)].toSorted(byNumber).map(([, episodes]) => value(episodes)),
    );
}

/** The mean of `value` over the episodes of each seed and task. */
export const tableOf = (rows: readonly EpisodeRow[], value: (row: EpisodeRow) => number): SeedsByTasks =>
  tableOfGroups(rows, (episodes) => episodes.reduce((sum, row) => sum + value(row), 0) / episodes.length);

/** The mean of shares from 0 to 1 with its interval. */
export function rateInterval(solved: SeedsByTasks, method: IntervalMethod, rng: Rng): RateEstimate {
  const flat = solved.flat();
  const tasks = solved[0]?.length ?? 0;
  const sum = flat.reduce((total, value) => total + value, 0);
  if (method.kind === 'wilson') return wilsonInterval(sum, tasks);
  // If every task has the same value, resampling gives no width; the number of tasks still gives one.
  if (sum === 0 || sum === flat.length) return wilsonInterval(sum === 0 ? 0 : tasks, tasks);
  if (tasks === 1) return { rate: sum / flat.length, low: 0, high: 1 };
  const { mean, low, high } = bootstrapMean(solved, { rng });
  return { rate: mean, low: Math.max(0, low), high: Math.min(1, high) };
}
