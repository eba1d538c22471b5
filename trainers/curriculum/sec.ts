import { z } from 'zod';
import { absoluteAdvantages, Arms, drawFromArms, meanOf, softmax } from './arms.ts';
import { defineCurriculum } from './curriculum.ts';
import { Gate, gateFields, gateState } from './gate.ts';
import { successFigures } from './unsolved.ts';

/**
 * Self-Evolving Curriculum, SEC (Chen et al., 2025, arXiv:2505.14970): a non-stationary bandit whose arms are the categories.
 *
 * - Reward of an arm: r_t(c) = E[|Â|], the mean absolute advantage of the episodes of category c in this iteration.
 * - TD(0): Q_{t+1}(c) = α r_t(c) + (1 − α) Q_t(c), with Q_0 = 0. Categories that were not played keep their value.
 * - Choice: p_t(c) ∝ exp(Q_t(c) / τ).
 *
 * α = 0.5 and τ = 1 are the settings of the paper's Countdown; its other experiments have τ = 0.4 and 0.2. The gate is ours: the paper
 * admits every category from the start.
 */
export const sec = defineCurriculum({
  kind: 'sec',
  summary: 'a bandit draws the categories with large advantages more often (SEC)',
  options: z.strictObject({
    rate: z.number().gt(0).max(1).default(0.5).describe('learning rate α of the values'),
    temperature: z
      .number()
      .min(0.001)
      .max(1000)
      .default(1)
      .describe('temperature τ of the choice; near 0 only the category of the greatest value is drawn'),
    ...gateFields,
  }),
  state: z.strictObject({ values: z.array(z.tuple([z.string(), z.number()])), ...gateState }),
  create: ({ rate, temperature, ...options }, { panel, groups: count, rng }) => {
    const arms = new Arms(panel);
    const gate = new Gate(arms, options);
    return {
      initial: { values: [], ...gate.initial },
      next: (iteration, { values, ...state }) => {
        const known = new Map(values);
        const open = gate.open(state);
        const shares = softmax(
          open.map(({ name }) => known.get(name) ?? 0),
          temperature,
        );
        return drawFromArms(
          open.map((arm, at) => ({ ...arm, weight: shares[at] ?? 0 })),
          { count, rng: rng.fork(iteration) },
        );
      },
      learn: ({ values, ...state }, groups) => {
        const after = new Map(values);
        for (const [name, of] of arms.grouped(groups)) {
          const reward = meanOf(of.flatMap(absoluteAdvantages));
          after.set(name, rate * reward + (1 - rate) * (after.get(name) ?? 0));
        }
        return { values: [...after], ...gate.after(state, groups) };
      },
      figures: (groups) => ({
        ...successFigures(groups.flatMap(({ members }) => members)),
        ...arms.shareFigures(groups),
      }),
    };
  },
});
