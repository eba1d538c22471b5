import { z } from 'zod';
import { absoluteAdvantages, Arms, drawFromArms, meanOf, softmax } from './arms.ts';
import { defineCurriculum } from './curriculum.ts';
import { Gate, gateFields, gateState } from './gate.ts';
import { successFigures } from './unsolved.ts';

/**
 * DUMP (Wang et al., 2025, arXiv:2504.09710, section 3): distributions of tasks are drawn by an upper confidence bound on what can be
 * learned from them. The distributions are the categories.
 *
 * - Learnability: L(d) is the mean of the last `window` absolute advantages of category d; 0 before the first.
 * - UCB(d) = L(d) + √(2 ln(n + 1) / (n_d + 1)). Of category d, n_d tasks were played. n is their sum.
 * - Choice: P(d) ∝ exp(UCB(d) / τ).
 *
 * The temperature of the paper is 0.1. The gate is ours: the paper admits every distribution from the start.
 */
export const dump = defineCurriculum({
  kind: 'dump',
  summary: 'draws categories by an upper confidence bound on their advantages (DUMP)',
  options: z.strictObject({
    window: z
      .int()
      .min(1)
      .max(10_000)
      .default(300)
      .describe('number of the newest absolute advantages of a category that are averaged'),
    temperature: z
      .number()
      .min(0.001)
      .max(1000)
      .default(0.1)
      .describe('temperature τ of the choice; near 0 only the category of the greatest bound is drawn'),
    ...gateFields,
  }),
  state: z.strictObject({
    played: z.array(
      z.strictObject({ name: z.string(), tasks: z.int().min(0), advantages: z.array(z.number().min(0)) }),
    ),
    ...gateState,
  }),
  create: ({ window, temperature, ...options }, { panel, groups: count, rng }) => {
    const arms = new Arms(panel);
    const gate = new Gate(arms, options);
    return {
      initial: { played: [], ...gate.initial },
      next: (iteration, { played, ...state }) => {
        const known = new Map(played.map((one) => [one.name, one]));
        const total = played.reduce((sum, { tasks }) => sum + tasks, 0);
        const open = gate.open(state);
        const bounds = open.map(({ name }) => {
          const { tasks = 0, advantages = [] } = known.get(name) ?? {};
          return upperBound(advantages, { tasks, total });
        });
        const shares = softmax(bounds, temperature);
        return drawFromArms(
          open.map((arm, at) => ({ ...arm, weight: shares[at] ?? 0 })),
          { count, rng: rng.fork(iteration) },
        );
      },
      learn: ({ played, ...state }, groups) => {
        const after = new Map(played.map((one) => [one.name, one]));
        for (const [name, of] of arms.grouped(groups)) {
          const { tasks = 0, advantages = [] } = after.get(name) ?? {};
          const newest = [...advantages, ...of.flatMap(absoluteAdvantages)].slice(-window);
          after.set(name, { name, tasks: tasks + of.length, advantages: newest });
        }
        return { played: [...after.values()], ...gate.after(state, groups) };
      },
      figures: (groups) => ({
        ...successFigures(groups.flatMap(({ members }) => members)),
        ...arms.shareFigures(groups),
      }),
    };
  },
});

/** UCB(d): see {@link dump}. */
export function upperBound(
  advantages: readonly number[],
  { tasks, total }: { readonly tasks: number; readonly total: number },
): number {
  return meanOf(advantages) + Math.sqrt((2 * Math.log(total + 1)) / (tasks + 1));
}
