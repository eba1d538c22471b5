import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { describeConfigKeys } from '../../../envs/core/config-keys.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import type { Json } from '../../../envs/core/json.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';

const kept: z.ZodType<Readonly<Record<string, Json>>> = z.record(z.string(), z.json());

/** Options of a user's own estimator. */
export interface OwnOptions {
  /** As a config keeps them: with their defaults where that gives the same again, else as they were written. */
  readonly options: Readonly<Record<string, Json>>;
  /** As `create` takes them. */
  readonly parsed: unknown;
}

/** @throws UsageError on options that the schema of the definition refuses */
export function parseOwnOptions(
  { name, options: schema }: CreditEstimatorDefinition,
  given: OwnOptions['options'],
): OwnOptions {
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const keys = describeConfigKeys(schema);
    throw new UsageError(
      {
        where: `credit estimator "${name}", options`,
        what: `${describeIssues(parsed.error, { value: given, keys })}.`,
        mend: 'Mend what is named (--with credit.options.KEY=VALUE), or leave it out for its default.',
      },
      { cause: parsed.error },
    );
  }
  const whole = kept.safeParse(parsed.data);
  const again = whole.success ? schema.safeParse(whole.data) : undefined;
  const isSame = whole.success && again?.success === true && isDeepStrictEqual(again.data, parsed.data);
  return { options: isSame ? whole.data : given, parsed: parsed.data };
}
