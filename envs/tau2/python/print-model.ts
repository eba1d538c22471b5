import { z } from 'zod';
import { isDictionary } from '../rows.ts';
import { floatText } from './numbers.ts';

/**
 * The text that `json.dumps(model.model_dump())` gives for a value of the schema. Fields have the order of the schema, and
 * fields that it does not have are left out. Text is ASCII, with a blank after comma and colon. A `z.number()` that is no
 * `z.int()` is written as a float.
 *
 * @throws TypeError for a value that does not match the schema
 */
export function printModel(schema: z.ZodType, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodExactOptional
  )
    return printModel(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodUnion) return printModel(optionFor(schema, value), value);
  if (isDictionary(schema)) return printDictionary(schema, value);
  if (Array.isArray(value)) return `[${value.map((item) => printModel(itemOf(schema), item)).join(', ')}]`;
  switch (typeof value) {
    case 'string':
      return printText(value);
    case 'boolean':
      return String(value);
    case 'number':
      return schema instanceof z.ZodNumber && !schema.isInt ? floatText(value) : String(value);
    case 'object':
      return printObject(schema, value as Readonly<Record<string, unknown>>);
    default:
      throw new TypeError(`a ${typeof value} is not JSON`);
  }
}

/** A string in JSON, with every character beyond ASCII escaped. */
export const printText = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007F-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function printObject(schema: z.ZodType, value: Readonly<Record<string, unknown>>): string {
  const parts =
    schema instanceof z.ZodObject
      ? Object.entries(schema.shape).map(([name, part]) => [name, part as z.ZodType] as const)
      : Object.keys(value).map((name) => [name, valueOf(schema)] as const);
  return `{${parts.map(([name, part]) => `${printText(name)}: ${printModel(part, value[name])}`).join(', ')}}`;
}

function printDictionary(schema: z.ZodType, value: unknown): string {
  const item = itemOf(schema);
  if (!(item instanceof z.ZodTuple)) throw new TypeError('a dictionary has no items');
  const part = item.def.items[1] as z.ZodType;
  const items = z.array(z.tuple([z.string(), z.unknown()])).parse(value);
  return `{${items.map(([name, one]) => `${printText(name)}: ${printModel(part, one)}`).join(', ')}}`;
}

function optionFor(schema: z.ZodUnion, value: unknown): z.ZodType {
  const option = schema.options.find((one) => (one as z.ZodType).safeParse(value).success);
  if (option === undefined) throw new TypeError('a value matches no option of its union');
  return option as z.ZodType;
}

function itemOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  throw new TypeError('there is a list where the schema has none');
}

function valueOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  throw new TypeError('there is an object where the schema has none');
}
