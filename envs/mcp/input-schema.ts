import { z } from 'zod';
import { isRecord } from '../core/result-shape.ts';

/**
 * The schema of arguments that a server listed, as far as calls are validated here: which arguments there are,
 * which are required, and their types and options. The server validates the rest. Patterns are left to it: a
 * hostile one would compute without end.
 */
export function inputOf(schema: unknown): z.ZodObject {
  const { properties, required, additionalProperties } = isRecord(schema) ? schema : {};
  const names = new Set(Array.isArray(required) ? required : []);
  const parts = Object.entries(isRecord(properties) ? properties : {}).filter(
    ([name]) => name !== '__proto__',
  );
  const shape = Object.fromEntries(
    parts.map(([name, part]) => [name, names.has(name) ? typeOf(part) : typeOf(part).optional()]),
  );
  return additionalProperties === false ? z.strictObject(shape) : z.looseObject(shape);
}

function typeOf(part: unknown): z.ZodType {
  if (!isRecord(part)) return z.json();
  const { type, enum: options, description } = part;
  const schema = Array.isArray(options) && options.length > 0 ? optionsOf(options) : plainType(type);
  return typeof description === 'string' ? schema.describe(description.slice(0, 1_000)) : schema;
}

function optionsOf(options: readonly unknown[]): z.ZodType {
  const texts = options.filter((option) => typeof option === 'string');
  return texts.length === options.length ? z.enum(texts) : z.json();
}

function plainType(type: unknown): z.ZodType {
  switch (type) {
    case 'string':
      return z.string();
    case 'number':
      return z.number();
    case 'integer':
      return z.int();
    case 'boolean':
      return z.boolean();
    case 'array':
      return z.array(z.json());
    case 'object':
      return z.record(z.string(), z.json());
    default:
      return z.json();
  }
}
