import type { Rng } from '../../../core/rng.ts';

/** The size of a sudoku: a box has `boxRows` rows and `boxColumns` columns, and the grid has their product of each. */
export interface SudokuShape {
  readonly boxRows: number;
  readonly boxColumns: number;
}

/** Solves sudokus of one shape by search: the cell with the fewest candidates first. It is made once and used again. */
export class SudokuSolver {
  readonly side: number;
  readonly #all: number; // (side) bits
  readonly #rowOf: Uint8Array; // (side * side)
  readonly #columnOf: Uint8Array;
  readonly #boxOf: Uint8Array;
  readonly #rows: Uint16Array; // (side) digits used, as bits
  readonly #columns: Uint16Array;
  readonly #boxes: Uint16Array;
  readonly #cells: Uint8Array; // (side * side) 0 where empty
  #solutions: Uint8Array[] = [];
  #most = 1;
  #rng: Rng | undefined;
  #guesses = 0;

  constructor({ boxRows, boxColumns }: SudokuShape) {
    const side = boxRows * boxColumns;
    this.side = side;
    this.#all = (1 << side) - 1;
    const cells = Array.from(
      { length: side * side },
      (_, cell) => [Math.floor(cell / side), cell % side] as const,
    );
    this.#rowOf = Uint8Array.from(cells, ([row]) => row);
    this.#columnOf = Uint8Array.from(cells, ([, column]) => column);
    this.#boxOf = Uint8Array.from(
      cells,
      ([row, column]) => Math.floor(row / boxRows) * boxRows + Math.floor(column / boxColumns),
    );
    this.#rows = new Uint16Array(side);
    this.#columns = new Uint16Array(side);
    this.#boxes = new Uint16Array(side);
    this.#cells = new Uint8Array(side * side);
  }

  /**
   * Finds solutions, at most `most`. With `rng` the digits are tried in random order.
   *
   * @param given (side * side) digits from 1, 0 where empty
   */
  solve(
    given: ArrayLike<number>,
    most: number,
    rng?: Rng,
  ): { readonly solutions: readonly Uint8Array[]; readonly guesses: number } {
    this.#solutions = [];
    [this.#most, this.#rng, this.#guesses] = [most, rng, 0];
    if (this.#load(given)) this.#search();
    return { solutions: this.#solutions, guesses: this.#guesses };
  }

  /** The digits that a cell can take, as bits; bit 0 is the digit 1. */
  candidates(given: ArrayLike<number>): Uint16Array {
    this.#load(given);
    return Uint16Array.from(this.#cells, (digit, cell) => (digit === 0 ? this.#free(cell) : 0));
  }

  /** Whether no two equal digits meet. */
  isSound(given: ArrayLike<number>): boolean {
    return this.#load(given);
  }

  /** False where two equal digits meet. */
  #load(given: ArrayLike<number>): boolean {
    this.#rows.fill(0);
    this.#columns.fill(0);
    this.#boxes.fill(0);
    let isSound = true;
    for (let cell = 0; cell < this.#cells.length; cell += 1) {
      const digit = given[cell] ?? 0;
      this.#cells[cell] = digit;
      if (digit === 0) continue;
      if ((this.#free(cell) & (1 << (digit - 1))) === 0) isSound = false;
      else this.#toggle(cell, digit);
    }
    return isSound;
  }

  #free(cell: number): number {
    const used =
      (this.#rows[this.#rowOf[cell] as number] as number) |
      (this.#columns[this.#columnOf[cell] as number] as number) |
      (this.#boxes[this.#boxOf[cell] as number] as number);
    return this.#all & ~used;
  }

  /** Marks a digit as used by the row, column and box of a cell, or as free again. */
  #toggle(cell: number, digit: number): void {
    const bit = 1 << (digit - 1);
    const [rows, columns, boxes] = [this.#rows, this.#columns, this.#boxes];
    const [row, column, box] = [this.#rowOf[cell], this.#columnOf[cell], this.#boxOf[cell]] as [
      number,
      number,
      number,
    ];
    rows[row] = (rows[row] as number) ^ bit;
    columns[column] = (columns[column] as number) ^ bit;
    boxes[box] = (boxes[box] as number) ^ bit;
  }

  #search(): void {
    let [best, bestFree, fewest] = [-1, 0, 99];
    for (let cell = 0; cell < this.#cells.length && fewest > 1; cell += 1) {
      if (this.#cells[cell] !== 0) continue;
      const free = this.#free(cell);
      const count = bitCount(free);
      if (count < fewest) [best, bestFree, fewest] = [cell, free, count];
      if (count === 0) return;
    }
    if (best < 0) {
      this.#solutions.push(this.#cells.slice());
      return;
    }
    if (fewest > 1) this.#guesses += 1;
    for (const digit of this.#digitsOf(bestFree)) {
      this.#cells[best] = digit;
      this.#toggle(best, digit);
      this.#search();
      this.#toggle(best, digit);
      this.#cells[best] = 0;
      if (this.#solutions.length >= this.#most) return;
    }
  }

  #digitsOf(free: number): readonly number[] {
    const digits: number[] = [];
    for (let digit = 1; digit <= this.side; digit += 1)
      if ((free & (1 << (digit - 1))) !== 0) digits.push(digit);
    return this.#rng === undefined || digits.length === 1 ? digits : this.#rng.shuffle(digits);
  }
}

export function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
