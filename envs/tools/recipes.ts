import type { EnvRecipes } from '../core/presets.ts';

export const toolRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        envConfig: { manual: false },
        finalPanels: ['unseen', 'unseen-words'],
        credit: { kind: 'gigpo' },
        iterations: 60,
        taskSampling: { kind: 'unsolved' },
        warmStart: { episodes: 30, epochs: 40, evaluateEvery: 10 },
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
