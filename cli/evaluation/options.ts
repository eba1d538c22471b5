import { z } from 'zod';
import type { Flag } from '../command.ts';
import { envFlags, envOptions } from '../options/named-env.ts';
import { numberBetween, taskIndices, wholeNumber } from '../options/option-values.ts';
import { plainPace, textPace } from '../../lab/evaluate/pace.ts';
import { textFlags, textOptions } from './text-options.ts';

/** The flags of every command that plays a panel. */
export const evaluationFlags: readonly Flag[] = [
  ...envFlags,
  { flags: '--panel <name>', says: 'the panel to play' },
  { flags: '--tasks <number>', says: 'number of tasks, from the first (default: all)' },
  { flags: '--task <indices>', says: 'only these tasks, counted from 0, such as 17,42 or 60..64' },
  { flags: '--episodes <number>', says: 'episodes a task (default: 1)' },
  {
    flags: '--seed <number>',
    says: 'a number from which every random choice follows: the same seed gives the same episodes (default: 0)',
  },
  { flags: '--checkpoint <name>', says: 'of a run: last, best or a name (default: last)' },
  {
    flags: '--decoding <kind>',
    says: 'sampled or greedy (default: for a run, as it evaluates; for a language model in a folder, sampled)',
  },
  {
    flags: '--temperature <number>',
    says: 'for a sampled run (default: as the run samples), a sampled language model in a folder (default: 1) or behind a server (default: 0), or "default" to leave it to the server',
  },
  {
    flags: '--top-k <number>',
    says: 'language model of a run or in a folder: each token is drawn from this many of the most likely ones, and no other can come (default: all)',
  },
  {
    flags: '--top-p <share>',
    says: 'likewise: each token is drawn from the fewest most likely ones that together have this probability (default: 1, all)',
  },
  {
    flags: '--min-p <share>',
    says: 'likewise: each token is drawn from those with at least this share of the highest probability (default: 0, all)',
  },
  {
    flags: '--backend <name>',
    says: 'for a run or a language model in a folder: auto, tensorflow, webgpu, wasm or cpu (default: auto)',
  },
  {
    flags: '--agent-option <key=value>',
    says: 'for an agent of your own: one of its options, its value as JSON or else as text (repeatable)',
    repeatable: true,
  },
  ...textFlags,
  {
    flags: '--concurrency <number>',
    says: `concurrent episodes, up to the maximum of the environment; does not affect results (default: ${plainPace.concurrency}, with a language model ${textPace.concurrency})`,
  },
  {
    flags: '--episode-timeout <seconds>',
    says: `wall-clock limit of an episode; a longer one faults (default: ${plainPace.episodeSeconds}, with a language model ${textPace.episodeSeconds})`,
  },
  {
    flags: '--keep <folder>',
    says: 'store episodes there as they end; the same command continues after an interruption',
  },
  { flags: '--dry-run', says: 'open everything, print the plan, play nothing' },
  { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
];

/** The options that go with {@link evaluationFlags}. */
export const evaluationOptions = {
  ...envOptions,
  env: z.string().optional(),
  panel: z.string().optional(),
  tasks: wholeNumber(1).optional(),
  task: taskIndices.optional(),
  episodes: wholeNumber(1).default(1),
  seed: wholeNumber(0).default(0),
  checkpoint: z.string().optional(),
  decoding: z.enum(['sampled', 'greedy']).optional(),
  temperature: z
    .union([z.literal('default'), numberBetween(0, 1000)], 'must be a number from 0 to 1000, or default')
    .optional(),
  topK: wholeNumber(1).optional(),
  topP: numberBetween(0, 1)
    .refine((share) => share > 0, 'must be above 0')
    .optional(),
  minP: numberBetween(0, 1).optional(),
  backend: z.enum(['auto', 'tensorflow', 'webgpu', 'wasm', 'cpu']).optional(),
  agentOption: z
    .union(
      [z.array(z.string()), z.record(z.string(), z.json())],
      'must be an object of options, or a list of texts such as "model=small"',
    )
    .optional(),
  ...textOptions,
  concurrency: wholeNumber(1).optional(),
  episodeTimeout: numberBetween(0.001, 2_000_000).optional(),
  keep: z.string().min(1, 'must be a folder').optional(),
  dryRun: z.boolean().default(false),
};

const optionsSchema = z.object(evaluationOptions);
export type EvaluationOptions = z.output<typeof optionsSchema>;
