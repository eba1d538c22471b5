import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { trainConfigSchema, type TrainConfig } from './config.ts';
import { trainingKeys } from './training-keys.ts';

/**
 * A training config from a recipe, a file or a script, with the defaults of what it leaves out.
 *
 * @param of.definition of its env where that is known: its keys are hinted at too
 * @param of.where what errors call it; `training config` unless given
 * @param of.setBy the flags that set keys of it, by the paths of the keys
 * @throws UsageError that names every wrong key and value, and what may have been meant
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
    fix: 'Fix what is named, or leave it out for its default. `cairn train --keys` says what each key means.',
  });
}
