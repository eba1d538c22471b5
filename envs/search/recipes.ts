import type { EnvRecipes } from '../core/presets.ts';

/**
 * Questions of one to three facts about a small world, each fact in two wordings: a choice policy over names in sight,
 * cloned from 60 episodes of the searcher, then trained with GiGPO. It takes about 100 seconds of one core.
 */
export const searchRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        envConfig: { world: { wordings: 2, hops: [1, 2, 3] } },
        finalPanels: ['test'],
        // names are many: fewer of them share a row of the table
        policy: { kind: 'choice', buckets: 65_536 },
        credit: { kind: 'gigpo', gamma: 1 },
        iterations: 150,
        taskSampling: { kind: 'unsolved' },
        warmStart: { episodes: 60, epochs: 15, evaluateEvery: 10 },
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
