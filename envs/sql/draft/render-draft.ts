import type { ColumnRef } from '../schema.ts';
import { comparisons, tablesOf, type Condition, type Draft, type Measure, type Shown } from './draft.ts';

/** Words that SQLite reserves. A name that is one, or is no plain word, is quoted. */
const keywords = new Set(
  `add all alter and as asc between by case check collate column commit constraint create cross current default delete desc distinct drop else end escape except exists for
  foreign from full group having if in index inner insert intersect into is join key left like limit natural not null of offset on or order outer plan primary query references
  right row select set table then to transaction union unique update using values view when where with`.split(
    /\s+/,
  ),
);

/** A name in SQL syntax. */
export function sqlName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !keywords.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;
}

/** A value in SQL syntax. */
export function sqlValue(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

const functions: Readonly<Record<Exclude<Measure, 'different'>, string>> = {
  average: 'AVG',
  total: 'SUM',
  highest: 'MAX',
  lowest: 'MIN',
};

/** The query of a draft. Without columns it selects all of them. */
export function renderDraft(draft: Draft): string {
  const isJoined = draft.joins.length > 0;
  const name = ({ table, column }: ColumnRef): string =>
    isJoined ? `${sqlName(table)}.${sqlName(column)}` : sqlName(column);
  const { before, where, group, having, order, limit } = draft;
  const head = `SELECT ${draft.shows.map((shown) => renderShown(shown, name)).join(', ') || '*'} FROM ${renderTables(draft)}`;
  const part = (conditions: readonly Condition[]): string =>
    conditions.length === 0
      ? head
      : `${head} WHERE ${conditions.map((condition) => renderCondition(condition, name)).join(' AND ')}`;
  return [
    ...(before === undefined ? [] : [part(before.where), before.how]),
    part(where),
    ...(group === undefined ? [] : [`GROUP BY ${name(group)}`]),
    ...(having === undefined ? [] : [`HAVING COUNT(*) ${comparisons[having.is]} ${having.count}`]),
    ...(order === undefined
      ? []
      : [`ORDER BY ${order.by === 'count' ? 'COUNT(*)' : name(order.by)}${order.descending ? ' DESC' : ''}`]),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ].join(' ');
}

function renderShown(shown: Shown, name: (ref: ColumnRef) => string): string {
  if (shown.kind === 'count') return 'COUNT(*)';
  if (shown.measure === undefined) return name(shown.of);
  return shown.measure === 'different'
    ? `DISTINCT ${name(shown.of)}`
    : `${functions[shown.measure]}(${name(shown.of)})`;
}

function renderTables(draft: Draft): string {
  const tables = tablesOf(draft);
  return [
    sqlName(draft.from),
    ...draft.joins.map(({ from, to }, at) => {
      const side = (ref: ColumnRef): string => `${sqlName(ref.table)}.${sqlName(ref.column)}`;
      return `JOIN ${sqlName(tables[at + 1] as string)} ON ${side(from)} = ${side(to)}`;
    }),
  ].join(' ');
}

function renderCondition(condition: Condition, name: (ref: ColumnRef) => string): string {
  if (condition.kind === 'compare')
    return `${name(condition.of)} ${comparisons[condition.is]} ${sqlValue(condition.value)}`;
  if (condition.kind === 'without') {
    const { from, to } = condition.key;
    return `${name(to)} NOT IN (SELECT ${sqlName(from.column)} FROM ${sqlName(from.table)} WHERE ${sqlName(from.column)} IS NOT NULL)`;
  }
  const { of, is } = condition;
  const over = (call: string): string => `(SELECT ${call}(${sqlName(of.column)}) FROM ${sqlName(of.table)})`;
  const says = {
    missing: 'IS NULL',
    known: 'IS NOT NULL',
    'above average': `> ${over('AVG')}`,
    'below average': `< ${over('AVG')}`,
    highest: `= ${over('MAX')}`,
    lowest: `= ${over('MIN')}`,
  } as const;
  return `${name(of)} ${says[is]}`;
}
