import type { z } from 'zod';
import type { PluginDefinition } from '../../envs/core/plugin.ts';

/** Bound of a log-ratio before it is exponentiated: beyond it the ratio is constant. */
export const largestLogRatio = 20;

/** One decision or sampled token, and its log-probabilities under the weights involved. */
export interface SurrogateFacts {
  readonly advantage: number;
  /** Log of current / proximal, bounded. */
  readonly logRatio: number;
  /** Current / proximal. */
  readonly ratio: number;
  /** Whether the log-ratio was bounded: the ratio is then constant and has no gradient. */
  readonly isBounded: boolean;
}

/** The loss of one decision or token. */
export interface Surrogate {
  readonly loss: number;
  /** Derivative of the loss with respect to the current log-probability. */
  readonly slope: number;
  /** Whether a bound changed the gradient. The share of such decisions is reported as `update/clip-fraction`. */
  readonly clipped: boolean;
}

/** Bounds that an update sets (`update.clipLow`, `update.clipHigh`, `update.dualClip`). */
export interface Bounds {
  /** A ratio is low below 1 - low. */
  readonly low: number;
  /** A ratio is high above 1 + high. */
  readonly high: number;
  /** Greatest loss at a negative advantage, in units of -advantage. */
  readonly dualClip?: number | undefined;
}

/** The names of {@link Bounds} in a training config. */
export type BoundName = 'clipLow' | 'clipHigh' | 'dualClip';

/** A policy objective without its options: a replacement for PPO's clipped surrogate. */
export interface ObjectiveDefinition<
  Kind extends string = string,
  Options extends z.ZodObject = z.ZodObject,
> extends PluginDefinition<Kind, Options> {
  /** The bounds that it uses. A config that sets another one is refused. */
  readonly bounds: readonly BoundName[];
  /** Creates the pure function that returns the loss of one decision or token, in float64. */
  create(options: z.output<Options>, bounds: Bounds): (facts: SurrogateFacts) => Surrogate;
}

/**
 * Defines a policy objective. Built-in ones stand in `models/objectives/list.ts`; a file that exports one as `objective` is used by
 * `update.objective: { kind: 'module', file }`. KL, entropy and the weight of stale samples are added to every objective.
 *
 * @example
 * ```ts
 * import { defineObjective } from 'cairn-gym/trainers';
 * import { z } from 'zod';
 *
 * // The importance-weighted policy gradient, without any bound.
 * export const objective = defineObjective({
 *   kind: 'unbounded',
 *   summary: 'ratio times advantage',
 *   options: z.strictObject({}),
 *   bounds: [],
 *   create: () => ({ advantage, ratio, isBounded }) => ({
 *     loss: -advantage * ratio,
 *     slope: isBounded ? 0 : -advantage * ratio,
 *     clipped: isBounded,
 *   }),
 * });
 * ```
 */
export function defineObjective<const Kind extends string, Options extends z.ZodObject>(
  definition: ObjectiveDefinition<Kind, Options>,
): ObjectiveDefinition<Kind, Options> {
  return definition;
}

export function bounded(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The k3 estimate of a KL, `e^x - 1 - x`, of a bounded log-ratio (Schulman 2020). */
export function k3(logRatio: number): number {
  const apart = bounded(logRatio, -largestLogRatio, largestLogRatio);
  return Math.expm1(apart) - apart;
}
