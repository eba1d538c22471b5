import type { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { shortDigest } from '../../kit/short-digest.ts';
import type { Frozen } from '../../kit/snapshot.ts';

/** The schemas of a world's tables, by name. Each row is a JSON object whose `id` is its key. */
export type TableSchemas = Readonly<Record<string, z.ZodType<{ readonly id: string }>>>;

/** A row of a table, deeply frozen. */
export type RowOf<Schemas extends TableSchemas, Name extends keyof Schemas> = Frozen<z.output<Schemas[Name]>>;

/** The rows of each table. Tasks that share an array share its validation and its indices. */
export type TableRows<Schemas extends TableSchemas> = {
  readonly [Name in keyof Schemas]: readonly z.output<Schemas[Name]>[];
};

/** A row whose columns are not known to the types. */
export type AnyRow = { readonly id: string; readonly [column: string]: Json };

/** A table at the start of a task: rows by key, with an index per column that is built when it is first asked for. */
export class StartTable {
  readonly rows: ReadonlyMap<string, AnyRow>;
  #digest: string | undefined;
  readonly #indices = new Map<string, ReadonlyMap<Json, readonly string[]>>();

  constructor(rows: readonly AnyRow[]) {
    this.rows = new Map(rows.map((row) => [row.id, row]));
  }

  /** A digest of all rows, for fingerprints of tasks. */
  get digest(): string {
    return (this.#digest ??= shortDigest(canonicalJson([...this.rows.values()])));
  }

  /** The keys of the rows with that value in the column, in the order of the rows. */
  keysWhere(column: string, value: Json): readonly string[] {
    let index = this.#indices.get(column);
    if (index === undefined) {
      index = this.#build(column);
      this.#indices.set(column, index);
    }
    return index.get(value) ?? [];
  }

  #build(column: string): ReadonlyMap<Json, readonly string[]> {
    const index = new Map<Json, string[]>();
    for (const row of this.rows.values()) {
      const value = row[column];
      if (value === undefined) continue;
      const keys = index.get(value);
      if (keys === undefined) index.set(value, [row.id]);
      else keys.push(row.id);
    }
    return index;
  }
}

/** The start tables of arrays that were read before. */
const known = new WeakMap<object, StartTable>();

/**
 * The start table of an array. Its rows are validated and frozen once, however many tasks share the array.
 *
 * @throws UsageError for a row that does not match the schema, and for two rows with one id
 */
export function startTable(
  place: string,
  name: string,
  schema: z.ZodType<{ readonly id: string }>,
  rows: readonly unknown[],
): StartTable {
  const before = known.get(rows);
  if (before !== undefined) return before;
  const table = new StartTable(
    rows.map((row, index) => {
      const parsed = parseRow(schema, row);
      if (typeof parsed !== 'string') return freezeDeep(parsed);
      throw new UsageError({
        where: `${place}, row ${index} of ${name}`,
        what: `${parsed}.`,
        fix: 'Fix the row, or the schema of the table.',
      });
    }),
  );
  if (table.rows.size !== rows.length)
    throw new UsageError({
      where: `${place}, table ${name}`,
      what: 'two rows have the same id.',
      fix: 'Give each row of a table its own id.',
    });
  known.set(rows, table);
  return table;
}

/** The row, or what is wrong with it. */
export function parseRow(schema: z.ZodType<{ readonly id: string }>, row: unknown): AnyRow | string {
  const parsed = schema.safeParse(row);
  return parsed.success
    ? (parsed.data as AnyRow) // tables hold JSON: `defineToolEnv` asks for such schemas
    : `the row does not match its table: ${describeIssues(parsed.error)}`;
}

export function freezeDeep<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) freezeDeep(part);
    Object.freeze(value);
  }
  return value;
}
