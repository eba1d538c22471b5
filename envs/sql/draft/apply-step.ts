import type { SqlStep } from '../action.ts';
import {
  columnCalled,
  foreignKeysOf,
  labelOf,
  tableCalled,
  type ColumnRef,
  type ForeignKey,
  type Schema,
} from '../schema.ts';
import { tablesOf, type Condition, type Draft } from './draft.ts';

/** The clauses in the order of construction. A draft can go back only by clearing everything. */
const clauses = ['from', 'join', 'show', 'where', 'group', 'having', 'order', 'limit'] as const;
type Clause = (typeof clauses)[number];

function reached(draft: Draft): Clause {
  if (draft.limit !== undefined) return 'limit';
  if (draft.order !== undefined) return 'order';
  if (draft.having !== undefined) return 'having';
  if (draft.group !== undefined) return 'group';
  if (draft.where.length > 0 || draft.before !== undefined) return 'where';
  if (draft.shows.length > 0) return 'show';
  return draft.joins.length > 0 ? 'join' : 'from';
}

const mayAdd = (draft: Draft, clause: Clause): boolean =>
  clauses.indexOf(reached(draft)) <= clauses.indexOf(clause);
const mayShow = (draft: Draft): boolean =>
  mayAdd(draft, 'show') &&
  !draft.shows.some((shown) => shown.kind === 'column' && shown.measure === 'different');
/** Whether a part may follow the columns. Once two queries are combined, only conditions may. */
const mayGoOn = (draft: Draft, clause: Clause): boolean => draft.shows.length > 0 && mayAdd(draft, clause);

/**
 * The draft with one more part; undefined where the part does not fit, or names something that does not
 * exist.
 */
export function applyStep(draft: Draft | undefined, step: SqlStep, schema: Schema): Draft | undefined {
  if (step.kind === 'from') return draft === undefined ? begun(schema, step.table) : undefined;
  if (draft === undefined) return undefined;
  switch (step.kind) {
    case 'join':
      return withJoin(draft, step, schema);
    case 'show':
    case 'show-count':
      return withShown(draft, step, schema);
    case 'where':
    case 'where-test':
    case 'without':
      return withCondition(draft, step, schema);
    case 'combine': {
      if (draft.before !== undefined || draft.where.length === 0 || !mayGoOn(draft, 'where'))
        return undefined;
      return {
        ...draft,
        before: { how: step.how === 'except' ? 'EXCEPT' : 'INTERSECT', where: draft.where },
        where: [],
      };
    }
    default:
      return draft.before === undefined ? withEnding(draft, step, schema) : undefined;
  }
}

function begun(schema: Schema, label: string): Draft | undefined {
  const table = tableCalled(schema, label);
  return table === undefined ? undefined : { from: table.name, joins: [], shows: [], where: [] };
}

function withJoin(
  draft: Draft,
  { table, by }: Extract<SqlStep, { kind: 'join' }>,
  schema: Schema,
): Draft | undefined {
  if (!mayAdd(draft, 'join')) return undefined;
  const name = tableCalled(schema, table)?.name;
  const key = joinsFor(draft, schema).find(
    ({ to, key: { from } }) => to === name && labelOf(from.column) === labelOf(by),
  )?.key;
  return key === undefined ? undefined : { ...draft, joins: [...draft.joins, key] };
}

/** The tables that can be joined to those of the draft, each with its foreign key. */
export function joinsFor(
  draft: Draft,
  schema: Schema,
): readonly { readonly to: string; readonly key: ForeignKey }[] {
  const tables = tablesOf(draft);
  return foreignKeysOf(schema).flatMap((key) => {
    const [one, other] = [tables.includes(key.from.table), tables.includes(key.to.table)];
    return one === other ? [] : [{ to: one ? key.to.table : key.from.table, key }];
  });
}

function withShown(
  draft: Draft,
  step: Extract<SqlStep, { kind: 'show' | 'show-count' }>,
  schema: Schema,
): Draft | undefined {
  if (!mayShow(draft)) return undefined;
  if (step.kind === 'show-count')
    return draft.shows.some(({ kind }) => kind === 'count')
      ? undefined
      : { ...draft, shows: [...draft.shows, { kind: 'count' }] };
  const of = resolve(draft, step, schema);
  if (of === undefined || (step.measure === 'different' && draft.shows.length > 0)) return undefined;
  if (
    draft.shows.some(
      (shown) => shown.kind === 'column' && isSame(shown.of, of) && shown.measure === step.measure,
    )
  )
    return undefined;
  return {
    ...draft,
    shows: [
      ...draft.shows,
      { kind: 'column', of, ...(step.measure === undefined ? {} : { measure: step.measure }) },
    ],
  };
}

function withCondition(
  draft: Draft,
  step: Extract<SqlStep, { kind: 'where' | 'where-test' | 'without' }>,
  schema: Schema,
): Draft | undefined {
  if (!mayGoOn(draft, 'where')) return undefined;
  const condition = conditionOf(draft, step, schema);
  if (
    condition === undefined ||
    draft.where.some((known) => JSON.stringify(known) === JSON.stringify(condition))
  )
    return undefined;
  return { ...draft, where: [...draft.where, condition] };
}

function conditionOf(
  draft: Draft,
  step: Extract<SqlStep, { kind: 'where' | 'where-test' | 'without' }>,
  schema: Schema,
): Condition | undefined {
  if (step.kind === 'without') {
    const name = tableCalled(schema, step.table)?.name;
    const key = foreignKeysOf(schema).find(
      ({ from, to }) =>
        from.table === name && labelOf(from.column) === labelOf(step.by) && to.table === draft.from,
    );
    return key === undefined ? undefined : { kind: 'without', key };
  }
  const of = resolve(draft, step, schema);
  if (of === undefined) return undefined;
  return step.kind === 'where'
    ? { kind: 'compare', of, is: step.is, value: step.value }
    : { kind: 'test', of, is: step.is };
}

type Ending = Extract<SqlStep, { kind: 'group' | 'having' | 'order' | 'order-count' | 'limit' }>;

function withEnding(draft: Draft, step: Ending, schema: Schema): Draft | undefined {
  switch (step.kind) {
    case 'group': {
      const of =
        mayGoOn(draft, 'group') && draft.group === undefined ? resolve(draft, step, schema) : undefined;
      return of === undefined ? undefined : { ...draft, group: of };
    }
    case 'having':
      return mayGoOn(draft, 'having') && draft.group !== undefined && draft.having === undefined
        ? { ...draft, having: { is: step.is, count: step.count } }
        : undefined;
    case 'order': {
      const of =
        mayGoOn(draft, 'order') && draft.order === undefined ? resolve(draft, step, schema) : undefined;
      return of === undefined ? undefined : { ...draft, order: { by: of, descending: step.descending } };
    }
    case 'order-count':
      return mayGoOn(draft, 'order') && draft.order === undefined && draft.group !== undefined
        ? { ...draft, order: { by: 'count', descending: step.descending } }
        : undefined;
    case 'limit':
      return mayGoOn(draft, 'limit') && draft.limit === undefined
        ? { ...draft, limit: step.rows }
        : undefined;
    default:
      return step satisfies never;
  }
}

function resolve(
  draft: Draft,
  { column, table }: { readonly column: string; readonly table: string },
  schema: Schema,
): ColumnRef | undefined {
  const found = tableCalled(schema, table);
  const of = found === undefined ? undefined : columnCalled(found, column);
  return found === undefined || of === undefined || !tablesOf(draft).includes(found.name)
    ? undefined
    : { table: found.name, column: of.name };
}

const isSame = (one: ColumnRef, other: ColumnRef): boolean =>
  one.table === other.table && one.column === other.column;
