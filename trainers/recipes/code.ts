import type { TrainConfigInput } from '../loop/config.ts';

/**
 * Programs put together of pieces: a choice policy that reads the statement, the program and the failures of visible tests, cloned from a few
 * searches and trained with GiGPO on what hidden tests say. Sized for two cores.
 */
export const codeRecipe = {
  env: 'code-v1',
  envConfig: { pieces: 3, maxSteps: 10, testMs: 1_000, atOnce: 16 },
  finalPanels: ['unseen'],
  credit: { kind: 'gigpo', gamma: 1 },
  iterations: 20,
  taskSampling: { kind: 'unsolved' },
  warmStart: { episodes: 24, epochs: 20, evaluateEvery: 10 },
  update: { epochs: 2, batchSteps: 256, learningRate: 1e-3, klWeight: 0.01, klSchedule: { kind: 'linear' } },
  evaluation: { every: 10 },
} as const satisfies TrainConfigInput;
