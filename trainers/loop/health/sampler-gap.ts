import type { IterationLine } from '../../run/metrics-schema.ts';
import type { TrainConfig } from '../../config/config.ts';

/**
 * Mean difference of a token's two log-probabilities, in nats, that neither half precision makes, which is some 0.01, nor, where rollouts run
 * ahead, weights of an update or two before at a usual learning rate.
 */
const apart = { sameWeights: 0.05, staleWeights: 0.1 } as const;

/** Iterations in which a server that samples was far from the model that is trained. */
export interface SamplerGap {
  readonly first: number;
  readonly iterations: number;
  /** The largest mean difference of an iteration, nats a token. */
  readonly nats: number;
}

/** Undefined where there is no such iteration. */
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

/** A gap in one sentence, and what to look at in another. */
export function describeSamplerGap(
  { first, iterations, nats }: SamplerGap,
  { policy, async: ahead }: Pick<TrainConfig, 'policy' | 'async'>,
): string {
  const when =
    iterations === 1 ? `in iteration ${first}` : `in ${iterations} iterations, ${first} the first,`;
  const what = `the log-probabilities of the server were ${nats.toFixed(2)} nats a token away from those computed here in the mean (update/mismatch), where half precision makes some 0.01`;
  const sampler = policy.kind === 'token' ? policy.sampler : undefined;
  const started =
    sampler !== undefined && 'logprobs' in sampler
      ? `, and was started as policy.sampler.logprobs=${sampler.logprobs} says`
      : ', not quantised';
  const why =
    ahead > 0
      ? `weights are stale (--async ${ahead}), or what is sampled is not what is trained`
      : 'what is sampled is not what is trained';
  return `${when} ${what}: ${why}. See that the server has the same model${started}.`;
}
