import type { z } from 'zod';
import type { CreditEstimator } from './estimator.ts';

/** A credit estimator of one's own, before it has its options. */
export interface CreditEstimatorDefinition<Options extends z.ZodType = z.ZodType> {
  /** What tables, results and reports call a policy that is trained by it: a letter first, then letters, digits, spaces and `._+()-`. */
  readonly name: string;
  /** Its options: `--with credit.options.KEY=VALUE` sets one. What it refuses is said before anything is opened. */
  readonly options: Options;
  /** Makes the estimator; whatever it remembers from one batch to the next would be lost where a run is resumed, so it must remember nothing. */
  create(options: z.output<Options>): Omit<CreditEstimator, 'name'>;
}

/**
 * Defines a credit estimator of one's own. A file exports it as `estimator`; `cairn train ENV --credit FILE` or
 * `credit: { kind: 'module', file }` in a config trains by it.
 *
 * @example
 * ```ts
 * import { returnOf } from 'cairn-gym/agents';
 * import { defineCreditEstimator } from 'cairn-gym/trainers';
 * import { z } from 'zod';
 *
 * export const estimator = defineCreditEstimator({
 *   name: 'above the mean',
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
export function defineCreditEstimator<Options extends z.ZodType>(
  definition: CreditEstimatorDefinition<Options>,
): CreditEstimatorDefinition<Options> {
  return definition;
}
