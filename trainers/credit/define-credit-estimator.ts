import type { z } from 'zod';
import type { PluginDefinition } from '../../envs/core/plugin.ts';
import type { CreditEstimator } from './estimator.ts';

/** A credit estimator without its options. Files in `estimators/` and a user's own file export one. */
export interface CreditEstimatorDefinition<
  Kind extends string = string,
  Options extends z.ZodObject = z.ZodObject,
> extends PluginDefinition<Kind, Options> {
  /** Name in tables, results and reports: a letter, then at most 59 letters, digits, spaces and `._+()-`. */
  readonly name: string;
  /**
   * Creates the estimator. It must keep no state of its own, because a resumed run would lose it. See
   * {@link CreditEstimator.initialState}.
   */
  create(options: z.output<Options>): CreditEstimator;
}

/**
 * Defines a credit estimator. A file exports it as `estimator`; `cairn-gym train ENV --credit FILE`, or `credit: { kind: 'module', file }` in a
 * config, trains with it. The built-in estimators are defined in the same way.
 *
 * @example
 * ```ts
 * import { returnOf } from 'cairn-gym/agents';
 * import { defineCreditEstimator } from 'cairn-gym/trainers';
 * import { z } from 'zod';
 *
 * export const estimator = defineCreditEstimator({
 *   kind: 'above-mean',
 *   name: 'above the mean',
 *   summary: 'the return above the mean of the group',
 *   options: z.strictObject({ scale: z.number().positive().default(1) }),
 *   create: ({ scale }) => ({
 *     assign: (groups) => ({
 *       groups: groups.map(({ members }) => {
 *         const played = members.filter(({ stop }) => stop.kind !== 'faulted');
 *         const mean = played.reduce((sum, member) => sum + returnOf(member), 0) / played.length;
 *         return members.map((member) => ({
 *           advantage: member.stop.kind === 'faulted' ? [] : member.steps.map(() => scale * (returnOf(member) - mean)),
 *         }));
 *       }),
 *     }),
 *   }),
 * });
 * ```
 */
export function defineCreditEstimator<const Kind extends string, Options extends z.ZodObject>(
  definition: CreditEstimatorDefinition<Kind, Options>,
): CreditEstimatorDefinition<Kind, Options> {
  return definition;
}
