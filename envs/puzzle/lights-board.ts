/** A square of lights, row by row from the top left; a press turns a light and its neighbours above, below, left and right. */
export interface Board {
  readonly size: number;
  readonly lit: readonly boolean[]; // (size * size)
}

/** One row a line, `#` for a light that is on and `.` for one that is off. */
export function rowsOf({ size, lit }: Board): readonly string[] {
  return Array.from({ length: size }, (_, row) =>
    lit
      .slice(row * size, (row + 1) * size)
      .map((on) => (on ? '#' : '.'))
      .join(''),
  );
}

/** The board that {@link rowsOf} wrote. */
export function boardOf(rows: readonly string[]): Board {
  return { size: rows.length, lit: rows.flatMap((row) => row.split('').map((light) => light === '#')) };
}

export const isDark = (board: Board): boolean => !board.lit.includes(true);

export function press(board: Board, cell: number): Board {
  const touched = new Set(touchedBy(board.size, cell));
  return { size: board.size, lit: board.lit.map((on, index) => on !== touched.has(index)) };
}

/** The cells that a press turns, itself included. */
function touchedBy(size: number, cell: number): readonly number[] {
  const [row, column] = [Math.floor(cell / size), cell % size];
  const touched = [cell];
  if (row > 0) touched.push(cell - size);
  if (row < size - 1) touched.push(cell + size);
  if (column > 0) touched.push(cell - 1);
  if (column < size - 1) touched.push(cell + 1);
  return touched;
}

/**
 * The fewest presses that put all lights out, in ascending order; undefined when none do. Presses commute and undo
 * themselves, so this is a linear system over GF(2): Gauss-Jordan elimination, then the lightest of the solutions, of which
 * there are at most 16 on the boards of sizes 3 to 7.
 */
export function solve({ size, lit }: Board): readonly number[] | undefined {
  const cells = size * size;
  // Bit `cell` of an equation: whether that press turns this light. Bit `cells`: whether the light must turn.
  const equations = lit.map((on, light) => bits(touchedBy(size, light)) | (on ? 1n << BigInt(cells) : 0n));
  const pivots: number[] = [];
  const free: number[] = [];
  for (let cell = 0; cell < cells; cell += 1) {
    const found = equations.findIndex((equation, index) => index >= pivots.length && has(equation, cell));
    if (found < 0) {
      free.push(cell);
      continue;
    }
    const pivot = equations[found] as bigint;
    equations[found] = equations[pivots.length] as bigint;
    for (const [index, equation] of equations.entries())
      if (has(equation, cell)) equations[index] = equation ^ pivot;
    equations[pivots.length] = pivot;
    pivots.push(cell);
  }
  if (equations.slice(pivots.length).some((equation) => has(equation, cells))) return undefined;
  const solutions = Array.from({ length: 2 ** free.length }, (_, choice) => {
    const chosen = free.filter((_cell, index) => (choice >> index) & 1);
    const forced = pivots.filter((_cell, row) => {
      const equation = equations[row] as bigint;
      return chosen.filter((cell) => has(equation, cell)).length % 2 === (has(equation, cells) ? 0 : 1);
    });
    return [...chosen, ...forced].toSorted((a, b) => a - b);
  });
  return solutions.reduce((best, solution) => (solution.length < best.length ? solution : best));
}

const bits = (cells: readonly number[]): bigint =>
  cells.reduce((sum, cell) => sum | (1n << BigInt(cell)), 0n);
const has = (equation: bigint, cell: number): boolean => ((equation >> BigInt(cell)) & 1n) === 1n;
