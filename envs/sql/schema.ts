/** A column, as an agent may know it. */
export interface Column {
  readonly name: string;
  /** What its values are compared as. */
  readonly type: 'text' | 'number';
  readonly isKey: boolean;
  readonly mayBeMissing: boolean;
  /** The column that a foreign key points to. */
  readonly refersTo?: { readonly table: string; readonly column: string };
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** The tables of a database, without its rows. */
export type Schema = readonly Table[];

/** A column of a table, by their names in the database. */
export interface ColumnRef {
  readonly table: string;
  readonly column: string;
}

/** A foreign key, from the table that has it. */
export interface ForeignKey {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
}

export function foreignKeysOf(schema: Schema): readonly ForeignKey[] {
  return schema.flatMap(({ name, columns }) =>
    columns.flatMap((column): readonly ForeignKey[] => (column.refersTo === undefined ? [] : [{ from: { table: name, column: column.name }, to: column.refersTo }])),
  );
}

/** Words of the grammar of actions: a name of several words that has one of them is written as one word. */
const reserved = new Set('of by is not above below at least most missing known the average different total highest lowest count descending ascending also except'.split(' '));

/** A name as words: `birth_year` is "birth year". */
export function labelOf(name: string): string {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.join(words.some((word) => reserved.has(word)) ? '_' : ' ');
}

/** The only one of that label; undefined where there is none, or several. */
function only<Named extends { readonly name: string }>(things: readonly Named[], label: string): Named | undefined {
  const exact = things.find(({ name }) => name === label);
  if (exact !== undefined) return exact;
  const found = things.filter(({ name }) => labelOf(name) === labelOf(label));
  return found.length === 1 ? found[0] : undefined;
}

export const tableCalled = (schema: Schema, label: string): Table | undefined => only(schema, label);
export const columnCalled = (table: Table, label: string): Column | undefined => only(table.columns, label);

/** What names it in actions: its label, or its own name where two have the same. */
export function nameFor(things: readonly { readonly name: string }[], name: string): string {
  const label = labelOf(name);
  return only(things, label)?.name === name ? label : name;
}
