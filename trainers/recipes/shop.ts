import type { TrainConfigInput } from '../config/config.ts';

/**
 * Shopping: a choice policy cloned from five purchases of the searcher, one in each department, then trained with GiGPO to find and buy what is
 * asked for. Sized for two cores and ten minutes.
 */
export const shopRecipe = {
  env: 'shop-v1',
  finalPanels: ['test'],
  // Nothing is discounted: only the purchase is paid, and a discount would punish looking at a second product before it.
  credit: { kind: 'gigpo', gamma: 1 },
  // Results are named by numbers: only what stands about them says what they are.
  policy: { surroundings: true },
  iterations: 80,
  warmStart: { episodes: 5, epochs: 60, batchSteps: 32 },
  // The pull towards the clone and the entropy keep it comparing until comparing pays: without them it soon buys what it opens first.
  update: { epochs: 2, batchSteps: 256, learningRate: 3e-3, klWeight: 0.05, entropyWeight: 0.05 },
} as const satisfies TrainConfigInput;
