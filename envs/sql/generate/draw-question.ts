import type { Rng } from '../../core/rng.ts';
import { messageOf } from '../../core/errors.ts';
import { renderDraft, sqlName } from '../draft/render-draft.ts';
import type { Draft } from '../draft/draft.ts';
import type { Cell } from '../engine/result.ts';
import { isSameResult } from '../reward/match-rows.ts';
import type { MadeDatabase } from './make-database.ts';
import { fillForm } from './fill-form.ts';
import { mutantsOf } from './mutants.ts';
import type { QuestionForm } from './question-form.ts';

/**
 * A question whose database distinguishes it from all its wrong variants: none of them gives the rows of the
 * gold query.
 */
export interface DrawnQuestion {
  readonly question: string;
  readonly draft: Draft;
  readonly gold: string;
  readonly goldRows: readonly (readonly Cell[])[];
}

/** The most rows of an answer, which a person would still read. */
const mostRows = 40;

/** A question, or the first reason against it. */
export type Drawn =
  | { readonly kind: 'good'; readonly drawn: DrawnQuestion }
  | { readonly kind: 'unfit' }
  | { readonly kind: 'rejected'; readonly why: string };

/**
 * Draws one question and checks it on its database. Its order must be unique, and every wrong variant must
 * give other rows.
 */
export function drawQuestion(form: QuestionForm, made: MadeDatabase, rng: Rng): Drawn {
  const filled = fillForm(form, made, rng);
  if (filled === undefined) return { kind: 'unfit' };
  const { question, draft } = filled;
  const gold = renderDraft(draft);
  const goldRows = rowsOf(made, gold);
  if (goldRows === undefined) return { kind: 'rejected', why: 'the gold query fails' };
  const isEmpty = goldRows.every((row) => row.every((cell) => cell === null));
  if (isEmpty || goldRows.length > mostRows)
    return { kind: 'rejected', why: isEmpty ? 'no rows' : 'too many rows' };
  if (!hasSettledOrder(draft, made, goldRows))
    return { kind: 'rejected', why: 'ties where the order counts' };
  const mutants = mutantsOf(draft, made.schema);
  const isOrdered = draft.order !== undefined;
  const alike = mutants.find(({ sql }) => {
    const rows = rowsOf(made, sql);
    return rows !== undefined && isSameResult(rows, goldRows, { matching: 'rows', isOrdered });
  });
  if (alike !== undefined) return { kind: 'rejected', why: `not told from: ${alike.mistake}` };
  return { kind: 'good', drawn: { question, draft, gold, goldRows } };
}

/** The rows of one of our queries; undefined where it cannot be run, as some wrong variants cannot. */
function rowsOf({ open }: MadeDatabase, sql: string): readonly (readonly Cell[])[] | undefined {
  try {
    return (open.exec(sql)[0]?.values ?? []) as Cell[][]; // our own databases have no blobs
  } catch (thrown) {
    if (messageOf(thrown) === '') throw thrown;
    return undefined;
  }
}

/** Whether rows that tie in the required order give the same result however the ties are broken. */
function hasSettledOrder(draft: Draft, made: MadeDatabase, goldRows: readonly (readonly Cell[])[]): boolean {
  const [first] = draft.shows;
  if (draft.order === undefined || first?.kind !== 'column') return true;
  const { limit, ...unlimited } = draft;
  const tail = limit === undefined ? '' : ` LIMIT ${limit}`;
  const by = `${sqlName(first.of.table)}.${sqlName(first.of.column)}`;
  return ['', ' DESC'].every((way) => {
    const rows = rowsOf(made, `${renderDraft(unlimited)}, ${by}${way}${tail}`);
    return rows !== undefined && isSameResult(rows, goldRows, { matching: 'rows', isOrdered: true });
  });
}
