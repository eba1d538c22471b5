import type { Rng } from '../../envs/core/rng.ts';
import type { RateEstimate } from './estimate.ts';
import { passConventions, type Passes } from './passes-schema.ts';
import { rateInterval, solvedValue, tableOfGroups } from './rates.ts';
import type { EpisodeRow, IntervalMethod } from './result.ts';

/**
 * The unbiased estimate that at least one of `k` episodes solves a task: 1 - C(n-c, k) / C(n, k) (Chen et al. 2021, "Evaluating Large
 * Language Models Trained on Code", equation 1). It is computed as a product, because the binomials overflow.
 *
 * @param n episodes of the task
 * @param c how many of them solved it
 * @throws RangeError unless 0 <= c <= n and 1 <= k <= n
 */
export function passAtK(n: number, c: number, k: number): number {
  assertCounts(n, c, k);
  if (n - c < k) return 1;
  let missed = 1; // C(n-c, k) / C(n, k)
  for (let i = n - c + 1; i <= n; i += 1) missed *= 1 - k / i;
  return 1 - missed;
}

/**
 * The unbiased estimate that all of `k` episodes solve a task: C(c, k) / C(n, k) (Yao et al. 2024, "τ-bench", section 3).
 *
 * @throws RangeError as {@link passAtK} does
 */
export function passHatK(n: number, c: number, k: number): number {
  assertCounts(n, c, k);
  let share = 1;
  for (let i = 0; i < k; i += 1) share *= Math.max(0, c - i) / (n - i);
  return share;
}

function assertCounts(n: number, c: number, k: number): void {
  if ([n, c, k].every(Number.isInteger) && 0 <= c && c <= n && 1 <= k && k <= n) return;
  throw new RangeError(`pass@k takes whole numbers 0 <= c <= n and 1 <= k <= n, not n ${n}, c ${c}, k ${k}`);
}

/** The k of tables: all up to 5, then powers of two, 10 and 100, and n. */
export function shownKs(n: number): readonly number[] {
  const ks = Array.from({ length: n }, (_, index) => index + 1);
  return ks.filter((k) => k <= 5 || k === 10 || k === 100 || k === n || Number.isInteger(Math.log2(k)));
}

/** pass@k and pass^k; undefined where tasks were played once. A fault that is left counts as a failure. */
export function passesOf(
  rows: readonly EpisodeRow[],
  of: { readonly success: RateEstimate; readonly interval: IntervalMethod; readonly rng: Rng },
): Passes | undefined {
  const { success, interval, rng } = of;
  const sizes = tableOfGroups(rows, (episodes) => episodes.length).flat();
  const [n = 0] = sizes;
  if (n < 2 || sizes.some((size) => size !== n)) return undefined;
  const estimate = (value: typeof passAtK, k: number, name: string): RateEstimate =>
    k === 1
      ? success
      : rateInterval(
          tableOfGroups(rows, (episodes) => value(n, episodes.filter(isSolved).length, k)),
          interval,
          rng.fork(name).fork(String(k)),
        );
  return {
    conventions: passConventions,
    episodes: n,
    byK: shownKs(n).map((k) => ({
      k,
      passAtK: estimate(passAtK, k, 'passAtK'),
      passHatK: estimate(passHatK, k, 'passHatK'),
    })),
  };
}

const isSolved = (row: EpisodeRow): boolean => solvedValue(row) === 1;
