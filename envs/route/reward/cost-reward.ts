import { z } from 'zod';

/** How the cost of an episode becomes a reward from 0 to 1. */
export const costScaleSchema = z
  .strictObject({
    low: z
      .number()
      .min(0)
      .default(0)
      .describe('cost in millionths of a dollar up to which the reward of cost is 1'),
    high: z
      .number()
      .positive()
      .default(2_000)
      .describe('cost in millionths of a dollar from which the reward of cost is 0'),
  })
  .refine(({ low, high }) => low < high, 'low must be below high');
export type CostScale = Readonly<z.output<typeof costScaleSchema>>;

/**
 * The reward of a cost, from 1 for a low one to 0: linear in the square root of the cost, between bounds.
 *
 * Router-R1 (arXiv:2506.09033, code of November 2025) computes the same with the 5th and 95th percentiles of the last
 * 1,000 episodes as bounds. Ours are fixed, so that the reward of an episode depends on nothing else.
 */
export function costReward(cost: number, { low, high }: CostScale): number {
  const [root, from, to] = [Math.sqrt(cost), Math.sqrt(low), Math.sqrt(high)];
  return 1 - Math.min(1, Math.max(0, (root - from) / (to - from)));
}
