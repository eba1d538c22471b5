import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import type { PluginDefinition, PluginKind } from '../../envs/core/plugin.ts';

/** Options of a user's own plug-in. */
export interface PluginOptions {
  /** As the config keeps them: with defaults filled in where that parses to the same value, else as given. */
  readonly options: Readonly<Record<string, Json>>;
  /** As `create` takes them. */
  readonly parsed: Readonly<Record<string, unknown>>;
}

const kept: z.ZodType<Readonly<Record<string, Json>>> = z.record(z.string(), z.json());

/** Validates the options that a config gives to a user's own plug-in. @throws UsageError that names the key */
export function parsePluginOptions(
  { noun, configKey }: PluginKind,
  { kind, options: schema }: PluginDefinition,
  given: PluginOptions['options'],
): PluginOptions {
  const parsed = schema.safeParse(given);
  if (!parsed.success)
    throw new UsageError(
      {
        where: `${noun} "${kind}", options`,
        what: `${describeIssues(parsed.error, { value: given, keys: describeConfigKeys(schema) })}.`,
        fix: `Fix what is named (--with ${configKey}.options.KEY=VALUE), or leave it out for its default.`,
      },
      { cause: parsed.error },
    );
  const whole = kept.safeParse(parsed.data);
  const again = whole.success ? schema.safeParse(whole.data) : undefined;
  const isSame = whole.success && again?.success === true && isDeepStrictEqual(again.data, parsed.data);
  return { options: isSame ? whole.data : given, parsed: parsed.data };
}
