import { RunError } from '../../envs/core/errors.ts';

/** Where a difference begins to count as one, and what a ratio counts for at most. */
export interface MismatchBounds {
  /** In nats. */
  readonly threshold: number;
  /** Of recomputed / behaviour, as where stale samples are weighted. */
  readonly cap: number;
}

/** Ratios of the estimate stay between exp(-20) and exp(20): a single token could else make it infinite. */
const widest = 20;

/**
 * How far the log-probabilities that a sampler gave are from those that the trainer computes of the same tokens with the same weights.
 * There are none where there are no tokens. With d = recomputed - behaviour, in nats, and r = exp(d):
 *
 * - `update/mismatch` and `update/largest-mismatch`: mean and largest |d|
 * - `update/mismatch-kl`: mean of r - 1 - d, the estimate k3 of KL(behaviour, recomputed) (Schulman 2020), |d| taken for 20 at most
 * - `update/mismatch-share`: share of the tokens with |d| above `threshold`
 * - `update/mismatch-sample-size`: effective sample size of the weights w = min(cap, r) (Kish 1965), (sum w)^2 / sum w^2, as a share of
 *   the tokens: 1 where all weigh the same
 *
 * @param behaviour (N) as the sampler gave them; all finite
 * @param recomputed (N)
 * @throws RunError for what is not finite
 */
export function mismatchFigures(
  behaviour: Float32Array,
  recomputed: Float32Array,
  { threshold, cap }: MismatchBounds,
): Readonly<Record<string, number>> {
  if (behaviour.length !== recomputed.length)
    throw new TypeError(`${behaviour.length} log-probabilities cannot be compared with ${recomputed.length}`);
  const count = behaviour.length;
  if (count === 0) return {};
  const sums = { gap: 0, largest: 0, kl: 0, above: 0, weight: 0, square: 0 };
  for (let at = 0; at < count; at += 1) {
    const difference = (recomputed[at] as number) - (behaviour[at] as number);
    if (!Number.isFinite(difference)) throw notFinite(at, behaviour[at] as number, recomputed[at] as number);
    const gap = Math.abs(difference);
    const bounded = Math.min(widest, Math.max(-widest, difference));
    const weight = Math.min(cap, Math.exp(bounded));
    sums.gap += gap;
    sums.largest = Math.max(sums.largest, gap);
    sums.kl += Math.expm1(bounded) - bounded;
    sums.above += gap > threshold ? 1 : 0;
    sums.weight += weight;
    sums.square += weight * weight;
  }
  return {
    'update/mismatch': sums.gap / count,
    'update/largest-mismatch': sums.largest,
    'update/mismatch-kl': sums.kl / count,
    'update/mismatch-share': sums.above / count,
    'update/mismatch-sample-size': (sums.weight * sums.weight) / (sums.square * count),
  };
}

function notFinite(at: number, behaviour: number, recomputed: number): RunError {
  return new RunError({
    where: 'update',
    what: `token ${at} has the log-probability ${behaviour} from its sampler and ${recomputed} from the trainer.`,
    fix: 'Go back to an earlier checkpoint and lower the learning rate; where it is the sampler’s, see to the server.',
  });
}
