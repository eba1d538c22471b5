import type { EnvRecipes } from '../core/presets.ts';

/** A choice policy over names in sight, cloned from a few searches of the searcher, then trained with GiGPO. */
export const searchRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        finalPanels: ['test'],
        credit: { kind: 'gigpo', gamma: 1 },
        iterations: 60,
        taskSampling: { kind: 'unsolved' },
        warmStart: { episodes: 60, epochs: 60, evaluateEvery: 10 },
        update: {
          epochs: 2,
          batchSteps: 256,
          learningRate: 3e-3,
          klWeight: 0.01,
          klSchedule: { kind: 'linear' },
        },
      },
    },
  ],
};
