import type { Rng } from '../../core/rng.ts';
import type { Draft } from '../draft/draft.ts';
import { foreignKeysOf, labelOf, type Column, type ForeignKey, type Schema, type Table } from '../schema.ts';
import type { TablePlan } from './blueprint.ts';
import type { MadeDatabase } from './make-database.ts';
import {
  fillWording,
  kindOfSlot,
  slotsOf,
  type Filling,
  type QuestionForm,
  type Slot,
} from './question-form.ts';

const countWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A question and the query that answers it. */
export interface FilledForm {
  readonly question: string;
  readonly draft: Draft;
}

/**
 * Draws tables, columns and values for a form; undefined where nothing in the database fits. Values occur in
 * the database.
 */
export function fillForm(form: QuestionForm, made: MadeDatabase, rng: Rng): FilledForm | undefined {
  const wording = rng.pick(form.wordings);
  const slots = slotsOf(wording);
  const key = slots.includes('P') ? rng.pick(foreignKeysOf(made.schema)) : undefined;
  const filling: Partial<Record<Slot, string | number>> = {};
  filling.T = key?.from.table ?? rng.pick(made.schema).name;
  if (key !== undefined) filling.P = key.to.table;
  for (const slot of slots) {
    const kind = kindOfSlot(slot);
    if (kind !== 'column-of-T' && kind !== 'column-of-P') continue;
    const plan = planOf(made, String(kind === 'column-of-T' ? filling.T : filling.P));
    const taken = slots.filter((other) => kindOfSlot(other) === kind).map((other) => filling[other]);
    const fitting = columnsFor(slot, plan).filter((name) => !taken.includes(name));
    if (fitting.length === 0) return undefined;
    filling[slot] = rng.pick(fitting);
  }
  for (const slot of slots) {
    const value = valueFor({ slot, wording, filling, made }, rng);
    if (value !== undefined) filling[slot] = value;
    else if (['value', 'number', 'count'].includes(kindOfSlot(slot))) return undefined;
  }
  return { question: wordsOf(wording, filling), draft: form.build(filling, key) };
}

const planOf = (made: MadeDatabase, name: string): TablePlan | undefined =>
  made.blueprint.tables.find((plan) => plan.name === name);

function columnsFor(slot: Slot, plan: TablePlan | undefined): readonly string[] {
  const columns = plan?.columns ?? [];
  const of = (test: (column: TablePlan['columns'][number]) => boolean): readonly string[] =>
    columns.filter(test).map(({ name }) => name);
  switch (slot) {
    case 'name':
    case 'pname':
      return of(({ kind }) => kind === 'name');
    case 'nullable':
      return of((column) => column.kind !== 'reference' && 'missing' in column && (column.missing ?? 0) > 0);
    case 'number':
    case 'number2':
      return of(({ kind }) => kind === 'whole' || kind === 'decimal');
    default:
      return of(({ kind }) => kind === 'choice');
  }
}

interface ValueRequest {
  readonly slot: Slot;
  readonly wording: string;
  readonly filling: Filling;
  readonly made: MadeDatabase;
}

/**
 * A value of the column that the wording names last before it; a small number where that column has no
 * numbers.
 */
function valueFor({ slot, wording, filling, made }: ValueRequest, rng: Rng): string | number | undefined {
  const kind = kindOfSlot(slot);
  if (kind === 'count') return 2 + rng.int(4);
  if (kind !== 'value' && kind !== 'number') return undefined;
  const before = slotsOf(wording.slice(0, wording.indexOf(`{${slot}}`))).filter((other) =>
    kindOfSlot(other).startsWith('column'),
  );
  const last = before.at(-1);
  if (last === undefined) return undefined;
  const table = String(kindOfSlot(last) === 'column-of-T' ? filling.T : filling.P);
  const at =
    made.schema.find(({ name }) => name === table)?.columns.findIndex(({ name }) => name === filling[last]) ??
    -1;
  const present = (made.rows.get(table) ?? []).flatMap((row) =>
    row[at] === null || row[at] === undefined ? [] : [row[at]],
  );
  const fitting = present.filter((value) => typeof value === (kind === 'value' ? 'string' : 'number'));
  if (fitting.length > 0) return rng.pick(kind === 'value' ? fitting : fromTheMiddle(fitting));
  return kind === 'number' ? 1 + rng.int(5) : undefined;
}

/** Extreme numbers would select all rows, or none. */
function fromTheMiddle(values: readonly (string | number)[]): readonly (string | number)[] {
  const sorted = values.toSorted((one, other) => Number(one) - Number(other));
  const cut = Math.floor(sorted.length / 5);
  return sorted.slice(cut, sorted.length - cut);
}

function wordsOf(wording: string, filling: Filling): string {
  return fillWording(wording, (slot) => {
    const value = filling[slot] ?? '';
    if (kindOfSlot(slot) === 'count') return countWords[Number(value) - 1] ?? String(value);
    return typeof value === 'number' || slot === 'value' ? String(value) : labelOf(value);
  });
}

/**
 * Parses a question of one of the forms, from its words and the schema alone; undefined where no form fits.
 */
export function readQuestion(
  forms: readonly QuestionForm[],
  question: string,
  schema: Schema,
): Draft | undefined {
  for (const form of forms) {
    for (const wording of form.wordings) {
      const draft = readWording({ form, wording }, question, schema);
      if (draft !== undefined) return draft;
    }
  }
  return undefined;
}

function readWording(
  { form, wording }: { readonly form: QuestionForm; readonly wording: string },
  question: string,
  schema: Schema,
): Draft | undefined {
  const groups = patternOf(wording).exec(question)?.groups;
  if (groups === undefined) return undefined;
  const find = (label: string | undefined): Table | undefined =>
    schema.find(({ name }) => labelOf(name) === label);
  const [own, parent] = [find(groups['T']), find(groups['P'])];
  if (own === undefined || (groups['P'] !== undefined && parent === undefined)) return undefined;
  const filling: Partial<Record<Slot, string | number>> = { T: own.name };
  if (parent !== undefined) filling.P = parent.name;
  for (const slot of slotsOf(wording)) {
    const read = readSlot(slot, groups[slot] ?? '', { own, parent });
    if (read === undefined) return undefined;
    filling[slot] = read;
  }
  const key: ForeignKey | undefined = foreignKeysOf(schema).find(
    ({ from, to }) => from.table === own.name && to.table === parent?.name,
  );
  return parent !== undefined && key === undefined ? undefined : form.build(filling, key);
}

function readSlot(
  slot: Slot,
  text: string,
  { own, parent }: { readonly own: Table; readonly parent: Table | undefined },
): string | number | undefined {
  const column = (table: Table | undefined): string | undefined =>
    table?.columns.find(({ name }: Column) => labelOf(name) === text)?.name;
  switch (kindOfSlot(slot)) {
    case 'table':
      return slot === 'T' ? own.name : parent?.name;
    case 'column-of-T':
      return column(own);
    case 'column-of-P':
      return column(parent);
    case 'value':
      return text;
    case 'number':
      return Number(text);
    case 'count': {
      const count = countWords.indexOf(text) + 1;
      return count === 0 ? undefined : count;
    }
    default:
      return undefined;
  }
}

const patterns = new Map<string, RegExp>();

/** A wording as a pattern. A repeated slot must have the same text. */
function patternOf(wording: string): RegExp {
  const known = patterns.get(wording) ?? compilePattern(wording);
  patterns.set(wording, known);
  return known;
}

function compilePattern(wording: string): RegExp {
  const seen = new Set<string>();
  const source = wording.replaceAll(/[.?*+^$()[\]\\|]/g, '\\$&').replaceAll(/\{(\w+)\}/g, (_, slot: Slot) => {
    if (seen.has(slot)) return `\\k<${slot}>`;
    seen.add(slot);
    const kind = kindOfSlot(slot);
    return `(?<${slot}>${kind === 'value' ? '[^"]+' : kind === 'number' ? '-?\\d+(?:\\.\\d+)?' : kind === 'count' ? '\\w+' : '[\\p{L}\\p{N}_ ]+?'})`;
  });
  return new RegExp(`^${source}$`, 'u');
}
