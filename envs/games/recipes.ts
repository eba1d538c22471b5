import type { EnvCatalogue, EnvRecipes } from '../core/presets.ts';

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

/** How a game is listed. Its tasks are generated from tables written here, unless the licence says more. */
export const gameCatalogue = (tags: readonly string[], licence = 'Apache-2.0'): EnvCatalogue => ({
  family: 'game',
  tags: [...tags, 'step-wise', 'generated'],
  licence,
});

/** Games that hide words: the lists are those of the packages that `scripts/make-word-lists.mjs` names. */
export const wordLicence = 'MIT and ISC (word lists)';

/** The laws that nobody can check where the player sees everything. */
export const nothingHidden = {
  secrets: 'nothing is hidden',
  hidden: 'nothing is hidden',
  experts: 'nothing is hidden that the searcher could look at',
} as const;
