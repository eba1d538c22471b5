import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { trainConfigSchema, type TrainConfig } from './config.ts';
import { trainingKeys } from './training-keys.ts';

/**
 * Parses a training config from a recipe, a file or a script, and fills in defaults.
 *
 * @param of.definition definition of its env, if known: hints then include the env's keys
 * @param of.where name of the config in errors; `training config` by default
 * @param of.setBy the flags that set keys, by key path
 * @throws UsageError that names every wrong key and value, with suggestions
 */
export function parseTrainConfig(
  value: unknown,
  of: {
    readonly definition?: AnyEnvDefinition;
    readonly where?: string;
    readonly setBy?: ReadonlyMap<string, string>;
  } = {},
): TrainConfig {
  const { definition, where = 'training config', setBy } = of;
  const parsed = trainConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where,
    what: `${describeIssues(parsed.error, { value, keys: trainingKeys(definition === undefined ? {} : { envConfig: definition.config }), ...(setBy === undefined ? {} : { setBy }) })}.`,
    fix: 'Fix the keys named, or omit them for their defaults. `npx cairn-gym train --keys` explains each key.',
  });
}
