import type { z } from 'zod';
import { describeConfigKeys, type ConfigKey } from '../../envs/core/config-keys.ts';
import { trainConfigSchema } from './config.ts';

/** The schemas below keys that belong to the env or to an estimator. */
export interface KnownBelow {
  readonly envConfig?: z.ZodType;
  readonly 'credit.options'?: z.ZodType;
}

/** The keys of a training config. A key with a known schema is replaced by the keys below it. */
export function trainingKeys(known: KnownBelow = {}): readonly ConfigKey[] {
  return describeConfigKeys(trainConfigSchema).flatMap((key) => {
    const schema = known[key.name as keyof KnownBelow];
    return schema === undefined ? [key] : keysBelow(schema, key);
  });
}

function keysBelow(schema: z.ZodType, whole: ConfigKey): readonly ConfigKey[] {
  const below = (name: string): string => `${whole.name}.${name}`;
  const keys = describeConfigKeys(schema).map((key) => ({
    ...key,
    name: below(key.name),
    when: [...whole.when, ...key.when.map(({ key: other, is }) => ({ key: below(other), is }))],
  }));
  return keys.length === 0 ? [whole] : keys;
}
