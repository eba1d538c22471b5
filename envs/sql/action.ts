import { z } from 'zod';
import { readCall } from '../core/read-reply.ts';
import type { Reply } from '../core/textual.ts';
import {
  comparisons,
  measures,
  tests,
  type ComparisonOperator,
  type Measure,
  type Test,
} from './draft/draft.ts';

const name = z.string().min(1).max(300);
const ofColumn = { column: name.describe('its label'), table: name.describe('its label') };
const comparison = z.enum(Object.keys(comparisons) as [ComparisonOperator, ...ComparisonOperator[]]);

/** Steps that build a query part by part. */
const stepSchemas = [
  z.strictObject({ kind: z.literal('from'), table: name }).describe('begins a query on a table'),
  z.strictObject({
    kind: z.literal('join'),
    table: name,
    by: name.describe('label of the column that has the foreign key'),
  }),
  z.strictObject({ kind: z.literal('show'), ...ofColumn, measure: z.enum(measures).optional() }),
  z.strictObject({ kind: z.literal('show-count') }),
  z.strictObject({
    kind: z.literal('where'),
    ...ofColumn,
    is: comparison,
    value: z.union([z.string().max(10_000), z.number()]),
  }),
  z.strictObject({ kind: z.literal('where-test'), ...ofColumn, is: z.enum(tests) }),
  z
    .strictObject({ kind: z.literal('without'), table: name, by: name })
    .describe('only rows that no row of that table refers to'),
  z
    .strictObject({ kind: z.literal('combine'), how: z.enum(['except', 'also']) })
    .describe('begins the conditions of a second query, whose rows are left out or must be there too'),
  z.strictObject({ kind: z.literal('group'), ...ofColumn }),
  z.strictObject({ kind: z.literal('having'), is: comparison, count: z.int().min(0).max(1_000_000_000) }),
  z.strictObject({ kind: z.literal('order'), ...ofColumn, descending: z.boolean() }),
  z.strictObject({ kind: z.literal('order-count'), descending: z.boolean() }),
  z.strictObject({ kind: z.literal('limit'), rows: z.int().min(1).max(1_000_000_000) }),
] as const;

/** The actions of an agent, as typed tool calls. */
export const sqlActionSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('look'), table: name })
    .describe('shows columns, keys and first rows of a table'),
  z
    .strictObject({ kind: z.literal('query'), sql: z.string() })
    .describe('runs a query and shows its rows, or the error'),
  z.strictObject({ kind: z.literal('answer'), sql: z.string() }).describe('ends the episode with this query'),
  ...stepSchemas,
  z.strictObject({ kind: z.literal('clear') }).describe('puts the query that is being built away'),
  z.strictObject({ kind: z.literal('run') }).describe('runs the query that is being built'),
  z
    .strictObject({ kind: z.literal('finish') })
    .describe('ends the episode with the query that is being built'),
]);

export type SqlAction = Readonly<z.output<typeof sqlActionSchema>>;
const stepSchema = z.discriminatedUnion('kind', stepSchemas);
/** A part of a query. */
export type SqlStep = Readonly<z.output<typeof stepSchema>>;

/** An action in words. */
export function describeAction(action: SqlAction): string {
  switch (action.kind) {
    case 'query':
    case 'answer':
      return `${action.kind} ${action.sql}`;
    case 'look':
    case 'from':
      return `${action.kind} ${action.table}`;
    case 'join':
    case 'without':
      return `${action.kind} ${action.table} by ${action.by}`;
    case 'show':
      return `show ${action.measure === undefined ? '' : `${action.measure} `}${placed(action)}`;
    case 'show-count':
      return 'count';
    case 'where':
      return `where ${placed(action)} ${action.is} ${JSON.stringify(action.value)}`;
    case 'where-test':
      return `where ${placed(action)} is ${action.is}`;
    case 'combine':
      return action.how;
    case 'group':
      return `group by ${placed(action)}`;
    case 'having':
      return `having count ${action.is} ${action.count}`;
    case 'order':
      return `order by ${placed(action)} ${action.descending ? 'descending' : 'ascending'}`;
    case 'order-count':
      return `order by count ${action.descending ? 'descending' : 'ascending'}`;
    case 'limit':
      return `limit ${action.rows}`;
    case 'clear':
    case 'run':
    case 'finish':
      return action.kind;
    default:
      return action satisfies never;
  }
}

const placed = ({ column, table }: { readonly column: string; readonly table: string }): string =>
  `${column} of ${table}`;

const help = {
  text: 'Say one of: look TABLE; query SELECT ...; answer SELECT ...',
  steps:
    'Or build the query: from TABLE; join TABLE by COLUMN; show COLUMN of TABLE; count; where COLUMN of TABLE is "value"; group by, order by, limit; run; finish; clear.',
};

/** How to write actions, in a line or two. */
export const actionHelp = (mode: 'steps' | 'text'): string =>
  mode === 'text' ? help.text : `${help.text}\n${help.steps}`;

const readers: readonly (readonly [RegExp, (match: readonly string[]) => SqlAction])[] = [
  [/^look (.+)$/i, ([, table = '']) => ({ kind: 'look', table })],
  [/^from (.+)$/i, ([, table = '']) => ({ kind: 'from', table })],
  [
    /^(join|without) (.+) by (.+)$/i,
    ([, kind = '', table = '', by = '']) => ({
      kind: kind.toLowerCase() === 'join' ? 'join' : 'without',
      table,
      by,
    }),
  ],
  [/^count$/i, () => ({ kind: 'show-count' })],
  [
    new RegExp(`^show (?:(${measures.join('|')}) )?(.+) of (.+)$`, 'i'),
    ([, measure, column = '', table = '']) => ({
      kind: 'show',
      column,
      table,
      ...(measure === undefined ? {} : { measure: measure.toLowerCase() as Measure }),
    }),
  ],
  [
    new RegExp(`^where (.+) of (.+?) is (${tests.join('|')})$`, 'i'),
    ([, column = '', table = '', is = '']) => ({
      kind: 'where-test',
      column,
      table,
      is: is.toLowerCase() as Test,
    }),
  ],
  [
    new RegExp(
      `^where (.+) of (.+?) (is not|is|above|below|at least|at most) ("(?:[^"\\\\]|\\\\.)*"|-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
      'i',
    ),
    ([, column = '', table = '', is = '', value = '']) => ({
      kind: 'where',
      column,
      table,
      is: is.toLowerCase() as ComparisonOperator,
      value: valueOf(value),
    }),
  ],
  [
    /^(except|also)$/i,
    ([, how = '']) => ({ kind: 'combine', how: how.toLowerCase() === 'except' ? 'except' : 'also' }),
  ],
  [/^group by (.+) of (.+)$/i, ([, column = '', table = '']) => ({ kind: 'group', column, table })],
  [
    /^having count (is not|is|above|below|at least|at most) (\d{1,9})$/i,
    ([, is = '', count = '']) => ({
      kind: 'having',
      is: is.toLowerCase() as ComparisonOperator,
      count: Number(count),
    }),
  ],
  [
    /^order by count (ascending|descending)$/i,
    ([, way = '']) => ({ kind: 'order-count', descending: way.toLowerCase() === 'descending' }),
  ],
  [
    /^order by (.+) of (.+) (ascending|descending)$/i,
    ([, column = '', table = '', way = '']) => ({
      kind: 'order',
      column,
      table,
      descending: way.toLowerCase() === 'descending',
    }),
  ],
  [/^limit ([1-9]\d{0,8})$/i, ([, rows = '']) => ({ kind: 'limit', rows: Number(rows) })],
  [/^(clear|run|finish)$/i, ([, kind = '']) => ({ kind: kind.toLowerCase() as 'clear' | 'run' | 'finish' })],
];

function valueOf(text: string): string | number {
  if (!text.startsWith('"')) return Number(text);
  try {
    return z.string().parse(JSON.parse(text));
  } catch {
    return text.slice(1, -1); // a backslash of the value itself
  }
}

/** Parses words, or a tool call in JSON. A query may have several lines, and may be in a Markdown fence. */
export function readAction(text: string): Reply<SqlAction> {
  const said = text.trim();
  const malformed = (why: string): Extract<Reply<never>, { readonly kind: 'malformed' }> => ({
    kind: 'malformed',
    why: `${why} ${help.text}.`,
    text,
  });
  if (said === '') return malformed('Nothing was said.');
  if (said.startsWith('{')) return readCall(said, sqlActionSchema, malformed);
  const [, verb, query] = /^(query|answer)[:\s]\s*([\s\S]+)$/i.exec(said) ?? [];
  if (verb !== undefined && query !== undefined)
    return {
      kind: 'action',
      action: { kind: verb.toLowerCase() === 'query' ? 'query' : 'answer', sql: withoutFence(query) },
    };
  if (said.length > 12_000 || /[\r\n]/.test(said))
    return malformed('That is several lines, or a long one, and no query.');
  for (const [pattern, make] of readers) {
    const match = pattern.exec(said);
    if (match === null) continue;
    const read = sqlActionSchema.safeParse(make(match));
    if (read.success) return { kind: 'action', action: read.data };
  }
  return malformed('No action was recognised.');
}

/** Removes a fence. A single pattern whose parts may each match the same blanks would take cubic time. */
function withoutFence(query: string): string {
  const fence = '```';
  const sql = query.trim();
  const isFenced = sql.length >= 2 * fence.length && sql.startsWith(fence) && sql.endsWith(fence);
  return isFenced
    ? sql
        .slice(fence.length, -fence.length)
        .replace(/^sql(?:ite)?/i, '')
        .trim()
    : sql;
}
