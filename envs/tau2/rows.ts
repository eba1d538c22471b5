import { z } from 'zod';

/**
 * The schema of a table: the fields of a model, the key of the row, and its place in the file. Python keeps the order of the
 * file, and its tools search in that order.
 */
export const rowOf = <Shape extends z.ZodRawShape>(model: z.ZodObject<Shape>) =>
  z.object({ id: z.string(), place: z.int().min(0), ...model.shape });

const dictionaries = z.registry();

/**
 * A dictionary of Python as a list of its items. An object of JavaScript would put keys such as `1176194968` first, and
 * Python keeps the order of the file.
 */
export function dictionaryOf<Value extends z.ZodType>(value: Value) {
  const schema = z.array(z.tuple([z.string(), value]));
  dictionaries.add(schema);
  return schema;
}

export const isDictionary = (schema: z.ZodType): boolean => dictionaries.has(schema);

/** The value of a key. */
export const itemOf = <Value>(items: readonly (readonly [string, Value])[], key: string): Value | undefined =>
  items.find(([one]) => one === key)?.[1];

/** A row that a tool may change before it puts it back. Rows of the world are frozen. */
export const draftOf = <Row>(row: object): Row => structuredClone(row) as Row; // the same JSON without `readonly`

/** The rows in the order of the file. */
export const inFileOrder = <Row extends { readonly place: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => a.place - b.place);

/** How often a value stands in a list. */
export const countOf = (values: readonly string[], value: string): number =>
  values.filter((one) => one === value).length;

/** Python sorts texts by code points. */
export const sortedTexts = (texts: readonly string[]): string[] =>
  texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** An entry of an object, and nothing that objects inherit. */
export const entryOf = <Value>(
  values: Readonly<Partial<Record<string, Value>>>,
  key: string,
): Value | undefined => (Object.hasOwn(values, key) ? values[key] : undefined);
