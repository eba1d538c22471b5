import { z } from 'zod';
import { isBlob, type Cell } from './engine/result.ts';

const cell = z.union([z.string(), z.number(), z.null()]);
const rows = z.array(z.array(cell));
const column = z.strictObject({
  name: z.string(),
  type: z.enum(['text', 'number']),
  isKey: z.boolean(),
  /** `table.column`, where it is a foreign key. */
  refersTo: z.string().optional(),
  /** The meaning from a file, for a table that was looked at. */
  meaning: z.string().optional(),
});

/** The result of the last action. */
export const saidSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('schema'),
    tables: z.array(z.strictObject({ name: z.string(), columns: z.array(column) })),
    help: z.string(),
  }),
  z.strictObject({ kind: z.literal('table'), name: z.string(), columns: z.array(column), rows }),
  z.strictObject({
    kind: z.literal('rows'),
    columns: z.array(z.string()),
    rows,
    /** The number of rows that are not shown; undefined where it is unknown. */ more: z.int().optional(),
  }),
  z.strictObject({ kind: z.literal('error'), message: z.string() }),
  z.strictObject({ kind: z.literal('refused'), message: z.string() }),
  z.strictObject({ kind: z.literal('drafted') }),
  z.strictObject({ kind: z.literal('judged'), isRight: z.boolean(), message: z.string().optional() }),
]);
export type Said = z.output<typeof saidSchema>;

export const sqlObservationSchema = z.strictObject({
  said: saidSchema,
  /** The query under construction. */
  draft: z.string().optional(),
});
type ShownCell = z.output<typeof cell>;

/**
 * The value as it is shown. JSON has no integers beyond 2^53 and no infinite numbers, which are shown as
 * SQLite prints them, and no bytes.
 */
function shownCell(value: Cell): ShownCell {
  if (isBlob(value)) return value.blob;
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  return typeof value === 'bigint' ? String(value) : value;
}

export type SqlObservation = z.output<typeof sqlObservationSchema>;

/** The most characters that are shown: of all values of a result, of one of them, and of an error. */
const mostShown = { result: 20_000, cell: 1_000, message: 2_000 } as const;
/** The least number of shown characters of a value, however many columns there are. */
const fewestShown = 8;

const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}...`;
export const shownMessage = (message: string): string => cutTo(message, mostShown.message);

/**
 * The first rows of a result, as far as the limits allow.
 *
 * @param most the most rows
 */
export function shownTable(
  {
    columns,
    rows: all,
  }: { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] },
  most: number,
): { readonly columns: string[]; readonly rows: ShownCell[][] } {
  const cell = Math.max(
    fewestShown,
    Math.min(mostShown.cell, Math.floor(mostShown.result / Math.max(1, columns.length))),
  );
  const short = (value: ShownCell): ShownCell => (typeof value === 'string' ? cutTo(value, cell) : value);
  const shown: ShownCell[][] = [];
  let left = mostShown.result;
  for (const row of all.slice(0, most)) {
    if (left <= 0) break;
    const line = row.map((value) => short(shownCell(value)));
    left -= line.reduce<number>((sum, value) => sum + String(value).length, 0);
    shown.push(line);
  }
  return { columns: columns.map((name) => cutTo(name, cell)), rows: shown };
}

/** The observation in words. */
export function describeObservation({ said, draft }: SqlObservation): string {
  return draft === undefined ? describeSaid(said) : `${describeSaid(said)}\nQuery so far: ${draft}`;
}

function describeSaid(said: Said): string {
  switch (said.kind) {
    case 'schema':
      return `${['Tables:', ...said.tables.map((table) => describeTable(table))].join('\n')}\n${said.help}`;
    case 'table':
      return `${describeTable(said)}${describeMeanings(said.columns)}\nFirst rows:\n${describeRows(
        said.columns.map(({ name }) => name),
        said.rows,
      )}`;
    case 'rows': {
      const left =
        said.more === undefined ? '\n... and more' : said.more > 0 ? `\n... and ${said.more} more` : '';
      return said.rows.length === 0
        ? `No rows. Columns: ${said.columns.map(describeCell).join(', ')}`
        : describeRows(said.columns, said.rows) + left;
    }
    case 'error':
      return `Error: ${said.message}`;
    case 'refused':
      return `Refused: ${said.message}`;
    case 'drafted':
      return 'Noted.';
    case 'judged':
      return `${said.isRight ? 'Right.' : 'Wrong.'}${said.message === undefined ? '' : ` ${said.message}`}`;
    default:
      return said satisfies never;
  }
}

function describeTable({
  name,
  columns,
}: {
  readonly name: string;
  readonly columns: readonly z.output<typeof column>[];
}): string {
  const parts = columns.map(
    (part) =>
      `${part.name} ${part.type}${part.isKey ? ' key' : ''}${part.refersTo === undefined ? '' : ` -> ${part.refersTo}`}`,
  );
  return `${name}(${parts.join(', ')})`;
}

const describeMeanings = (columns: readonly z.output<typeof column>[]): string =>
  columns.flatMap(({ name, meaning }) => (meaning === undefined ? [] : `\n${name}: ${meaning}`)).join('');

const describeRows = (columns: readonly string[], lines: readonly (readonly ShownCell[])[]): string =>
  [columns, ...lines].map((line) => line.map(describeCell).join(' | ')).join('\n');
const describeCell = (value: ShownCell): string =>
  value === null ? 'NULL' : typeof value === 'string' ? value.replaceAll(/[\r\n]+/g, ' ') : String(value);
