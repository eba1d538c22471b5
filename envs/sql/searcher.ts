import type { Searcher } from '../core/env.ts';
import { canonicalJson } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import type { SqlAction, SqlStep } from './action.ts';
import type { Condition, Draft, Shown } from './draft/draft.ts';
import { renderDraft } from './draft/render-draft.ts';
import { readQuestion } from './generate/fill-form.ts';
import { heldOutForms, trainForms } from './generate/forms.ts';
import type { Said, SqlObservation } from './observation.ts';
import { labelOf, nameFor, type ColumnRef, type Schema } from './schema.ts';

const forms = [...trainForms, ...heldOutForms];

/** Knows the forms of our questions, and derives the required query from question and schema. */
export class SqlSearcher implements Searcher<SqlObservation, SqlAction> {
  readonly #rng: Rng;
  #plan: readonly SqlAction[] = [];

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  act(turn: Opening<SqlObservation, SqlAction> | Ongoing<SqlObservation, SqlAction>): SqlAction {
    if ('instruction' in turn && turn.observation.said.kind === 'schema')
      this.#plan = planFor(turn.instruction, schemaIn(turn.observation.said), turn.admissible !== undefined);
    const [next, ...rest] = this.#plan;
    this.#plan = rest;
    const { admissible } = turn;
    if (next === undefined)
      return admissible === undefined || admissible.length === 0
        ? { kind: 'answer', sql: 'SELECT NULL' }
        : this.#rng.pick(admissible); // a question that it cannot parse
    return admissible?.find((offered) => canonicalJson(offered) === canonicalJson(next)) ?? next;
  }
}

function planFor(question: string, schema: Schema, isBuilt: boolean): readonly SqlAction[] {
  const draft = readQuestion(forms, question, schema);
  if (draft === undefined) return [];
  return isBuilt
    ? [...stepsOf(draft, schema), { kind: 'finish' }]
    : [{ kind: 'answer', sql: renderDraft(draft) }];
}

/** The schema as it was shown. */
function schemaIn({ tables }: Extract<Said, { readonly kind: 'schema' }>): Schema {
  return tables.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => {
      const [table, target] = column.refersTo?.split('.') ?? [];
      return {
        name: column.name,
        type: column.type,
        isKey: column.isKey,
        mayBeMissing: true,
        ...(table === undefined || target === undefined ? {} : { refersTo: { table, column: target } }),
      };
    }),
  }));
}

/** The steps that build a draft. */
export function stepsOf(draft: Draft, schema: Schema): readonly SqlStep[] {
  const at = ({ table, column }: ColumnRef): { readonly column: string; readonly table: string } => ({
    column: nameFor(schema.find(({ name }) => name === table)?.columns ?? [], column),
    table: nameFor(schema, table),
  });
  const show = (shown: Shown): SqlStep =>
    shown.kind === 'count'
      ? { kind: 'show-count' }
      : { kind: 'show', ...at(shown.of), ...(shown.measure === undefined ? {} : { measure: shown.measure }) };
  const where = (condition: Condition): SqlStep => {
    if (condition.kind === 'without')
      return {
        kind: 'without',
        table: nameFor(schema, condition.key.from.table),
        by: labelOf(condition.key.from.column),
      };
    return condition.kind === 'compare'
      ? { kind: 'where', ...at(condition.of), is: condition.is, value: condition.value }
      : { kind: 'where-test', ...at(condition.of), is: condition.is };
  };
  const { from, joins, shows, before, group, having, order, limit } = draft;
  return [
    { kind: 'from', table: nameFor(schema, from) },
    ...joins.map((key): SqlStep => ({
      kind: 'join',
      table: nameFor(schema, key.to.table),
      by: labelOf(key.from.column),
    })),
    ...shows.map(show),
    ...(before === undefined
      ? []
      : [
          ...before.where.map(where),
          { kind: 'combine', how: before.how === 'EXCEPT' ? 'except' : 'also' } as const,
        ]),
    ...draft.where.map(where),
    ...(group === undefined ? [] : [{ kind: 'group', ...at(group) } as const]),
    ...(having === undefined ? [] : [{ kind: 'having', ...having } as const]),
    ...(order === undefined
      ? []
      : [
          order.by === 'count'
            ? ({ kind: 'order-count', descending: order.descending } as const)
            : ({ kind: 'order', ...at(order.by), descending: order.descending } as const),
        ]),
    ...(limit === undefined ? [] : [{ kind: 'limit', rows: limit } as const]),
  ];
}
