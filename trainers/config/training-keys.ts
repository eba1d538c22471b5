import type { z } from 'zod';
import { describeConfigKeys, type ConfigKey } from '../../envs/core/config-keys.ts';
import { trainConfigSchema } from './config.ts';

/** What stands below keys of a training config that are the env's own, or an estimator's. */
export interface KnownBelow {
  readonly envConfig?: z.ZodType;
  readonly 'credit.options'?: z.ZodType;
}

/** The keys of a training config, and in the place of one whose schema is known those below it. */
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
