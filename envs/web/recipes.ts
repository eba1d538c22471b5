import type { EnvRecipes, TrainingSettings } from '../core/presets.ts';

/** Pages that are solved by clicking, choosing and typing what the instruction names. */
const pages = [
  'click-button',
  'click-link',
  'close-dialog',
  'answer-dialog',
  'choose-radio',
  'tick-boxes',
  'choose-option',
  'choose-several',
  'enter-text',
  'sign-in',
  'edit-text',
  'enter-date',
  'enter-time',
  'open-tab',
  'open-menu',
  'open-tree',
  'act-on-row',
  'social-feed',
  'act-on-mail',
  'fill-form-5',
];

/**
 * Web pages: a choice policy over elements and typed values, cloned from solutions and trained with GiGPO on
 * the binary reward at the end. WebAgent-R1 uses the same reward with a language model. It is sized for two
 * cores.
 */
const own: TrainingSettings = {
  envConfig: { tasks: pages, reward: 'binary' },
  finalPanels: ['test'],
  credit: { kind: 'gigpo' },
  iterations: 20,
  groups: 20,
  taskSampling: { kind: 'unsolved' },
  // Two solutions of each page, and few passes over them: a clone without uncertainty explores nothing.
  warmStart: { episodes: 40, epochs: 20, evaluateEvery: 10 },
  update: { epochs: 2, batchSteps: 256, learningRate: 3e-3, klWeight: 0.01, klSchedule: { kind: 'linear' } },
  evaluation: { every: 10, tasks: 200 },
};

/** Other pages have other names, and no solutions to clone. */
export const webRecipes: EnvRecipes = {
  choice: [
    {
      when: [{ key: 'pages', given: true }],
      settings: { ...own, envConfig: { reward: 'binary' }, warmStart: {} },
    },
    { settings: own },
  ],
};
