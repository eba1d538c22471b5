import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { describeConfigKeys } from '../../../envs/core/config-keys.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import type { Json } from '../../../envs/core/json.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';

const storable: z.ZodType<Readonly<Record<string, Json>>> = z.record(z.string(), z.json());

/** Options of an estimator. */
export interface EstimatorOptions {
  /** As a config stores them: with defaults where parsing them again gives the same, else as they were written. */
  readonly stored: Readonly<Record<string, Json>>;
  /** As `create` takes them. */
  readonly parsed: unknown;
}

/** @throws UsageError on options that the schema of the definition refuses */
export function parseEstimatorOptions(
  { name, options: schema }: CreditEstimatorDefinition,
  given: Readonly<Record<string, Json>>,
): EstimatorOptions {
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const keys = describeConfigKeys(schema);
    throw new UsageError(
      {
        where: `credit estimator "${name}", options`,
        what: `${describeIssues(parsed.error, { value: given, keys })}.`,
        mend: 'Fix what is named (--with credit.options.KEY=VALUE), or leave it out for its default.',
      },
      { cause: parsed.error },
    );
  }
  const whole = storable.safeParse(parsed.data);
  const again = whole.success ? schema.safeParse(whole.data) : undefined;
  const isSame = whole.success && again?.success === true && isDeepStrictEqual(again.data, parsed.data);
  return { stored: isSame ? whole.data : given, parsed: parsed.data };
}
