import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import type { PluginDefinition, PluginKind } from '../../envs/core/plugin.ts';

/** Options of a user's plug-in. */
export interface PluginOptions {
  /** As the config stores them: with defaults if those parse to the same value, otherwise as given. */
  readonly options: Readonly<Record<string, Json>>;
  /** As `create` receives them. */
  readonly parsed: Readonly<Record<string, unknown>>;
}

const kept: z.ZodType<Readonly<Record<string, Json>>> = z.record(z.string(), z.json());

/** Validates a config's options of a user's plug-in. @throws UsageError that names the key */
export function parsePluginOptions(
  { noun, configKey, optionFlag = `--with ${configKey}.options.KEY=VALUE` }: PluginKind,
  { kind, options: schema }: PluginDefinition,
  given: PluginOptions['options'],
): PluginOptions {
  const parsed = schema.safeParse(given);
  if (!parsed.success)
    throw new UsageError(
      {
        where: `${noun} "${kind}", options`,
        what: `${describeIssues(parsed.error, { value: given, keys: describeConfigKeys(schema) })}.`,
        fix: `Fix the keys named (${optionFlag}), or omit them for their defaults.`,
      },
      { cause: parsed.error },
    );
  const whole = kept.safeParse(parsed.data);
  const again = whole.success ? schema.safeParse(whole.data) : undefined;
  const isSame = whole.success && again?.success === true && isDeepStrictEqual(again.data, parsed.data);
  return { options: isSame ? whole.data : given, parsed: parsed.data };
}
