import type { EnvRecipes } from '../core/presets.ts';

export const toolRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        envConfig: { manual: false, weights: { outcome: 1, match: 0.1 } },
        finalPanels: ['unseen', 'unseen-words'],
        credit: { kind: 'gigpo' },
        iterations: 80,
        taskSampling: { kind: 'passes' },
        warmStart: { episodes: 60, epochs: 20, evaluateEvery: 10 },
        update: {
          epochs: 2,
          batchSteps: 512,
          learningRate: 1e-3,
          klWeight: 0.01,
          klSchedule: { kind: 'linear' },
        },
      },
    },
  ],
};
