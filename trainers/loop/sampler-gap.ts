import type { IterationLine } from '../run-folder/metrics-schema.ts';
import type { TrainConfig } from './config.ts';

/**
 * Mean difference of a token's two log-probabilities, in nats, from which a server does not sample from what is trained: half precision
 * gives some 0.01, and weights of an update or two ago not much more.
 */
const apart = 0.1;

/** Iterations in which a server that samples was far from the model that is trained. */
export interface SamplerGap {
  readonly first: number;
  readonly iterations: number;
  /** The largest mean difference of an iteration, nats a token. */
  readonly nats: number;
}

/** Undefined where there is no such iteration. */
export function findSamplerGap(lines: readonly IterationLine[]): SamplerGap | undefined {
  const far = lines.filter(({ figures }) => mismatchOf(figures) > apart);
  const [first] = far;
  return first === undefined ? undefined : { first: first.iteration, iterations: far.length, nats: Math.max(...far.map(({ figures }) => mismatchOf(figures))) };
}

const mismatchOf = (figures: IterationLine['figures']): number => figures['update/mismatch'] ?? 0;

/** A gap in one sentence, and what to look at in others. */
export function describeSamplerGap({ first, iterations, nats }: SamplerGap, { policy, async: ahead }: Pick<TrainConfig, 'policy' | 'async'>): string {
  const when = iterations === 1 ? `in iteration ${first}` : `in ${iterations} iterations, ${first} the first,`;
  const started = policy.kind === 'token' && policy.sampler !== undefined && 'logprobs' in policy.sampler ? `, and was started as policy.sampler.logprobs=${policy.sampler.logprobs} says` : '';
  const stale = ahead > 0 ? ` Weights that are stale (--async ${ahead}) add to it.` : '';
  return `${when} the log-probabilities of the server were ${nats.toFixed(2)} nats a token away from those computed here in the mean (update/mismatch), where half precision makes 0.01 of it: what is sampled is not what is trained. See that it has the same model${started}.${stale}`;
}
