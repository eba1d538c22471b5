import { z } from 'zod';
import type { Flag } from '../command.ts';
import { envFlags, envOptions } from '../options/named-env.ts';
import { creditEstimators } from '../../trainers/credit/estimators/list.ts';
import { flagOf, numberOrText, wholeNumber } from '../options/option-values.ts';

/** An option on the command line. */
interface FlagOfOption {
  /** The kind of its value, such as `number`; undefined if the flag takes none. */
  readonly takes?: string;
  readonly says: string;
  readonly repeatable?: true;
  /** The key of the training config that it sets. That key's schema validates the value. */
  readonly sets?: string;
}

const flagsOfOptions = z.registry<FlagOfOption>();

function option<Schema extends z.ZodType>(schema: Schema, flag: FlagOfOption): Schema {
  flagsOfOptions.add(schema, flag);
  return schema;
}

const text = (flag: FlagOfOption) => option(z.string().optional(), flag);
const number = (flag: FlagOfOption) => option(numberOrText.optional(), { takes: 'number', ...flag });
const folder = (says: string) =>
  option(z.string().min(1, 'must be a folder').optional(), { takes: 'folder', says });
const isGiven = (says: string) => option(z.boolean().default(false), { says });

/** The options of `cairn-gym train`, each with its flag and with the key of the training config that it sets. */
export const trainOptions = z.strictObject({
  env: z.string().optional(),
  run: folder('where to write (default: a new folder in runs/)'),
  resume: folder('continue an interrupted run with its own config'),
  config: text({ takes: 'file', says: 'a training config, or the config.json of a run; flags override it' }),
  seed: number({
    sets: 'seed',
    says: 'a number from which every random choice follows: the same seed gives the same run (default: 0)',
  }),
  seeds: text({
    takes: 'list',
    says: 'train once with each of these seeds, such as 0..4 or 0,3,7, each in a process of its own; then compare',
  }),
  sweep: option(z.array(z.string()).optional(), {
    takes: 'path=a,b',
    repeatable: true,
    says: 'train once with each value of a key of the config, such as update.learningRate=0.001,0.003; then compare (repeatable: all combinations)',
  }),
  jobs: option(wholeNumber(1, 256).optional(), {
    takes: 'count',
    says: 'trainings at once, with --seeds or --sweep (default: 1)',
  }),
  backend: text({
    takes: 'name',
    sets: 'backend',
    says: 'auto, tensorflow, webgpu, wasm or cpu (default: auto)',
  }),
  policy: text({
    takes: 'kind',
    sets: 'policy.kind',
    says: 'choice, which chooses among the admissible actions, or token, a language model that writes them (default: choice)',
  }),
  model: text({
    takes: 'folder',
    sets: 'policy.model',
    says: 'initial weights of the policy: a run that trained one of its kind, or a checkpoint; required for a token policy',
  }),
  credit: text({
    takes: 'name',
    sets: 'credit.kind',
    says: `${creditEstimators.map(({ kind }) => kind).join(', ')}, or the file of an estimator of your own, such as ./my-credit.ts (default: ${creditEstimators[0].kind})`,
  }),
  anchor: text({
    takes: 'kind',
    sets: 'credit.anchor',
    says: 'which steps of a group GiGPO compares, its anchors: those where the player knows the same (information), sees the same (observation), or the world is the same (state)',
  }),
  iterations: number({
    sets: 'iterations',
    says: 'rounds of rollout, credit and update; 0 stops after the warm start',
  }),
  groups: number({ sets: 'groups', says: 'tasks in an iteration' }),
  groupSize: number({ sets: 'groupSize', says: 'episodes for each task' }),
  async: number({
    takes: 'iterations',
    sets: 'async',
    says: 'number of iterations that rollouts may run ahead of the updates; the run is then not reproducible (default: 0)',
  }),
  learningRate: number({ sets: 'update.learningRate', says: 'peak learning rate of the updates' }),
  warmStart: number({
    takes: 'episodes',
    sets: 'warmStart.episodes',
    says: 'demonstrations to clone first; 0 for none (default: 0 with --model, else from the recipe, else 32 if the environment has a searcher)',
  }),
  panel: text({ takes: 'name', sets: 'panel', says: 'the panel to train on (default: train)' }),
  finalPanel: option(z.array(z.string()).optional(), {
    takes: 'name',
    repeatable: true,
    sets: 'finalPanels',
    says: 'a held-out panel, played once at the end (repeatable; default: by the recipe, else the first)',
  }),
  concurrency: number({
    sets: 'concurrency',
    says: 'concurrent episodes; does not affect results',
  }),
  with: option(z.array(z.string()).default([]), {
    takes: 'path=value',
    repeatable: true,
    says: 'any key of the config by its path, such as update.clipHigh=0.3; --keys lists them (repeatable)',
  }),
  ...envOptions,
  tensorboard: isGiven(
    'write event files of TensorBoard into the run folder while it trains: `tensorboard --logdir runs` shows them',
  ),
  acceptChangedEnv: isGiven(
    'with --resume: continue although an environment module has changed, such as after a fix; the run records both contents',
  ),
  keys: isGiven(
    'list every key of the config with its meaning, type and default; with an environment also its value',
  ),
  schema: isGiven(
    'print the JSON Schema of config files, by which editors complete and check them; with an environment also of its keys',
  ),
  dryRun: isGiven('validate everything and print the resolved config and its panels at once; write nothing'),
  forecast: isGiven(
    'like --dry-run, and measure one iteration: its time, the required memory and the time of the whole run',
  ),
});
export type TrainOptions = z.output<typeof trainOptions>;

const names = trainOptions.keyof().options;

/** The flags of `cairn-gym train`, in the order of its options. */
export const trainFlags: readonly Flag[] = names.flatMap((name) => {
  const flag = flagsOfOptions.get(trainOptions.shape[name]);
  if (flag === undefined) return envFlags.filter(({ flags }) => flags.startsWith(`${flagOf(name)} `));
  const { takes, says, repeatable } = flag;
  const flags = takes === undefined ? flagOf(name) : `${flagOf(name)} <${takes}>`;
  return [{ flags, says, ...(repeatable === undefined ? {} : { repeatable }) }];
});

/** The options that set a key of the training config, each with the path of that key. */
export const configKeys: readonly { readonly name: keyof TrainOptions; readonly path: string }[] =
  names.flatMap((name) => {
    const path = flagsOfOptions.get(trainOptions.shape[name])?.sets;
    return path === undefined ? [] : [{ name, path }];
  });
