import { z } from 'zod';
import type { Json } from '../core/json.ts';
import { describeIssues } from '../core/issues.ts';
import type { AnyRow } from '../engines/tools/tables.ts';
import { damaged, keyMark, parseOrdered, parseToml, readText } from './data-folder.ts';
import type { DomainSide } from './domain.ts';
import { isDictionary } from './rows.ts';

type JsonObject = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const withoutMark = (key: string): string => (key.startsWith(keyMark) ? key.slice(1) : key);

/**
 * Reads the rows of a database file: each member of a table becomes a row, in the order of the file.
 *
 * @throws UsageError for a file that is missing or damaged, with the table and the key
 */
export async function readDatabase(
  file: string,
  { tables: schemas, asTables }: Pick<DomainSide, 'tables' | 'asTables'>,
): Promise<Readonly<Record<string, readonly AnyRow[]>>> {
  const text = await readText(file);
  const content = file.endsWith('.toml') ? await parseToml(file, text) : parseOrdered(file, text);
  if (!isObject(content)) throw damaged(file, 'it is no object of tables');
  const read = asTables === undefined ? content : asTables(content);
  const unknown = Object.keys(read).find((name) => !Object.hasOwn(schemas, name));
  if (unknown !== undefined)
    throw damaged(
      `${file}, ${unknown}`,
      `the domain has no such table, but ${Object.keys(schemas).join(', ')}`,
    );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const table = read[name];
      if (!isObject(table)) throw damaged(`${file}, ${name}`, 'the table is missing, or no object');
      const rows = Object.entries(table).map(([key, value], place) => {
        const row = schema.safeParse({ ...asModel(schema, value), id: withoutMark(key), place });
        if (row.success) return row.data as AnyRow;
        throw damaged(`${file}, ${name}, ${withoutMark(key)}`, describeIssues(row.error));
      });
      return [name, rows];
    }),
  );
}

function asModel(schema: z.ZodType, value: unknown): object {
  const read = ordered(schema, value);
  return isObject(read) ? read : {};
}

/** The value with dictionaries as lists of items, and without the marks of keys. */
function ordered(schema: z.ZodType | undefined, value: unknown): unknown {
  if (isObject(value)) {
    const items = Object.entries(value).map(([key, part]) => [withoutMark(key), part] as const);
    if (schema !== undefined && isDictionary(schema)) {
      const part = partOfDictionary(schema);
      return items.map(([key, one]) => [key, ordered(part, one)]);
    }
    return Object.fromEntries(items.map(([key, one]) => [key, ordered(partOf(schema, key), one)]));
  }
  if (!Array.isArray(value)) return value;
  const item = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
  return value.map((one) => ordered(item, one));
}

function partOf(schema: z.ZodType | undefined, key: string): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[key] as z.ZodType | undefined;
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : undefined;
}

function partOfDictionary(schema: z.ZodType): z.ZodType | undefined {
  const item = schema instanceof z.ZodArray ? schema.element : undefined;
  return item instanceof z.ZodTuple ? (item.def.items[1] as z.ZodType) : undefined;
}

/**
 * A row with an update of a task: objects are merged member by member, and everything else is replaced, as the original
 * does.
 */
export function merged(before: Json | undefined, update: Json): Json {
  if (!isJsonObject(update)) return update;
  if (isItems(before)) {
    const items = new Map(before);
    for (const [key, part] of Object.entries(update)) items.set(key, merged(items.get(key), part));
    return [...items].map(([key, part]) => [key, part]);
  }
  const result: Record<string, Json> = { ...(isJsonObject(before) ? before : {}) };
  for (const [key, part] of Object.entries(update)) result[key] = merged(result[key], part);
  return result;
}

const isJsonObject = (value: Json | undefined): value is { readonly [key: string]: Json } => isObject(value);
const isItems = (value: Json | undefined): value is readonly (readonly [string, Json])[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string');
