import type { EnvRecipes, TrainingSettings } from '../core/presets.ts';

/**
 * A choice policy that assembles programs, cloned from a few searches and trained with GiGPO on the result of
 * hidden tests. It is sized for two cores.
 */
const pieces: TrainingSettings = {
  finalPanels: ['unseen'],
  credit: { kind: 'gigpo', gamma: 1 },
  iterations: 20,
  taskSampling: { kind: 'unsolved' },
  warmStart: { episodes: 24, epochs: 20, evaluateEvery: 10 },
  update: { epochs: 2, batchSteps: 256, learningRate: 1e-3, klWeight: 0.01, klSchedule: { kind: 'linear' } },
  evaluation: { every: 10 },
};

/** Programs of three pieces. */
export const codeRecipes: EnvRecipes = {
  choice: [
    {
      when: [
        { key: 'problems.kind', is: ['humaneval', 'mbpp', 'suites'] },
        { key: 'pieces', given: false },
      ],
      refusal: {
        what: 'it trains a choice policy, which chooses among listed actions, but problems from files need written programs.',
        fix: 'Train a language model on them, with --policy token --model FOLDER, or remove `problems` to assemble programs from pieces.',
      },
    },
    { settings: { ...pieces, envConfig: { pieces: 3, maxSteps: 10, testMs: 1_000, atOnce: 16 } } },
  ],
};

/** Training scripts of two settings. */
export const machineLearningRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        ...pieces,
        iterations: 10,
        envConfig: { pieces: 2, maxSteps: 10, atOnce: 16 },
        evaluation: { every: 5 },
      },
    },
  ],
};

/** Modules of three pieces. */
export const verilogRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        ...pieces,
        iterations: 15,
        envConfig: { pieces: 3, maxSteps: 10, atOnce: 16 },
        evaluation: { every: 5 },
      },
    },
  ],
};

/** Verdicts on programs that may be tested first, learned from scratch by reward alone. */
export const critiqueRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        envConfig: { runs: 2, testMs: 1_000, atOnce: 16 },
        finalPanels: ['unseen'],
        credit: { kind: 'gigpo', gamma: 1 },
        iterations: 40,
        groups: 32,
        warmStart: { episodes: 0 },
        update: { epochs: 2, batchSteps: 256, learningRate: 1e-3 },
        evaluation: { every: 10 },
      },
    },
  ],
};
