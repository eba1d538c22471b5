import type { Draft } from '../draft/draft.ts';
import type { ForeignKey } from '../schema.ts';

/** The open parts of a form: tables and columns by role, and values. */
export type Slot =
  | 'T'
  | 'P'
  | 'name'
  | 'pname'
  | 'group'
  | 'text'
  | 'text2'
  | 'number'
  | 'number2'
  | 'ptext'
  | 'nullable'
  | 'value'
  | 'n'
  | 'm'
  | 'count';

/** A filled form. Labels of tables and columns are their names in the database. */
export type Filling = Readonly<Partial<Record<Slot, string | number>>>;

/** One kind of question: its wordings with slots in braces, and the query that answers it. */
export interface QuestionForm {
  readonly name: string;
  readonly level: 'filter' | 'aggregate' | 'join' | 'nested';
  readonly wordings: readonly string[];
  /** The key from T to P where the form has both. */
  build(filling: Filling, key: ForeignKey | undefined): Draft;
}

const slotPattern = /\{(\w+)\}/g;

/** The slots of a wording, in the order of their first use. */
export function slotsOf(wording: string): readonly Slot[] {
  return [...new Set([...wording.matchAll(slotPattern)].map(([, slot]) => slot as Slot))];
}

export const fillWording = (wording: string, text: (slot: Slot) => string): string =>
  wording.replaceAll(slotPattern, (_, slot: Slot) => text(slot));

/** What a slot may be filled with. */
export function kindOfSlot(
  slot: Slot,
): 'table' | 'column-of-T' | 'column-of-P' | 'value' | 'number' | 'count' {
  if (slot === 'T' || slot === 'P') return 'table';
  if (slot === 'value') return 'value';
  if (slot === 'n' || slot === 'm') return 'number';
  if (slot === 'count') return 'count';
  return slot === 'pname' || slot === 'ptext' ? 'column-of-P' : 'column-of-T';
}
