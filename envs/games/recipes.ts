import type { EnvRecipes } from '../core/presets.ts';

/**
 * Training of a choice policy on a game: cloned from 32 episodes of the searcher, then GiGPO from reward. It takes a minute on a quiet core
 * for most games, and shows whether a game can be learned. More `--iterations` learn more.
 */
export const gameRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        credit: { kind: 'gigpo' },
        finalPanels: ['unseen'],
        iterations: 15,
        warmStart: { episodes: 32, epochs: 60, evaluateEvery: 20, patience: 2 },
      },
    },
  ],
};

/** The laws that nobody can check where the player sees everything. */
export const nothingHidden = {
  secrets: 'nothing is hidden',
  hidden: 'nothing is hidden',
  experts: 'nothing is hidden that the searcher could look at',
} as const;
