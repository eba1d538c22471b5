import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import type { CreditEstimatorDefinition } from './define-credit-estimator.ts';
import { creditEstimators } from './estimators/list.ts';

/** A built-in estimator: its options are an object, whose keys stand beside `kind` in a config. */
export type BuiltInEstimator = CreditEstimatorDefinition<string, z.ZodObject>;

/** The config of an estimator: its id and its options. */
type ConfigOf<Estimator> =
  Estimator extends CreditEstimatorDefinition<infer Id, z.ZodObject<infer Shape>>
    ? z.ZodObject<{ kind: z.ZodLiteral<Id> } & Shape, z.core.$strict>
    : never;

/** Those of a list. */
type ConfigsOf<List extends readonly BuiltInEstimator[]> = {
  -readonly [At in keyof List]: ConfigOf<List[At]>;
};

const json: z.ZodType<Json> = z.json();

/** A user's own estimator. Its options are validated once the file is loaded. */
const moduleSchema = z.strictObject({
  kind: z.literal('module'),
  file: z
    .string()
    .min(1)
    .describe('the TypeScript or JavaScript file of an estimator of your own, which exports `estimator`'),
  options: z
    .record(z.string(), json)
    .default({})
    .describe('options of that estimator, as its own schema has them'),
});

/** The config schema of each estimator of a list, refinements of its options included. */
export function configSchemasOf<const List extends readonly BuiltInEstimator[]>(list: List): ConfigsOf<List> {
  const schemas = list.map(({ id, options }) =>
    options.clone({ ...options.def, shape: { kind: z.literal(id), ...options.shape } }),
  );
  return schemas as unknown as ConfigsOf<List>; // map has no type for tuples
}

const builtInSchemas = configSchemasOf(creditEstimators);
const builtInSchema = z.discriminatedUnion('kind', builtInSchemas);

/** Names a credit estimator and holds its options. */
export const creditConfigSchema = z.discriminatedUnion('kind', [...builtInSchemas, moduleSchema]);

/** A credit config as it is written. */
export type CreditConfig = z.input<typeof creditConfigSchema>;

/** A credit config with its defaults. */
export type ParsedCreditConfig = z.output<typeof creditConfigSchema>;

/** The config of a built-in estimator. */
export type BuiltInCreditConfig = z.input<typeof builtInSchema>;

/** Parses a credit config. @throws UsageError that names what is wrong with it */
export const parseCreditConfig = (config: unknown): ParsedCreditConfig =>
  parseWith(creditConfigSchema, config);

/** Parses the config of a built-in estimator. @throws UsageError that names what is wrong with it */
export const parseBuiltInConfig = (config: BuiltInCreditConfig): z.output<typeof builtInSchema> =>
  parseWith(builtInSchema, config);

function parseWith<Schema extends z.ZodType>(schema: Schema, config: unknown): z.output<Schema> {
  const parsed = schema.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    {
      where: 'credit configuration',
      what: `${describeIssues(parsed.error)}.`,
      mend: 'Fix what is named, or leave it out for its default.',
    },
    { cause: parsed.error },
  );
}
