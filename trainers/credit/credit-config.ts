import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { configSchemasOf, moduleShape } from '../../envs/core/plugin.ts';
import { creditKind } from './credit-kind.ts';
import { creditEstimators } from './estimators/list.ts';

const builtInSchemas = configSchemasOf(creditEstimators);
const builtInSchema = z.discriminatedUnion('kind', builtInSchemas);

/** Names a credit estimator and its options. Options of a module are validated once its file is loaded. */
export const creditConfigSchema = z.discriminatedUnion('kind', [
  ...builtInSchemas,
  z.strictObject(moduleShape(creditKind.noun)),
]);

/** A credit config as written. */
export type CreditConfig = z.input<typeof creditConfigSchema>;

/** A credit config with its defaults. */
export type ParsedCreditConfig = z.output<typeof creditConfigSchema>;

/** The config of a built-in estimator. */
export type BuiltInCreditConfig = z.input<typeof builtInSchema>;

/** Parses a credit config. @throws UsageError that names the invalid keys */
export const parseCreditConfig = (config: unknown): ParsedCreditConfig =>
  parseWith(creditConfigSchema, config);

/** Parses the config of a built-in estimator. @throws UsageError that names the invalid keys */
export const parseBuiltInConfig = (config: BuiltInCreditConfig): z.output<typeof builtInSchema> =>
  parseWith(builtInSchema, config);

function parseWith<Schema extends z.ZodType>(schema: Schema, config: unknown): z.output<Schema> {
  const parsed = schema.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    {
      where: 'credit configuration',
      what: `${describeIssues(parsed.error)}.`,
      fix: 'Fix the keys named, or omit them for their defaults.',
    },
    { cause: parsed.error },
  );
}
