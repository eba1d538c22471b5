import type { TrainConfigInput } from '../config/config.ts';

/**
 * The main job: a choice policy cloned from six searches, one of each family, and trained with GiGPO until it finds its way
 * in rooms it has never seen. Sized for two cores and four minutes.
 */
export const householdRecipe = {
  env: 'household-v1',
  finalPanels: ['unseen-1000'],
  credit: { kind: 'gigpo' },
  iterations: 150,
  taskSampling: { kind: 'unsolved' },
  // Converged: `dev` is asked rarely enough that a pass or two of bad luck end nothing, and the first time it says no better is the end.
  warmStart: { episodes: 6, epochs: 400, evaluateEvery: 20, patience: 1 },
  // A little pull towards the clone, at first of the weight usual in published recipes for ALFWorld: where all episodes of a task fail there is
  // next to no other signal (penalties for what cannot be done make most of these groups count), and without it the policy forgets there what the
  // demonstrations had half taught. It fades, for later it only holds the policy back.
  update: { epochs: 2, batchSteps: 1024, learningRate: 3e-3, klWeight: 0.01, klSchedule: { kind: 'linear' } },
} as const satisfies TrainConfigInput;

/** The same on flats with words and pairings that training never meets: it leaves room above it. */
export const householdHardRecipe = {
  ...householdRecipe,
  env: 'household-hard-v1',
  finalPanels: ['unseen'],
} as const satisfies TrainConfigInput;
