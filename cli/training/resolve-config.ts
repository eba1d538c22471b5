import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import { trainConfigSchema, type TrainConfig } from '../../trainers/loop/config.ts';
import { recipeFor } from '../../trainers/recipes/recipes.ts';
import { readConfigFile } from '../config-file.ts';
import { atPath, merge, readAssignments, type Tree } from '../config-tree.ts';
import { configPaths, type TrainOptions } from './options.ts';
import { trainingKeys } from './training-keys.ts';

/** A training config with the env that it names. */
export interface ResolvedTraining {
  readonly definition: AnyEnvDefinition;
  readonly config: TrainConfig;
}

/**
 * Flag before file, file before the env's recipe, recipe before the defaults of the schema. Nothing is opened.
 * @throws UsageError on keys and values that are wrong, those of the env's config too
 */
export async function resolveTraining(options: TrainOptions, registry: Registry<readonly AnyEnvDefinition[]>): Promise<ResolvedTraining> {
  const { whole, tree: file } = options.config === undefined ? { whole: false, tree: {} } : await readTrainingFile(options.config);
  const named = options.env ?? (typeof file['env'] === 'string' ? file['env'] : undefined);
  if (named === undefined) {
    throw new UsageError({ where: 'cairn train', what: 'no environment is named.', mend: 'Name one, such as `cairn train household`. `cairn envs` lists all.' });
  }
  const definition = registry.find(named);
  // The config of a run is whole; any other file changes the recipe. With its defaults filled in, a part of them can be changed too.
  const base: Tree = whole ? {} : parseTraining(recipeFor(definition.id), `recipe of ${definition.id}`, definition);
  const merged = merge(merge(merge(base, file), flagTree(options)), { env: definition.id, envConfig: readAssignments('--set', options.set) });
  const where = options.config === undefined ? 'training config' : `training config (${options.config} and flags)`;
  const config = parseTraining(merged, where, definition);
  parseEnvConfig(definition, config.envConfig);
  return { definition, config };
}

/**
 * A training config, as a run was started with.
 * @param definition of its env where that is known: its keys are hinted at too
 */
export function parseTraining(value: unknown, where: string, definition?: AnyEnvDefinition): TrainConfig {
  const parsed = trainConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where,
    what: `${describeIssues(parsed.error, { value, keys: trainingKeys(definition) })}.`,
    mend: 'Mend what is named, or leave it out for its default. `cairn train --keys` says what each key means.',
  });
}

const runDocumentSchema = z.object({ format: z.literal('cairn-run'), config: z.record(z.string(), z.unknown()) });

/** A config as such, or within the `config.json` of a run. */
async function readTrainingFile(file: string): Promise<{ readonly whole: boolean; readonly tree: Tree }> {
  const content = await readConfigFile(file);
  const document = runDocumentSchema.safeParse(content);
  return document.success ? { whole: true, tree: document.data.config } : { whole: false, tree: content };
}

function flagTree(options: TrainOptions): Tree {
  let tree: Tree = {};
  for (const [option, path] of Object.entries(configPaths)) {
    const value = options[option as keyof typeof configPaths];
    if (value !== undefined) tree = merge(tree, atPath(path.split('.'), value));
  }
  return merge(tree, readAssignments('--with', options.with));
}
