import { cellsOf, type Grid } from '../../../envs/core/features.ts';
import { hashText, mix } from '../text.ts';

/** Stands for all that lies outside of a grid. */
export const outside = mix(0x6f757473, 0x69646521);

const noCells: readonly number[] = [];

/** From the first to the last, both included. */
type Span = readonly [first: number, last: number];

/** The other cells that share something with a cell. */
export interface CellGroups {
  readonly row: readonly number[];
  readonly column: readonly number[];
  /** Empty where the grid has no blocks. */
  readonly block: readonly number[];
  /** Up to eight neighbours. */
  readonly near: readonly number[];
}

/** A grid as hashed kinds of cells, row by row. */
export class GridView {
  readonly rows: number;
  readonly columns: number;
  /** The kind of each cell, as the hash of its text. */
  readonly kinds: Int32Array; // (rows * columns)
  /** The number of cells of each kind, in order of first appearance. */
  readonly counts = new Map<number, number>();
  readonly walls: ReadonlySet<number> | undefined;
  readonly block: Grid['block'];
  /** The cell of the player, or -1. */
  readonly focus: number;
  /** Equal grids have equal hashes. */
  readonly hash: number;
  readonly #groups: CellGroups[];
  readonly #fields = new Map<number, Int16Array>();
  readonly #near = new Map<number, Int8Array>();
  #firsts: readonly (readonly [kind: number, at: number])[] | undefined;
  #rare: readonly number[] | undefined;
  #patterns: Int32Array | undefined;

  /** `shapes` remembers the groups of cells from one grid of a shape to the next. */
  constructor(grid: Grid, shapes: ShapeTable) {
    this.rows = grid.rows.length;
    this.columns = cellsOf(grid.rows[0] ?? '').length;
    this.#groups = shapes.of(this.rows, this.columns, grid.block);
    this.kinds = new Int32Array(this.rows * this.columns);
    this.block = grid.block;
    this.walls = grid.walls === undefined ? undefined : new Set(grid.walls.map(hashText));
    this.focus = grid.focus === undefined ? -1 : grid.focus[0] * this.columns + grid.focus[1];
    let hash = mix(this.columns, this.focus);
    let at = 0;
    for (const row of grid.rows) {
      const cells = cellsOf(row);
      for (let column = 0; column < this.columns; column += 1) {
        const kind = hashText(cells[column] as string);
        this.kinds[at++] = kind;
        hash = mix(hash, kind);
        this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
      }
    }
    this.hash = hash;
  }

  get size(): number {
    return this.kinds.length;
  }

  /** The index of a cell, or -1 outside of the grid. */
  indexOf(row: number, column: number): number {
    return row < 0 || row >= this.rows || column < 0 || column >= this.columns
      ? -1
      : row * this.columns + column;
  }

  kindAt(row: number, column: number): number {
    const at = this.indexOf(row, column);
    return at < 0 ? outside : (this.kinds[at] as number);
  }

  isWall(row: number, column: number): boolean {
    const kind = this.kindAt(row, column);
    return kind === outside || this.walls?.has(kind) === true;
  }

  /**
   * The kinds worth going to, at most eight: those with few cells, without walls and without what only stands where the player is. Sorted
   * by count, then by hash.
   */
  get rare(): readonly number[] {
    return (this.#rare ??= this.#findRare());
  }

  #findRare(): readonly number[] {
    const most = Math.max(4, this.size / 8);
    const own = this.focus < 0 ? undefined : this.kinds[this.focus];
    return [...this.counts]
      .filter(
        ([kind, count]) => count <= most && this.walls?.has(kind) !== true && !(kind === own && count === 1),
      )
      .toSorted(([a, many], [b, others]) => many - others || a - b)
      .slice(0, 8)
      .map(([kind]) => kind);
  }

  /** The first cell in the order of reading of each of the rarest kinds, at most four; all kinds where there are no more. */
  get firsts(): readonly (readonly [kind: number, at: number])[] {
    return (this.#firsts ??= this.#findFirsts());
  }

  #findFirsts(): readonly (readonly [kind: number, at: number])[] {
    const byCount = [...this.counts].toSorted(([a, many], [b, others]) => many - others || a - b);
    const kinds = byCount.slice(0, 4).map(([kind]) => kind);
    return kinds.map((kind) => [kind, this.kinds.indexOf(kind)]);
  }

  /** One hash for each row: equal rows have equal hashes. */
  get rowPatterns(): Int32Array {
    if (this.#patterns !== undefined) return this.#patterns;
    const patterns = new Int32Array(this.rows);
    for (let row = 0; row < this.rows; row += 1) {
      let hash = row;
      for (let column = 0; column < this.columns; column += 1)
        hash = mix(hash, this.kinds[row * this.columns + column] as number);
      patterns[row] = hash;
    }
    return (this.#patterns = patterns);
  }

  /** Steps from each cell to the nearest one of a kind, around walls where there are declared ones; -1 where no path leads there. */
  stepsTo(kind: number): Int16Array {
    const known = this.#fields.get(kind);
    if (known !== undefined) return known;
    const field = this.#flood(kind);
    this.#fields.set(kind, field);
    return field;
  }

  #flood(kind: number): Int16Array {
    const { columns, size, kinds, walls } = this;
    const steps = new Int16Array(size).fill(-1);
    const queue = new Int32Array(size);
    let end = 0;
    for (let at = 0; at < size; at += 1) {
      if (kinds[at] !== kind) continue;
      steps[at] = 0;
      queue[end++] = at;
    }
    const visit = (at: number, distance: number): void => {
      if (steps[at] !== -1 || walls?.has(kinds[at] as number) === true) return;
      steps[at] = distance;
      queue[end++] = at;
    };
    for (let start = 0; start < end; start += 1) {
      const at = queue[start] as number;
      const distance = (steps[at] as number) + 1;
      const column = at % columns;
      if (at >= columns) visit(at - columns, distance);
      if (at < size - columns) visit(at + columns, distance);
      if (column > 0) visit(at - 1, distance);
      if (column < columns - 1) visit(at + 1, distance);
    }
    return steps;
  }

  /** How many cells among `cells` are of a kind. */
  countAmong(cells: readonly number[], kind: number): number {
    let count = 0;
    for (const at of cells) if (this.kinds[at] === kind) count += 1;
    return count;
  }

  /** For each cell the number of its neighbours of a kind, of eight. */
  near(kind: number): Int8Array {
    const known = this.#near.get(kind);
    if (known !== undefined) return known;
    const counts = new Int8Array(this.size);
    for (let at = 0; at < this.size; at += 1) {
      if (this.kinds[at] !== kind) continue;
      for (const neighbour of this.groupsOf(at).near) counts[neighbour] = (counts[neighbour] as number) + 1;
    }
    this.#near.set(kind, counts);
    return counts;
  }

  groupsOf(at: number): CellGroups {
    return (this.#groups[at] ??= this.#findGroups(at));
  }

  #findGroups(at: number): CellGroups {
    const row = Math.floor(at / this.columns);
    const column = at % this.columns;
    return {
      row: this.#rectangle(at, [row, row], [0, this.columns - 1]),
      column: this.#rectangle(at, [0, this.rows - 1], [column, column]),
      block: this.#blockOf(at, row, column),
      near: this.#rectangle(at, [row - 1, row + 1], [column - 1, column + 1]),
    };
  }

  #blockOf(at: number, row: number, column: number): readonly number[] {
    if (this.block === undefined) return noCells;
    const [height, width] = this.block;
    const [top, left] = [row - (row % height), column - (column % width)];
    return this.#rectangle(at, [top, top + height - 1], [left, left + width - 1]);
  }

  /** The cells of a rectangle without `but`. */
  #rectangle(but: number, [top, bottom]: Span, [left, right]: Span): readonly number[] {
    const cells: number[] = [];
    for (let row = Math.max(0, top); row <= Math.min(this.rows - 1, bottom); row += 1) {
      for (let column = Math.max(0, left); column <= Math.min(this.columns - 1, right); column += 1) {
        const at = row * this.columns + column;
        if (at !== but) cells.push(at);
      }
    }
    return cells;
  }
}

/** The groups of cells of each place, found once for each shape of a grid: the boards of one env mostly have one shape. */
export class ShapeTable {
  readonly #known = new Map<string, CellGroups[]>();

  of(rows: number, columns: number, block: Grid['block']): CellGroups[] {
    const shape = `${rows} ${columns} ${block?.join(' ') ?? ''}`;
    let groups = this.#known.get(shape);
    if (groups === undefined) {
      if (this.#known.size >= 64) this.#known.clear();
      this.#known.set(shape, (groups = []));
    }
    return groups;
  }
}
