/** A column as an agent may know it. */
export interface Column {
  readonly name: string;
  /** How its values are compared. */
  readonly type: 'text' | 'number';
  readonly isKey: boolean;
  readonly mayBeMissing: boolean;
  /** The column that a foreign key points to. */
  readonly refersTo?: { readonly table: string; readonly column: string };
  /** The meaning that a file gives. */
  readonly meaning?: string;
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
    columns.flatMap((column): readonly ForeignKey[] =>
      column.refersTo === undefined
        ? []
        : [{ from: { table: name, column: column.name }, to: column.refersTo }],
    ),
  );
}

/** Words of the action grammar. A name of several words that contains one of them is written as one word. */
const reserved = new Set(
  'of by is not above below at least most missing known the average different total highest lowest count descending ascending also except'.split(
    ' ',
  ),
);

/** A name as words: `birth_year` is "birth year". */
export function labelOf(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.join(words.some((word) => reserved.has(word)) ? '_' : ' ');
}

interface Named {
  readonly name: string;
}

/** Objects by name, and by unique labels. */
interface NameIndex<Thing> {
  readonly byName: ReadonlyMap<string, Thing>;
  readonly byLabel: ReadonlyMap<string, Thing | undefined>;
}

/** Tables are looked up by name at every step, so each list is indexed once. */
const indices = new WeakMap<object, NameIndex<Named>>();

function indexOf(things: readonly Named[]): NameIndex<Named> {
  const known = indices.get(things);
  if (known !== undefined) return known;
  const byLabel = new Map<string, Named | undefined>();
  for (const thing of things)
    byLabel.set(labelOf(thing.name), byLabel.has(labelOf(thing.name)) ? undefined : thing);
  const index = { byName: new Map(things.map((thing) => [thing.name, thing])), byLabel };
  indices.set(things, index);
  return index;
}

/** The name of the only object with that name or label; undefined where there is none, or several. */
function nameCalled(things: readonly Named[], label: string): string | undefined {
  const { byName, byLabel } = indexOf(things);
  return (byName.get(label) ?? byLabel.get(labelOf(label)))?.name;
}

function called<Thing extends Named>(things: readonly Thing[], label: string): Thing | undefined {
  const name = nameCalled(things, label);
  return name === undefined ? undefined : things.find((thing) => thing.name === name);
}

export const tableCalled = (schema: Schema, label: string): Table | undefined => called(schema, label);
export const columnCalled = (table: Table, label: string): Column | undefined => called(table.columns, label);

/** Its name in actions: its label, or its own name where two have the same label. */
export function nameFor(things: readonly Named[], name: string): string {
  const label = labelOf(name);
  return nameCalled(things, label) === name ? label : name;
}
