import type { SqlAction, SqlStep } from '../action.ts';
import { foreignKeysOf, labelOf, nameFor, type Column, type Schema, type Table } from '../schema.ts';
import { applyStep, joinsFor } from './apply-step.ts';
import { measures, tablesOf, tests, type ComparisonOperator, type Draft } from './draft.ts';
import type { QuestionValues } from './question-values.ts';

const forTexts: readonly ComparisonOperator[] = ['is', 'is not'];
const forNumbers: readonly ComparisonOperator[] = ['is', 'above', 'below', 'at least', 'at most'];
/**
 * The most offered actions. Databases with hundreds of columns would give lists that are too long to choose
 * from.
 */
const most = 400;

/**
 * The offered actions. They are a function of the schema, the question and the draft alone, so they reveal
 * nothing of the answer. Values are those that the question names.
 */
export function offeredActions(
  schema: Schema,
  values: QuestionValues,
  draft: Draft | undefined,
): readonly SqlAction[] {
  const tables = schema.map(({ name }) => nameFor(schema, name));
  if (draft === undefined)
    return [
      ...tables.map((table): SqlAction => ({ kind: 'from', table })),
      ...tables.map((table): SqlAction => ({ kind: 'look', table })),
    ].slice(0, most);
  const steps = partsFor(schema, values, draft).filter(
    (step) => applyStep(draft, step, schema) !== undefined,
  );
  const ends: readonly SqlAction[] =
    draft.shows.length > 0 && (draft.before === undefined || draft.where.length > 0)
      ? [{ kind: 'finish' }, { kind: 'run' }]
      : [];
  return [...ends, { kind: 'clear' }, ...steps.slice(0, most)];
}

function partsFor(schema: Schema, values: QuestionValues, draft: Draft): readonly SqlStep[] {
  const tables = tablesOf(draft).map((name) => schema.find((table) => table.name === name) as Table);
  const columns = tables.flatMap((table) =>
    table.columns.map((column) => ({
      column,
      at: { column: nameFor(table.columns, column.name), table: nameFor(schema, table.name) },
    })),
  );
  const isCounted = draft.shows.length > 0;
  return [
    ...joinsFor(draft, schema).map(({ to, key }): SqlStep => ({
      kind: 'join',
      table: nameFor(schema, to),
      by: labelOf(key.from.column),
    })),
    { kind: 'show-count' },
    ...columns.flatMap(({ column, at }) => showing(column, at)),
    ...(isCounted ? columns.flatMap(({ column, at }) => conditionsOn(column, at, values)) : []),
    ...foreignKeysOf(schema)
      .filter(({ to }) => to.table === draft.from)
      .map(({ from }): SqlStep => ({
        kind: 'without',
        table: nameFor(schema, from.table),
        by: labelOf(from.column),
      })),
    { kind: 'combine', how: 'except' },
    { kind: 'combine', how: 'also' },
    ...columns
      .filter(({ column }) => !isSign(column))
      .flatMap(({ column, at }): readonly SqlStep[] => [
        ...(column.type === 'text' ? [{ kind: 'group', ...at } as const] : []),
        { kind: 'order', ...at, descending: true },
        { kind: 'order', ...at, descending: false },
      ]),
    ...values.numbers
      .filter((count) => Number.isInteger(count) && count >= 0 && count <= 1_000_000_000)
      .flatMap((count) => forNumbers.map((is): SqlStep => ({ kind: 'having', is, count }))),
    { kind: 'order-count', descending: true },
    { kind: 'order-count', descending: false },
    ...values.counts.map((rows): SqlStep => ({ kind: 'limit', rows })),
  ];
}

/** Keys identify rows. Questions do not ask for them. */
const isSign = (column: Column): boolean => column.isKey || column.refersTo !== undefined;

function showing(
  column: Column,
  at: { readonly column: string; readonly table: string },
): readonly SqlStep[] {
  if (isSign(column)) return [];
  const fitting = measures.filter((measure) => measure === 'different' || column.type === 'number');
  return [{ kind: 'show', ...at }, ...fitting.map((measure): SqlStep => ({ kind: 'show', ...at, measure }))];
}

function conditionsOn(
  column: Column,
  at: { readonly column: string; readonly table: string },
  { texts, numbers }: QuestionValues,
): readonly SqlStep[] {
  if (isSign(column)) return [];
  const values: readonly (string | number)[] = column.type === 'text' ? texts : numbers;
  const fitting = tests.filter((test) =>
    test === 'missing' || test === 'known' ? column.mayBeMissing : column.type === 'number',
  );
  return [
    ...values.flatMap((value) =>
      (column.type === 'text' ? forTexts : forNumbers).map((is): SqlStep => ({
        kind: 'where',
        ...at,
        is,
        value,
      })),
    ),
    ...fitting.map((is): SqlStep => ({ kind: 'where-test', ...at, is })),
  ];
}
