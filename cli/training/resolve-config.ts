import { z } from 'zod';
import { assertFilesUnchanged, envModulesOf } from '../../trainers/run/user-files.ts';
import { readRunDocument } from '../../trainers/run/run-document.ts';
import { valueAt } from '../../envs/core/config-keys.ts';
import { atPath, clashOf, isTree, merge, type Tree } from '../../envs/core/config-tree.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { nameOf } from '../../envs/core/result-shape.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import type { TrainConfig } from '../../trainers/config/config.ts';
import { parseTrainConfig } from '../../trainers/config/parse-train-config.ts';
import { recipeFor } from '../../trainers/recipes/recipe.ts';
import { readConfigFile } from '../options/config-file.ts';
import { readAssignments } from '../options/assignments.ts';
import { flagOf } from '../options/option-values.ts';
import { configKeys, type TrainOptions } from './options.ts';

/** A training config with its env. */
export interface ResolvedTraining {
  readonly definition: AnyEnvDefinition;
  readonly config: TrainConfig;
}

/**
 * Resolves a training config: flags override the file, the file overrides the env's recipe, and the recipe
 * overrides the schema's defaults. Nothing is opened.
 * @throws UsageError for wrong keys and values, including those of the env's config, and if a flag and
 * `--with` give one key two values
 */
export async function resolveTraining(
  options: TrainOptions,
  registry: Registry<readonly AnyEnvDefinition[]>,
): Promise<ResolvedTraining> {
  const { whole, tree: file } =
    options.config === undefined ? { whole: false, tree: {} } : await readTrainingFile(options.config);
  const flags = flagTree(options);
  const named = flags['env'] ?? file['env'];
  if (named !== undefined && typeof named !== 'string') {
    const where =
      flags['env'] === undefined ? `training config (${options.config ?? ''}), env` : 'training config, env';
    throw new UsageError({
      where,
      what: `it is ${nameOf(named)}, and must be the name of an environment.`,
      fix: 'Give its name, such as "household". `npx cairn-gym envs` lists all.',
    });
  }
  if (named === undefined) {
    throw new UsageError({
      where: 'cairn-gym train',
      what: 'no environment is named.',
      fix: 'Name one, such as `npx cairn-gym train household`. `npx cairn-gym envs` lists all.',
    });
  }
  const definition = registry.find(named);
  // The config of a run is complete; any other file changes the recipe. Defaults are filled in so that parts
  // of them can be changed too.
  const { envConfig, policy } = merge(file, flags);
  if (isTree(policy) && policy['kind'] === 'token' && typeof policy['model'] !== 'string') throw noModel();
  const recipe = recipeFor(definition, {
    ...(isTree(envConfig) ? { envConfig } : {}),
    ...(isTree(policy) ? { policy } : {}),
  });
  const base: Tree = whole ? {} : recipe;
  const own = whole ? flags : merge(file, flags);
  const merged = merge(merge(beginning(whole ? file : base, own), own), { env: definition.id });
  const where =
    options.config === undefined ? 'training config' : `training config (${options.config} and flags)`;
  const setBy = new Map(
    configKeys.flatMap(({ name, path }) => (options[name] === undefined ? [] : [[path, flagOf(name)]])),
  );
  const config = parseTrainConfig(merged, { where, definition, setBy });
  parseEnvConfig(definition, config.envConfig);
  return { definition, config };
}

/**
 * The user's own settings, from flags and file. If the file is the config of a run, they are complete; otherwise they change the recipe.
 */
export async function ownSettings(
  options: TrainOptions,
): Promise<{ readonly whole: boolean; readonly tree: Tree }> {
  const { whole, tree } =
    options.config === undefined ? { whole: false, tree: {} } : await readTrainingFile(options.config);
  const flags = flagTree(options);
  return { whole, tree: merge(whole ? beginning(tree, flags) : tree, flags) };
}

/**
 * The env modules of a training: those of the command line, or else those of the run that is resumed or of
 * the config file.
 * @throws UsageError if a file of the resumed run has changed: nothing of it is imported
 */
export async function findEnvModules(options: TrainOptions): Promise<readonly string[]> {
  const { resume, envModule, acceptChangedEnv: acceptsChangedEnv } = options;
  if (resume !== undefined) {
    const document = await readRunDocument(resume);
    await assertFilesUnchanged({ folder: resume, document, envModules: envModule, acceptsChangedEnv });
    return envModule.length > 0 ? envModule : envModulesOf(document).map(({ file }) => file);
  }
  const file = options.config === undefined ? {} : (await readTrainingFile(options.config)).tree;
  const { envModules = [] } = merge(file, flagTree(options));
  const modules = z.array(z.string().min(1)).safeParse(envModules);
  if (modules.success) return modules.data;
  throw new UsageError({
    where: 'training config, envModules',
    what: `it is ${nameOf(envModules)}, and must be a list of files.`,
    fix: 'Write it like ["./my-env.ts"].',
  });
}

/**
 * A recipe, or the config of a run, below the user's own settings. If these give a choice policy initial
 * weights, nothing is cloned over them.
 */
function beginning(under: Tree, own: Tree): Tree {
  const { policy } = merge(under, own);
  const begins =
    isTree(policy) &&
    policy['kind'] !== 'token' &&
    isTree(own['policy']) &&
    typeof own['policy']['model'] === 'string';
  return begins ? merge(under, { warmStart: { episodes: 0 } }) : under;
}

const runDocumentSchema = z.object({
  format: z.literal('cairn-run'),
  config: z.record(z.string(), z.unknown()),
});

/** A config, or the one in the `config.json` of a run. */
async function readTrainingFile(file: string): Promise<{ readonly whole: boolean; readonly tree: Tree }> {
  const content = await readConfigFile(file);
  const document = runDocumentSchema.safeParse(content);
  return document.success ? { whole: true, tree: document.data.config } : { whole: false, tree: content };
}

/** The settings of the command line. The order of two flags is unknown, so neither can win. */
function flagTree(options: TrainOptions): Tree {
  const others = readAssignments('--with', options.with);
  let tree = others;
  for (const { word, sets } of ownFlags(options)) {
    const clash = clashOf(sets, others);
    if (clash !== undefined) throw givenTwice(clash, { word, sets, others });
    tree = merge(tree, sets);
  }
  return tree;
}

/** Words of the command line that set exactly one part of the config. */
interface OwnFlag {
  readonly word: string;
  readonly sets: Tree;
}

function ownFlags(options: TrainOptions): readonly OwnFlag[] {
  const env =
    options.env === undefined ? [] : [{ word: `cairn-gym train ${options.env}`, sets: { env: options.env } }];
  const named = configKeys.flatMap(({ name, path }) => {
    const value = options[name];
    return value === undefined
      ? []
      : [
          {
            word: flagOf(name),
            sets:
              name === 'credit' && namesFile(value)
                ? { credit: { kind: 'module', file: value } }
                : atPath(path.split('.'), value),
          },
        ];
  });
  const modules =
    options.envModule.length === 0
      ? []
      : [{ word: '--env-module', sets: { envModules: [...options.envModule] } }];
  return [
    ...env,
    ...named,
    ...modules,
    { word: '--set', sets: { envConfig: readAssignments('--set', options.set) } },
  ];
}

/** A path, or the name of a loadable file: no built-in estimator has such a name. */
const namesFile = (value: unknown): boolean =>
  typeof value === 'string' && (/[/\\]/.test(value) || /\.[cm]?[jt]sx?$/.test(value));

function givenTwice(
  path: readonly string[],
  { word, sets, others }: OwnFlag & { readonly others: Tree },
): UsageError {
  return new UsageError({
    where: `training config, ${path.join('.')}`,
    what: `it is given twice: ${JSON.stringify(valueAt(sets, path))} by ${word}, ${JSON.stringify(valueAt(others, path))} by --with.`,
    fix: 'Remove one of the two.',
  });
}

function noModel(): UsageError {
  return new UsageError({
    where: 'training config, policy.model',
    what: 'a token policy needs an initial language model, and none is named.',
    fix: 'Name the folder of a checkpoint or of a run: --model FOLDER. `npx cairn-gym model init nano --tokenizer from-env household --out models/nano` creates a small one.',
  });
}
