import type { EnvRecipes, TrainingSettings } from '../core/presets.ts';

/**
 * Training of a choice policy on a step-wise puzzle: cloned from 32 episodes of the searcher, then GiGPO from reward. It takes less than a
 * minute on a quiet core for most puzzles. `bench/puzzles/learning.json` has the results.
 */
const movesSettings: TrainingSettings = {
  credit: { kind: 'gigpo' },
  finalPanels: ['unseen'],
  iterations: 15,
  warmStart: { episodes: 32, epochs: 60, evaluateEvery: 20, patience: 2 },
};

export const movesRecipes: EnvRecipes = { choice: [{ settings: movesSettings }] };
