import type { EnvRecipes } from '../core/presets.ts';

/** A choice policy that learns from rewards alone which model to ask, and when to answer. It takes about 50 seconds of one core. */
export const routeRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        finalPanels: ['test'],
        credit: { kind: 'gigpo', gamma: 1 },
        iterations: 40,
        taskSampling: { kind: 'passes' },
        warmStart: { episodes: 0 }, // routing is learnt from rewards alone
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
