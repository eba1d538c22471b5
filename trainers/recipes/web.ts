import type { TrainConfigInput } from '../config/config.ts';

/** Pages that are won by clicking, choosing and typing what the instruction names. */
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
 * Web pages: a choice policy over elements and typed values, cloned from solutions and trained with GiGPO on the binary end reward, as
 * WebAgent-R1 does with a language model. Sized for two cores.
 */
export const webRecipe = {
  env: 'web-v1',
  envConfig: { tasks: pages, reward: 'binary' },
  finalPanels: ['test'],
  credit: { kind: 'gigpo' },
  iterations: 20,
  groups: 20,
  taskSampling: { kind: 'unsolved' },
  // Two solutions of each page, and few passes over them: a clone that is sure of itself has nothing left to try.
  warmStart: { episodes: 40, epochs: 20, evaluateEvery: 10 },
  update: { epochs: 2, batchSteps: 256, learningRate: 3e-3, klWeight: 0.01, klSchedule: { kind: 'linear' } },
  evaluation: { every: 10, tasks: 200 },
} as const satisfies TrainConfigInput;

/** Pages of others have other names, and no solutions to clone. */
export const foreignPagesRecipe = {
  ...webRecipe,
  envConfig: { reward: 'binary' },
  warmStart: {},
} as const satisfies TrainConfigInput;
