import { describeConfigKeys, type ConfigKey } from '../../envs/core/config-keys.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { trainConfigSchema } from './config.ts';

/** The keys of a training config, and where the env is known those of its config, below `envConfig`. */
export function trainingKeys(definition?: AnyEnvDefinition): readonly ConfigKey[] {
  return describeConfigKeys(trainConfigSchema).flatMap((key) => (key.name === 'envConfig' && definition !== undefined ? envKeys(definition, key) : [key]));
}

function envKeys(definition: AnyEnvDefinition, whole: ConfigKey): readonly ConfigKey[] {
  const below = (name: string): string => `envConfig.${name}`;
  const keys = describeConfigKeys(definition.config).map((key) => ({
    ...key,
    name: below(key.name),
    when: key.when.map(({ key: other, is }) => ({ key: below(other), is })),
  }));
  return keys.length === 0 ? [whole] : keys;
}
