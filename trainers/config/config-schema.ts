import { z } from 'zod';
import { trainConfigSchema } from './config.ts';

/** A JSON Schema, as a document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of config files for `train --config` (draft 2020-12), from which editors complete and check them. Every key may be left
 * out, since a file is laid over the recipe of its environment. `$schema` is allowed.
 *
 * @param envConfig schema of the environment's config, if the environment is known
 */
export function trainConfigJsonSchema(envConfig?: z.ZodType): JsonSchema {
  const { properties, ...whole } = optional(describe(trainConfigSchema));
  return {
    ...whole,
    title: 'A training config of cairn-gym',
    properties: {
      $schema: { type: 'string', description: 'where this schema is' },
      ...(isObject(properties) ? properties : {}),
      ...(envConfig === undefined ? {} : { envConfig: withoutDraft(optional(describe(envConfig))) }),
    },
  };
}

const describe = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

const withoutDraft = ({ $schema: _draft, ...rest }: JsonSchema): JsonSchema => rest;

/** Requires no key, at any depth. Then several branches of a union may fit, so that one of them is enough. */
function optional(schema: JsonSchema): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    return isObject(value) ? optional(value) : value;
  };
  const entries = Object.entries(schema).filter(
    ([key, value]) => !(key === 'required' && Array.isArray(value)),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key === 'oneOf' ? 'anyOf' : key, visit(value)]));
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
