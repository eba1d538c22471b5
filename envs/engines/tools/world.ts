import type { z } from 'zod';
import { canonicalJson, type Json } from '../../core/json.ts';
import {
  freezeDeep,
  parseRow,
  type AnyRow,
  type RowOf,
  type StartTable,
  type TableSchemas,
} from './tables.ts';

/** What a tool may do with the tables of a world. */
export interface World<Schemas extends TableSchemas> {
  /** The row of that key; undefined where there is none. */
  get<Name extends keyof Schemas & string>(table: Name, id: string): RowOf<Schemas, Name> | undefined;
  /** The rows with that value in a column, ordered by key. It uses an index. */
  where<Name extends keyof Schemas & string, Column extends keyof RowOf<Schemas, Name> & string>(
    table: Name,
    column: Column,
    value: RowOf<Schemas, Name>[Column] & (string | number | boolean),
  ): readonly RowOf<Schemas, Name>[];
  /** All rows, ordered by key. It reads the whole table. */
  all<Name extends keyof Schemas & string>(table: Name): readonly RowOf<Schemas, Name>[];
  /** Adds a row, or replaces the one of its key. Throws where it does not match the schema. */
  put<Name extends keyof Schemas & string>(
    table: Name,
    row: z.output<Schemas[Name]> | RowOf<Schemas, Name>,
  ): RowOf<Schemas, Name>;
  /** Replaces columns of a row. Throws where there is no such row. */
  update<Name extends keyof Schemas & string>(
    table: Name,
    id: string,
    columns: Partial<z.output<Schemas[Name]> | RowOf<Schemas, Name>>,
  ): RowOf<Schemas, Name>;
  /** Removes a row. Does nothing where there is none. */
  remove<Name extends keyof Schemas & string>(table: Name, id: string): void;
  /** A key that no row has: the prefix and a number. Equal worlds give equal keys. */
  newId<Name extends keyof Schemas & string>(table: Name, prefix: string): string;
}

/** Rows by table and key. */
export type RowPatch = Readonly<Record<string, Readonly<Record<string, AnyRow>>>>;

/** The difference of a world to the start of its task. Equal worlds have equal differences. */
export interface Changes {
  /** Rows that are new or differ. */
  readonly put: RowPatch;
  /** Keys of start rows that are gone, by table. */
  readonly removed: Readonly<Record<string, readonly string[]>>;
}

/** Stands for all keys of a table in what was read. */
export const allKeys = '*';

/** What a table holds beside its start rows. `undefined` stands for a row that was removed. */
type Layer = Map<string, AnyRow | undefined>;

/**
 * The tables of one episode: the start rows, which all episodes share, and the difference to them. Its cost
 * depends on what was changed and not on the number of rows.
 */
export class WorldState {
  readonly #schemas: TableSchemas;
  readonly #start: Readonly<Record<string, StartTable>>;
  /** Rows that replace start rows. They are part of the start. */
  readonly #facts: ReadonlyMap<string, ReadonlyMap<string, AnyRow>>;
  readonly #changes = new Map<string, Layer>();
  /**
   * What was read: `table/key` by calls that only look, and `table?key` by calls that change something, and where a column was
   * searched. `*` stands for all keys.
   */
  readonly reads: Set<string>;
  #text: string | undefined;
  #columns: string | undefined;

  constructor(options: {
    readonly schemas: TableSchemas;
    readonly start: Readonly<Record<string, StartTable>>;
    readonly facts: ReadonlyMap<string, ReadonlyMap<string, AnyRow>>;
    readonly changes?: Changes;
    readonly reads?: readonly string[];
  }) {
    this.#schemas = options.schemas;
    this.#start = options.start;
    this.#facts = options.facts;
    this.reads = new Set(options.reads);
    if (options.changes !== undefined) this.#apply(options.changes);
  }

  /** Whether anything was read of a row. */
  hasRead(table: string, id: string): boolean {
    return this.reads.has(`${table}?${id}`) || this.reads.has(`${table}?${allKeys}`);
  }

  /** The row as it is now. It counts as no read. */
  peek(table: string, id: string): AnyRow | undefined {
    const layer = this.#changes.get(table);
    return layer?.has(id) === true ? layer.get(id) : this.startRow(table, id);
  }

  /** The row at the start of the task. */
  startRow(table: string, id: string): AnyRow | undefined {
    return this.#facts.get(table)?.get(id) ?? this.#table(table).rows.get(id);
  }

  /** The keys of all rows, in order. */
  keys(table: string): readonly string[] {
    const keys = new Set(this.#table(table).rows.keys());
    for (const id of this.#facts.get(table)?.keys() ?? []) keys.add(id);
    for (const [id, row] of this.#changes.get(table) ?? []) {
      if (row === undefined) keys.delete(id);
      else keys.add(id);
    }
    return [...keys].sort(byText);
  }

  /** The keys of the rows with that value in the column, in order. */
  keysWhere(table: string, column: string, value: Json): readonly string[] {
    const keys = new Set(this.#table(table).keysWhere(column, value));
    for (const layer of [this.#facts.get(table), this.#changes.get(table)]) {
      for (const id of layer?.keys() ?? []) {
        if (this.peek(table, id)?.[column] === value) keys.add(id);
        else keys.delete(id);
      }
    }
    return [...keys].sort(byText);
  }

  /** Sets or removes a row. Returns the previous entry of the layer, for {@link undo}. */
  set(table: string, id: string, row: AnyRow | undefined): Undo {
    const layer = this.#layer(table);
    const undo: Undo = { table, id, before: layer.get(id), isNew: !layer.has(id) };
    const start = this.startRow(table, id);
    if (isSame(start, row)) layer.delete(id);
    else layer.set(id, row);
    [this.#text, this.#columns] = [undefined, undefined];
    return undo;
  }

  undo({ table, id, before, isNew }: Undo): void {
    const layer = this.#layer(table);
    if (isNew) layer.delete(id);
    else layer.set(id, before);
    [this.#text, this.#columns] = [undefined, undefined];
  }

  /** @throws TypeError for a row that does not match the schema of its table */
  parse(table: string, row: unknown): AnyRow {
    const schema = this.#schemas[table];
    if (schema === undefined) throw noTable(table);
    const parsed = parseRow(schema, row);
    if (typeof parsed === 'string') throw new TypeError(`put into ${table}: ${parsed}`);
    return freezeDeep(parsed);
  }

  /** The difference to the start, with sorted keys. */
  changes(): Changes {
    const put: Record<string, Record<string, AnyRow>> = {};
    const removed: Record<string, string[]> = {};
    for (const table of [...this.#changes.keys()].sort(byText)) {
      for (const [id, row] of [...(this.#changes.get(table) ?? [])].sort(([a], [b]) => byText(a, b))) {
        if (row === undefined) (removed[table] ??= []).push(id);
        else (put[table] ??= {})[id] = row;
      }
    }
    return { put, removed };
  }

  /** {@link changes} as canonical JSON. */
  changesText(): string {
    return (this.#text ??= canonicalJson(this.changes()));
  }

  /** The columns that differ from the start, by table and row, as canonical JSON. Columns that were not changed are left out. */
  changedColumns(): string {
    return (this.#columns ??= canonicalJson(this.#differingColumns()));
  }

  #differingColumns(): Json {
    const changed: Record<string, Record<string, Json>> = {};
    for (const [table, layer] of this.#changes) {
      for (const [id, row] of layer) {
        const start = this.startRow(table, id);
        const columns = row === undefined ? 'removed' : columnsThatDiffer(start, row);
        (changed[table] ??= {})[id] = columns;
      }
    }
    return changed;
  }

  #apply({ put, removed }: Changes): void {
    for (const [table, rows] of Object.entries(put))
      for (const [id, row] of Object.entries(rows)) this.#layer(table).set(id, freezeDeep(row));
    for (const [table, ids] of Object.entries(removed))
      for (const id of ids) this.#layer(table).set(id, undefined);
  }

  #layer(table: string): Layer {
    const layer = this.#changes.get(table) ?? new Map<string, AnyRow | undefined>();
    this.#changes.set(table, layer);
    return layer;
  }

  #table(name: string): StartTable {
    const table = Object.hasOwn(this.#start, name) ? this.#start[name] : undefined;
    if (table === undefined) throw noTable(name);
    return table;
  }
}

/** How to take a change back. */
interface Undo {
  readonly table: string;
  readonly id: string;
  readonly before: AnyRow | undefined;
  readonly isNew: boolean;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isSame = (one: AnyRow | undefined, other: AnyRow | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other));

function columnsThatDiffer(start: AnyRow | undefined, row: AnyRow): Json {
  if (start === undefined) return row;
  return Object.fromEntries(
    Object.entries(row).filter(([column, value]) => {
      const before = start[column];
      return before === undefined || canonicalJson(before) !== canonicalJson(value);
    }),
  );
}

const noTable = (table: string): TypeError => new TypeError(`the world has no table ${table}`);

/**
 * One call's access to a world. It records what is read. `rollBack` takes all changes back. After its end it
 * refuses every access, so that a call that outlives its deadline changes nothing.
 */
export class Transaction {
  readonly #world: WorldState;
  readonly #undos: Undo[] = [];
  readonly #looked: string[] = [];
  #isOpen = true;

  constructor(world: WorldState) {
    this.#world = world;
  }

  /** The same object with the types of the tables. Rows were validated by the schemas of these types. */
  view<Schemas extends TableSchemas>(): World<Schemas> {
    return this as unknown as World<Schemas>;
  }

  get(table: string, id: string): AnyRow | undefined {
    const world = this.#use();
    world.reads.add(`${table}?${id}`);
    this.#looked.push(`${table}/${id}`);
    return world.peek(table, id);
  }

  where(table: string, column: string, value: Json): readonly AnyRow[] {
    return this.#read(table, this.#use().keysWhere(table, column, value));
  }

  all(table: string): readonly AnyRow[] {
    const world = this.#use();
    world.reads.add(`${table}?${allKeys}`);
    this.#looked.push(`${table}/${allKeys}`);
    return world.keys(table).flatMap((id) => world.peek(table, id) ?? []);
  }

  put(table: string, row: unknown): AnyRow {
    const world = this.#use();
    const parsed = world.parse(table, row);
    this.#undos.push(world.set(table, parsed.id, parsed));
    return parsed;
  }

  update(table: string, id: string, columns: Readonly<Record<string, unknown>>): AnyRow {
    const before = this.#use().peek(table, id);
    if (before === undefined) throw new TypeError(`update of ${table}: there is no row ${id}`);
    return this.put(table, { ...before, ...columns, id });
  }

  remove(table: string, id: string): void {
    const world = this.#use();
    if (world.peek(table, id) !== undefined) this.#undos.push(world.set(table, id, undefined));
  }

  newId(table: string, prefix: string): string {
    const world = this.#use();
    let number = 1;
    while (world.peek(table, `${prefix}${number}`) !== undefined) number += 1;
    return `${prefix}${number}`;
  }

  commit(): void {
    this.#isOpen = false;
    if (this.#undos.length === 0) for (const read of this.#looked) this.#world.reads.add(read);
  }

  rollBack(): void {
    this.#isOpen = false;
    for (const undo of this.#undos.toReversed()) this.#world.undo(undo);
  }

  #read(table: string, ids: readonly string[]): readonly AnyRow[] {
    const world = this.#use();
    return ids.flatMap((id) => {
      world.reads.add(`${table}?${id}`);
      return world.peek(table, id) ?? [];
    });
  }

  #use(): WorldState {
    if (this.#isOpen) return this.#world;
    throw new TypeError('the world was used after the end of the tool call');
  }
}
