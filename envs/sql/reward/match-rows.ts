import { isBlob, type Cell as AnyCell } from '../engine/result.ts';

/**
 * When two results are equal. `rows`: equal rows, equally often, in the gold query's order where it has one.
 * Names and order of columns do not matter, as in Spider's test-suite evaluation. `set`: the rows as a set,
 * with columns in the gold query's order. The order of rows does not matter, as in BIRD.
 */
export const matchings = ['rows', 'set'] as const;
export type Matching = (typeof matchings)[number];

/** A value in which different types are never equal: texts and bytes have a letter as prefix. */
type Cell = Exclude<AnyCell, { readonly blob: string }>;
type AnyRows = readonly (readonly AnyCell[])[];
type Rows = readonly (readonly Cell[])[];

const comparableRows = (rows: AnyRows): Rows => rows.map((row) => row.map(comparable));

function comparable(cell: AnyCell): Cell {
  if (typeof cell === 'string') return `t${cell}`;
  return isBlob(cell) ? `b${cell.blob}` : cell;
}

/**
 * More columns than this are compared only in the given order, because trying all orders would take too long.
 */
const mostPermuted = 8;
/**
 * The most cells that are compared in the search for an order of columns, and for rows with nearly equal
 * values. Beyond that, results count as different.
 */
const mostCells = 4_000_000;
const mostNear = 1_000;
/**
 * The tolerance of non-integers, relative to the greater one. The last digits of sums depend on their order.
 */
const tolerance = 1e-12;

export function isSameResult(
  given: AnyRows,
  wanted: AnyRows,
  { matching, isOrdered }: { readonly matching: Matching; readonly isOrdered: boolean },
): boolean {
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length;
  const width = wanted[0]?.length ?? 0;
  if (given[0]?.length !== width || (matching === 'rows' && given.length !== wanted.length)) return false;
  const [rows, gold] = [comparableRows(given), comparableRows(wanted)];
  const kinds = new CellKinds([...rows, ...gold].flat());
  if (matching === 'set') return hasEach(rows, gold, kinds) && hasEach(gold, rows, kinds);
  if (isOrdered) return isSameInOrder(rows, gold, width);
  if (isSameBag(rows, gold, kinds)) return true;
  return width > 1 && width <= mostPermuted && isSameInSomeOrder(rows, gold, kinds);
}

const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

/**
 * Integers must be equal, other numbers close, and everything else identical. This relation is not
 * transitive.
 */
function isSameCell(one: Cell, other: Cell): boolean {
  if (one === other) return true;
  if (
    one === null ||
    other === null ||
    typeof one === 'string' ||
    typeof other === 'string' ||
    (isWhole(one) && isWhole(other))
  )
    return false;
  return isClose(Number(one), Number(other));
}

/** Infinity is close to nothing else. */
const isClose = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.min(tolerance * Math.max(Math.abs(a), Math.abs(b)), Number.MAX_VALUE);

const isSameRow = (one: readonly Cell[], other: readonly Cell[]): boolean =>
  one.every((cell, at) => isSameCell(cell, other[at] as Cell));

/**
 * Sorts cells into kinds so that equal cells have the same kind. Cells of one kind may differ, where each is
 * close to the next.
 */
class CellKinds {
  readonly #kinds = new Map<Cell, number>();
  /** Kinds whose cells are not all equal. */
  readonly #loose = new Set<number>();

  constructor(cells: readonly Cell[]) {
    const numbers: (number | bigint)[] = [];
    for (const cell of new Set(cells)) {
      if (typeof cell === 'number' || typeof cell === 'bigint') numbers.push(cell);
      else this.#kinds.set(cell, this.#kinds.size);
    }
    let kind = this.#kinds.size;
    let [first, whole]: (number | bigint | undefined)[] = [];
    let before: number | bigint | undefined;
    for (const value of numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
      if (before === undefined || !isNear(before, value)) {
        kind += 1;
        [first, whole] = [value, undefined];
      }
      if (!isNear(first as number | bigint, value) || (isWhole(value) && whole !== undefined))
        this.#loose.add(kind);
      if (isWhole(value)) whole = value;
      this.#kinds.set(value, kind);
      before = value;
    }
  }

  of(cell: Cell): number {
    return this.#kinds.get(cell) as number;
  }

  keyOf(row: readonly Cell[]): string {
    return row.map((cell) => this.of(cell)).join();
  }

  /** Whether rows with the same key are always equal. */
  isFirm(row: readonly Cell[]): boolean {
    return this.#loose.size === 0 || !row.some((cell) => this.#loose.has(this.of(cell)));
  }
}

/** Close by their difference, for integers as well. */
function isNear(one: number | bigint, other: number | bigint): boolean {
  const [a, b] = [Number(one), Number(other)];
  return one === other || (!(isWhole(one) && isWhole(other) && Math.abs(a) < 1 / tolerance) && isClose(a, b));
}

function groupsOf(rows: Rows, kinds: CellKinds): ReadonlyMap<string, Rows> {
  const groups = new Map<string, (readonly Cell[])[]>();
  for (const row of rows) {
    const key = kinds.keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** Whether every row equals some other row. */
function hasEach(rows: Rows, others: Rows, kinds: CellKinds): boolean {
  const groups = groupsOf(others, kinds);
  const equal = new Set(others.map(wordOf));
  return rows.every((row) => {
    if (equal.has(wordOf(row))) return true;
    const alike = groups.get(kinds.keyOf(row)) ?? [];
    return (
      alike.length > 0 &&
      (kinds.isFirm(row) || alike.slice(0, mostNear).some((other) => isSameRow(row, other)))
    );
  });
}

/** Whether rows can be paired so that those of each pair are equal. */
function isSameBag(rows: Rows, others: Rows, kinds: CellKinds): boolean {
  const [left, right] = [groupsOf(rows, kinds), groupsOf(others, kinds)];
  if (left.size !== right.size) return false;
  for (const [key, mine] of left) {
    const theirs = right.get(key);
    if (theirs?.length !== mine.length) return false;
    if (!kinds.isFirm(mine[0] as readonly Cell[]) && !isSameLooseBag(mine, theirs)) return false;
  }
  return true;
}

/** The same for rows with nearly equal values. Identical rows are paired first, however many there are. */
function isSameLooseBag(rows: Rows, others: Rows): boolean {
  const [left, right] = [withoutEqual(rows, others), withoutEqual(others, rows)];
  // an identical row may be needed for another one
  return left.length === 0 || canPair(left, right) || canPair(rows, others);
}

const canPair = (rows: Rows, others: Rows): boolean =>
  rows.length <= mostNear &&
  canBePaired(rows.length, (one, other) =>
    isSameRow(rows[one] as readonly Cell[], others[other] as readonly Cell[]),
  );

/** The rows for which `others` has no identical one. Each identical one counts once. */
function withoutEqual(rows: Rows, others: Rows): Rows {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(wordOf(row), (counts.get(wordOf(row)) ?? 0) + 1);
  return rows.filter((row) => {
    const count = counts.get(wordOf(row)) ?? 0;
    counts.set(wordOf(row), count - 1);
    return count <= 0;
  });
}

/** Equal for identical rows alone. */
const wordOf = (row: readonly Cell[]): string =>
  JSON.stringify(row.map((cell) => (typeof cell === 'string' || cell === null ? cell : String(cell))));

/** Whether there is a perfect matching of fitting pairs, by augmenting paths (Kuhn). */
function canBePaired(count: number, fits: (one: number, other: number) => boolean): boolean {
  const partner = new Map<number, number>();
  const place = (one: number, seen: Set<number>): boolean => {
    for (let other = 0; other < count; other += 1) {
      if (seen.has(other) || !fits(one, other)) continue;
      seen.add(other);
      const held = partner.get(other);
      if (held !== undefined && !place(held, seen)) continue;
      partner.set(other, one);
      return true;
    }
    return false;
  };
  for (let one = 0; one < count; one += 1) if (!place(one, new Set())) return false;
  return true;
}

/** The order of rows is fixed, so columns can be compared one by one. */
function isSameInOrder(rows: Rows, gold: Rows, width: number): boolean {
  if (rows.every((row, at) => isSameRow(row, gold[at] as readonly Cell[]))) return true;
  if (width > mostPermuted) return false;
  const fits = Array.from({ length: width }, (_, one) =>
    Array.from({ length: width }, (__, other) =>
      rows.every((row, at) => isSameCell(row[one] as Cell, gold[at]?.[other] as Cell)),
    ),
  );
  return canBePaired(width, (one, other) => fits[one]?.[other] === true);
}

/**
 * Tries orders of columns, one column after the other. An order whose first columns do not give equal rows is
 * abandoned.
 */
function isSameInSomeOrder(rows: Rows, gold: Rows, kinds: CellKinds): boolean {
  const width = gold[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) => at);
  const twins = columns.map((at) =>
    columns.slice(0, at).filter((other) => rows.every((row) => row[at] === row[other])),
  ); // exchanging equal columns changes nothing
  const picked = (lines: Rows, order: readonly number[]): Rows =>
    lines.map((line) => order.map((at) => line[at] as Cell));
  let left = mostCells;
  const search = (order: readonly number[]): boolean => {
    left -= rows.length * order.length;
    if (left < 0 || !isSameCount(picked(rows, order), picked(gold, columns.slice(0, order.length)), kinds))
      return false;
    if (order.length === width) return isSameBag(picked(rows, order), gold, kinds);
    return columns.some(
      (at) =>
        !order.includes(at) &&
        (twins[at] ?? []).every((twin) => order.includes(twin)) &&
        search([...order, at]),
    );
  };
  return search([]);
}

/** Whether each key has equally many rows. */
function isSameCount(rows: Rows, others: Rows, kinds: CellKinds): boolean {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(kinds.keyOf(row), (counts.get(kinds.keyOf(row)) ?? 0) + 1);
  for (const row of others) {
    const count = counts.get(kinds.keyOf(row)) ?? 0;
    if (count === 0) return false;
    counts.set(kinds.keyOf(row), count - 1);
  }
  return true;
}
