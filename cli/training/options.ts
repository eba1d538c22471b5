import { z } from 'zod';
import type { Flag } from '../command.ts';
import { envFlags, envOptions } from '../options/named-env.ts';
import { numberOrText } from '../options/option-values.ts';
import { creditEstimators } from '../../trainers/credit/estimators/list.ts';

/** The flags of `cairn train`. Those that are keys of the training config stand for their path in {@link configPaths}. */
export const trainFlags: readonly Flag[] = [
  { flags: '--run <folder>', says: 'where to write (default: a new folder in runs/)' },
  { flags: '--resume <folder>', says: 'go on with a run that was interrupted; its config is its own' },
  { flags: '--config <file>', says: 'a training config, or the config.json of a run; flags win' },
  { flags: '--seed <number>', says: 'of all chance (default: 0)' },
  { flags: '--backend <name>', says: 'auto, tensorflow, webgpu, wasm or cpu (default: auto)' },
  {
    flags: '--policy <kind>',
    says: 'choice, which picks among the admissible actions, or token, a language model that writes them (default: choice)',
  },
  {
    flags: '--model <folder>',
    says: 'the weights that the policy begins from: a run that trained one of its kind, or a checkpoint; a token policy needs one',
  },
  {
    flags: '--credit <name>',
    says: `${creditEstimators.map(({ kind }) => kind).join(', ')}, or the file of an estimator of your own, such as ./my-credit.ts (default: ${creditEstimators[0].kind})`,
  },
  { flags: '--anchor <kind>', says: 'by what GiGPO groups steps: information, observation or state' },
  {
    flags: '--iterations <number>',
    says: 'rounds of rollout, credit and update; 0 stops after the warm start',
  },
  { flags: '--groups <number>', says: 'tasks an iteration' },
  { flags: '--group-size <number>', says: 'episodes a task' },
  {
    flags: '--async <iterations>',
    says: 'let rollouts run so many iterations ahead of the updates; the numbers are then not the same again (default: 0)',
  },
  { flags: '--learning-rate <number>', says: 'of the updates' },
  {
    flags: '--warm-start <episodes>',
    says: 'demonstrations to clone first; 0 for none (default: 0 with --model, else by the recipe, else 32 where the environment has a searcher)',
  },
  { flags: '--panel <name>', says: 'the panel to train on (default: train)' },
  {
    flags: '--final-panel <name>',
    says: 'a held-out panel, played once at the end (repeatable; default: by the recipe, else the first there is)',
    repeatable: true,
  },
  { flags: '--concurrency <number>', says: 'episodes under way at once; it changes no result' },
  {
    flags: '--with <path=value>',
    says: 'any key of the config by its path, such as update.clipHigh=0.3; --keys lists them (repeatable)',
    repeatable: true,
  },
  ...envFlags,
  {
    flags: '--keys',
    says: 'list every key of the config with its meaning, type and default; with an environment also what it is set to',
  },
  {
    flags: '--dry-run',
    says: 'print the resolved config, the memory it takes and the time of an iteration; write nothing',
  },
];

/** What the flags of {@link configPaths} may be is said by the keys that they stand for, and by nothing else. */
export const trainOptions = z.strictObject({
  ...envOptions,
  env: z.string().optional(),
  run: z.string().min(1, 'a folder is wanted').optional(),
  resume: z.string().min(1, 'a folder is wanted').optional(),
  config: z.string().optional(),
  seed: numberOrText.optional(),
  backend: z.string().optional(),
  policy: z.string().optional(),
  model: z.string().optional(),
  credit: z.string().optional(),
  anchor: z.string().optional(),
  iterations: numberOrText.optional(),
  groups: numberOrText.optional(),
  groupSize: numberOrText.optional(),
  async: numberOrText.optional(),
  learningRate: numberOrText.optional(),
  warmStart: numberOrText.optional(),
  panel: z.string().optional(),
  finalPanel: z.array(z.string()).optional(),
  concurrency: numberOrText.optional(),
  with: z.array(z.string()).default([]),
  keys: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});
export type TrainOptions = z.output<typeof trainOptions>;

/** Where in the training config the value of an option goes. */
export const configPaths = {
  seed: 'seed',
  backend: 'backend',
  policy: 'policy.kind',
  model: 'policy.model',
  credit: 'credit.kind',
  anchor: 'credit.anchor',
  iterations: 'iterations',
  groups: 'groups',
  groupSize: 'groupSize',
  async: 'async',
  learningRate: 'update.learningRate',
  warmStart: 'warmStart.episodes',
  panel: 'panel',
  finalPanel: 'finalPanels',
  concurrency: 'concurrency',
} as const satisfies Partial<Record<keyof TrainOptions, string>>;
