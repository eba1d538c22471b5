import type { EnvRecipes, TrainingSettings } from '../core/presets.ts';

/** Training of a choice policy on a step-wise puzzle: cloned from 32 episodes of the searcher, then GiGPO from reward. */
export const movesSettings: TrainingSettings = {
  credit: { kind: 'gigpo' },
  finalPanels: ['unseen'],
  iterations: 40,
  warmStart: { episodes: 32, epochs: 60, evaluateEvery: 20, patience: 2 },
};

export const movesRecipes: EnvRecipes = { choice: [{ settings: movesSettings }] };
