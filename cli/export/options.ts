import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Flag } from '../command.ts';
import { envFlags, envOptions } from '../options/named-env.ts';
import { flagOf, numberBetween, wholeNumber } from '../options/option-values.ts';
import { rowKinds, type RowKind } from '../../lab/export/row.ts';

export const exportOptions = z.strictObject({
  run: z.string().min(1, 'must be a folder'),
  what: z.enum(rowKinds).optional(),
  format: z.enum(['jsonl', 'csv', 'tensorboard']).default('jsonl'),
  store: z.string().optional(),
  panel: z.string().min(1, 'must be a name').optional(),
  iteration: wholeNumber(1).optional(),
  successful: z.boolean().optional(),
  minReturn: numberBetween(-Number.MAX_VALUE, Number.MAX_VALUE).optional(),
  limit: wholeNumber(1).optional(),
  prompt: z.string().min(1, 'must be a name or a file').optional(),
  tokenizer: z.string().min(1, 'must be a folder').optional(),
  credit: z.string().min(1, 'must be a file').optional(),
  envModule: envOptions.envModule,
  play: z.string().min(1, 'must name players').optional(),
  tasks: wholeNumber(1).optional(),
  episodes: wholeNumber(1).optional(),
  seed: wholeNumber(0).optional(),
  set: envOptions.set.unwrap().optional(),
  out: z.string().min(1, 'must be a file or folder').optional(),
});
type GivenOptions = z.output<typeof exportOptions>;

/** Options with their kind of rows. */
export type ExportOptions = GivenOptions & { readonly what: RowKind };

/** Without --what, a run exports its metrics, and --play conversations. */
export const withRows = (given: GivenOptions): ExportOptions => ({
  ...given,
  what: given.what ?? (given.play === undefined ? 'metrics' : 'chat'),
});

export const exportFlags: readonly Flag[] = [
  { flags: '--what <rows>', says: `${rowKinds.join(', ')} (default: metrics, with --play chat)` },
  { flags: '--format <format>', says: 'jsonl; of metrics also csv and tensorboard (default: jsonl)' },
  {
    flags: '--play <players>',
    says: 'play an environment now and export these episodes: scripted players with commas between them, such as expert,noisy:0.3,random; graded stands for expert, noisy:0.25, noisy:0.5, noisy:0.75 and random',
  },
  { flags: '--tasks <number>', says: 'with --play: number of tasks, from the first (default: all)' },
  { flags: '--episodes <number>', says: 'with --play: episodes a task (default: 1)' },
  {
    flags: '--seed <number>',
    says: 'with --play: a number from which every random choice follows (default: 0)',
  },
  { flags: '--store <name>', says: 'episodes: which trajectories (default: those of the iterations)' },
  {
    flags: '--panel <name>',
    says: 'episodes: only those of this panel; with --play the panel to play (default: train)',
  },
  { flags: '--iteration <number>', says: 'episodes: only those of this iteration of training' },
  { flags: '--successful', says: 'episodes: only solved ones' },
  {
    flags: '--min-return <number>',
    says: 'episodes: only those with at least this return, penalties included',
  },
  { flags: '--limit <episodes>', says: 'episodes: maximum number, from the first' },
  {
    flags: '--prompt <name>',
    says: 'chat, token-rows: a prompt by name, or a file of your own (default: that of the run’s language model, or the usual one of the environment)',
  },
  {
    flags: '--tokenizer <folder>',
    says: 'token-rows: a checkpoint whose tokenizer and template convert episodes of other policies to tokens; chat: decodes what a token policy wrote (default: that of the run’s language model)',
  },
  {
    flags: '--credit <file>',
    says: "token-rows: the unchanged file of the run's own estimator, if it was moved",
  },
  ...envFlags.filter(({ flags }) => flags.startsWith('--env-module')),
  {
    flags: '--set <key=value>',
    says: "with --play: one key of the environment's config, its value as JSON or else as text (repeatable)",
    repeatable: true,
  },
  { flags: '--out <path>', says: 'a new file in place of stdout; for tensorboard a folder' },
  { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
];

/** Options of the episodes that --play plays. */
const played = ['tasks', 'episodes', 'seed', 'set'] as const;
/** Options that only episodes of a run have. */
const ofRuns = ['store', 'iteration', 'credit'] as const;
const filters = ['store', 'panel', 'iteration', 'successful', 'minReturn', 'limit'] as const;
const words = ['prompt', 'tokenizer', 'envModule'] as const;

/** The options that only some kinds of rows use; others would ignore them. */
const read: Readonly<Record<RowKind, readonly string[]>> = {
  metrics: [],
  timings: [],
  results: [],
  episodes: filters,
  steps: filters,
  chat: [...filters, ...words],
  'token-rows': [...filters, ...words, 'credit'],
};

/** @throws UsageError for options that do not apply to what is exported, and for impossible combinations */
export function refuseForeign(chosen: ExportOptions, json: boolean): void {
  const { what, format, out } = chosen;
  for (const name of chosen.play === undefined ? played : ofRuns)
    if (chosen[name] !== undefined)
      throw new UsageError({
        where: `cairn-gym export, ${flagOf(name)}`,
        what:
          chosen.play === undefined
            ? 'it has no effect on episodes that are stored already.'
            : 'episodes that are played now belong to no run.',
        fix: chosen.play === undefined ? 'Remove it, or add --play PLAYERS.' : 'Remove it, or remove --play.',
      });
  if (chosen.play !== undefined && !['episodes', 'steps', 'chat'].includes(what))
    throw new UsageError({
      where: `cairn-gym export, --play, --what ${what}`,
      what: 'only a run has these rows.',
      fix: 'Use --what chat, steps or episodes.',
    });
  for (const name of [...filters, ...words, 'credit'] as const) {
    const value = chosen[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0) || read[what].includes(name))
      continue;
    if (name === 'store')
      throw new UsageError({
        where: 'cairn-gym export, --store',
        what: `${what} are not stored as trajectories.`,
        fix: 'Remove it, or choose other rows with --what.',
      });
    const kinds = rowKinds.filter((kind) => read[kind].includes(name));
    throw new UsageError({
      where: `cairn-gym export, ${flagOf(name)}`,
      what: `it has no effect on ${what}.`,
      fix: `Remove it, or add --what ${[kinds.slice(0, -1).join(', '), kinds.at(-1)].filter((part) => part !== '').join(' or ')}.`,
    });
  }
  if (format !== 'jsonl' && what !== 'metrics') {
    throw new UsageError({
      where: `cairn-gym export, --format ${format}`,
      what: `${what} cannot be exported in that format.`,
      fix: 'Use --format jsonl, or --what metrics.',
    });
  }
  if (format === 'jsonl' && out?.endsWith('.csv') === true) {
    throw new UsageError({
      where: `cairn-gym export, --out ${out}`,
      what: 'the name is that of a CSV file, and the format is JSON lines.',
      fix: 'Name it .jsonl, or add --format csv, which metrics support.',
    });
  }
  if (format === 'csv' && out === undefined && json) {
    throw new UsageError({
      where: 'cairn-gym export, --format csv',
      what: 'with --json stdout has one JSON document, which cannot contain CSV.',
      fix: 'Name a file with --out, or remove --json or --format.',
    });
  }
}
