import type { IterationLine } from '../../run/metrics-schema.ts';
import type { TrainConfig } from '../../config/config.ts';

/**
 * Mean difference of a token's two log-probabilities, in nats, above which something is wrong. Half precision
 * causes some 0.01. If rollouts run ahead, weights that are an update or two old, at a usual learning rate,
 * cause less than this too.
 */
const apart = { sameWeights: 0.05, staleWeights: 0.1 } as const;

/** Iterations in which the sampling server differed too much from the trained model. */
export interface SamplerGap {
  readonly first: number;
  readonly iterations: number;
  /** The largest mean difference of an iteration, in nats per token. */
  readonly nats: number;
}

/** Undefined if there is no such iteration. */
export function findSamplerGap(
  lines: readonly IterationLine[],
  { async: ahead }: Pick<TrainConfig, 'async'>,
): SamplerGap | undefined {
  const bound = ahead > 0 ? apart.staleWeights : apart.sameWeights;
  const far = lines.filter(({ figures }) => mismatchOf(figures) > bound);
  const [first] = far;
  return first === undefined
    ? undefined
    : {
        first: first.iteration,
        iterations: far.length,
        nats: Math.max(...far.map(({ figures }) => mismatchOf(figures))),
      };
}

const mismatchOf = (figures: IterationLine['figures']): number => figures['update/mismatch'] ?? 0;

/** A sentence about the gap, and one about what to check. */
export function describeSamplerGap(
  { first, iterations, nats }: SamplerGap,
  { policy, async: ahead }: Pick<TrainConfig, 'policy' | 'async'>,
): string {
  const when =
    iterations === 1 ? `in iteration ${first}` : `in ${iterations} iterations, ${first} the first,`;
  const what = `the log-probabilities of the server differed from those computed here by ${nats.toFixed(2)} nats per token on average (update/mismatch); half precision causes about 0.01`;
  const sampler = policy.kind === 'token' ? policy.sampler : undefined;
  const started =
    sampler !== undefined && 'logprobs' in sampler
      ? `, and was started as policy.sampler.logprobs=${sampler.logprobs} says`
      : ', not quantised';
  const why =
    ahead > 0
      ? `the weights are stale (--async ${ahead}), or the sampled model is not the trained one`
      : 'the sampled model is not the trained one';
  return `${when} ${what}: ${why}. Check that the server has the same model${started}.`;
}
