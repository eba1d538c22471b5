import type { TrainConfigInput } from '../config/config.ts';

/** A choice policy that puts programs together of pieces, cloned from a few searches and trained with GiGPO on what hidden tests say. Sized for two cores. */
const pieces = {
  finalPanels: ['unseen'],
  credit: { kind: 'gigpo', gamma: 1 },
  iterations: 20,
  taskSampling: { kind: 'unsolved' },
  warmStart: { episodes: 24, epochs: 20, evaluateEvery: 10 },
  update: { epochs: 2, batchSteps: 256, learningRate: 1e-3, klWeight: 0.01, klSchedule: { kind: 'linear' } },
  evaluation: { every: 10 },
} as const satisfies Omit<TrainConfigInput, 'env'>;

/** Programs of three pieces. */
export const codeRecipe = {
  ...pieces,
  env: 'code-v1',
  envConfig: { pieces: 3, maxSteps: 10, testMs: 1_000, atOnce: 16 },
} as const satisfies TrainConfigInput;

/** Training scripts of two settings. */
export const machineLearningRecipe = {
  ...pieces,
  iterations: 10,
  env: 'ml-engineering-v1',
  envConfig: { pieces: 2, maxSteps: 10, atOnce: 16 },
  evaluation: { every: 5 },
} as const satisfies TrainConfigInput;

/** Modules of three pieces. */
export const verilogRecipe = {
  ...pieces,
  iterations: 15,
  env: 'verilog-v1',
  envConfig: { pieces: 3, maxSteps: 10, atOnce: 16 },
  evaluation: { every: 5 },
} as const satisfies TrainConfigInput;

/** Verdicts on programs that may be tested first, from nothing, by reward alone. */
export const critiqueRecipe = {
  env: 'critique-v1',
  envConfig: { runs: 2, testMs: 1_000, atOnce: 16 },
  finalPanels: ['unseen'],
  credit: { kind: 'gigpo', gamma: 1 },
  iterations: 40,
  groups: 32,
  warmStart: { episodes: 0 },
  update: { epochs: 2, batchSteps: 256, learningRate: 1e-3 },
  evaluation: { every: 10 },
} as const satisfies TrainConfigInput;
