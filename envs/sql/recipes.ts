import type { EnvRecipes } from '../core/presets.ts';

/**
 * Questions about databases: a choice policy that builds queries part by part, cloned from a few searches and
 * trained with GiGPO on the rewards of Reasoning-SQL. It is sized for two cores.
 */
export const sqlRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        envConfig: { weights: { execution: 1, linking: 0.2, ngrams: 0.2, syntax: 0.1, format: 0.1 } },
        finalPanels: ['test', 'unseen-schemas', 'unseen-forms'],
        credit: { kind: 'gigpo', gamma: 1 },
        iterations: 120,
        taskSampling: { kind: 'unsolved' },
        warmStart: { episodes: 46, epochs: 40, evaluateEvery: 10 },
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
