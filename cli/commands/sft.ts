import type { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Flag } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { envArgument } from '../options/named-env.ts';
import { numberOrText } from '../options/option-values.ts';
import { trainFlags, trainOptions, type TrainOptions } from '../training/options.ts';
import { train } from './train.ts';

/** Default number of demonstrations: enough for a small model of our own to start solving tasks. */
const usualEpisodes = 1024;

const shared = [
  '--run',
  '--resume',
  '--seed',
  '--backend',
  '--model',
  '--panel',
  '--final-panel',
  '--concurrency',
  '--with',
  '--set',
  '--env-module',
  '--tensorboard',
  '--accept-changed-env',
  '--keys',
  '--dry-run',
  '--forecast',
];
const isShared = ({ flags }: Flag): boolean => shared.includes(flags.split(' ')[0] ?? '');

const options = trainOptions
  .pick({
    env: true,
    envModule: true,
    acceptChangedEnv: true,
    set: true,
    run: true,
    resume: true,
    seed: true,
    backend: true,
    model: true,
    panel: true,
    finalPanel: true,
    concurrency: true,
    with: true,
    tensorboard: true,
    keys: true,
    dryRun: true,
    forecast: true,
  })
  .extend({
    episodes: numberOrText.optional(),
    epochs: numberOrText.optional(),
    learningRate: numberOrText.optional(),
  });
type SftOptions = z.output<typeof options>;

export const sftCommand = defineCommand({
  arguments: [{ ...envArgument, required: false }],
  flags: [
    ...trainFlags.filter(isShared),
    {
      flags: '--episodes <number>',
      says: `demonstrations: one a task; with fewer tasks, these repeat with other random choices (default: ${usualEpisodes})`,
    },
    {
      flags: '--epochs <number>',
      says: 'maximum number of passes over them; training ends early when `dev` stops improving (default: by the recipe)',
    },
    { flags: '--learning-rate <number>', says: 'of AdamW (default: by the recipe)' },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym sft household --model models/nano --run runs/taught',
      says: 'writes a run folder; `npx cairn-gym train --policy token --model runs/taught` continues from its best weights',
    },
    {
      line: 'npx cairn-gym sft household --model models/nano --episodes 200 --epochs 5',
      says: 'a weaker start',
    },
    {
      line: 'npx cairn-gym sft shop --model models/qwen --with policy.adapter.rank=16',
      says: 'trains a LoRA adapter instead of all weights; `npx cairn-gym train --policy token --model` of the run continues with it',
    },
    { line: 'npx cairn-gym sft --resume runs/taught', says: 'resumes an interrupted run' },
  ],
  options,
  run: (chosen, session) => train(asTraining(chosen), session),
});

/**
 * A training that ends after the warm start. @throws UsageError for settings given together with a resumed
 * run
 */
function asTraining({ episodes, epochs, learningRate, ...others }: SftOptions): TrainOptions {
  if (others.resume !== undefined) {
    const [given] =
      Object.entries({ '--episodes': episodes, '--epochs': epochs, '--learning-rate': learningRate }).find(
        ([, value]) => value !== undefined,
      ) ?? [];
    if (given !== undefined)
      throw new UsageError({
        where: 'cairn-gym sft, --resume',
        what: `it cannot be combined with other settings, and ${given} is given.`,
        fix: 'Remove it, or start a new run.',
      });
    return { ...others, schema: false };
  }
  const settings = [
    ...(epochs === undefined ? [] : [`warmStart.epochs=${epochs}`]),
    ...(learningRate === undefined ? [] : [`warmStart.learningRate=${learningRate}`]),
  ];
  return {
    ...others,
    schema: false,
    policy: 'token',
    iterations: 0,
    warmStart: episodes ?? usualEpisodes,
    with: [...others.with, ...settings],
  };
}
