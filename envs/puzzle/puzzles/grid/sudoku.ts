import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { cellName, readGrid, spaced, targetOfCell, withCell } from '../../grid-text.ts';
import type { PuzzleMoves } from '../../rules.ts';
import { bitCount, SudokuSolver, type SudokuShape } from './sudoku-solver.ts';

/** One text a row; `.` is an empty cell. */
interface Grid {
  rows: string[];
}

interface SudokuSize<Name extends string> extends SudokuShape {
  readonly name: Name;
  /** Empty cells by level. */
  readonly holes: readonly number[];
  /** The number of questions by level, where it is below a billion. */
  readonly variety?: readonly number[];
}

/** A sudoku of any size up to 9 by 9. Each row, column and box holds each digit once. */
function defineSudoku<Name extends string>({ name, holes, variety, ...shape }: SudokuSize<Name>) {
  const solver = new SudokuSolver(shape);
  const { side } = solver;
  const digits = '123456789'.slice(0, side);
  const schema = z.strictObject({
    rows: z
      .array(
        z
          .string()
          .regex(/^[1-9.]+$/)
          .length(side),
      )
      .length(side),
  });
  const rowsOf = (cells: ArrayLike<number>): string[] =>
    Array.from({ length: side }, (_, row) =>
      Array.from({ length: side }, (__, column) => cells[row * side + column] || '.').join(''),
    );

  return definePuzzle({
    name,
    category: 'grid',
    summary: `Sudoku of ${side} by ${side}`,
    question: schema,
    levels: holes,
    generate: (rng, empty) => {
      const [full = new Uint8Array(side * side)] = solver.solve(
        new Uint8Array(side * side),
        1,
        rng,
      ).solutions;
      return { question: { rows: rowsOf(dig(solver, full, empty, rng)) }, solution: rowsOf(full) };
    },
    rules: `Fill the empty cells of the grid. Each row, each column and each box of ${shape.boxRows} rows and ${shape.boxColumns} columns must contain the digits 1 to ${side} once.`,
    render: ({ rows }) => rows.map(spaced).join('\n'),
    answer: {
      format: `the whole grid, in ${side} lines of ${side} digits.`,
      write: (rows) => rows.join('\n'),
      read: (text) => readGrid(text, { rows: side, columns: side, alphabet: digits }),
    },
    verify: ({ rows }, answer) =>
      rows.every((row, at) =>
        row.split('').every((mark, column) => mark === '.' || mark === answer[at]?.[column]),
      ) && solver.isSound(cellsOf(answer)),
    unique: true,
    solve: ({ rows }) => {
      const { solutions, guesses } = solver.solve(cellsOf(rows), 2);
      return { answers: solutions.map(rowsOf), effort: guesses };
    },
    audit: {
      guess: ({ rows }, rng) => rows.map((row) => row.replaceAll('.', () => rng.pick(digits.split('')))),
      ...(variety === undefined ? {} : { variety: (level: number) => variety[level - 1] ?? 1 }),
      chance: (level) => 2 * side ** -(holes[level - 1] ?? 0),
      mutants: (solution, { rows }, rng) => {
        const cell = rng.pick(cellsOf(rows).flatMap((digit, at) => (digit === 0 ? [at] : [])));
        const [row, column] = [Math.floor(cell / side), cell % side];
        const other = rng.pick(digits.split('').filter((digit) => digit !== solution[row]?.[column]));
        const [a, b] = rng.shuffle(digits.split(''));
        return {
          'one digit changed': withCell(solution, row, column, other),
          'two digits exchanged everywhere': solution.map((line) =>
            line.replaceAll(/./g, (digit) => (digit === a ? (b ?? '') : digit === b ? (a ?? '') : digit)),
          ),
          'rows in another order': solution.toReversed(),
        };
      },
      equivalents: (solution) => ({
        'blanks between digits': solution.map(spaced).join('\n'),
        'commas between digits': solution.map((row) => row.split('').join(',')).join('\n'),
        'bars between digits': solution.map((row) => `| ${row.split('').join(' | ')} |`).join('\n'),
      }),
    },
    moves: movesOf(solver, schema, shape),
  });
}

const cellsOf = (rows: readonly string[]) =>
  rows
    .join('')
    .split('')
    .map((mark) => (mark === '.' ? 0 : Number(mark)));

/** The step-wise form: fill one cell after the other. */
function movesOf(
  solver: SudokuSolver,
  schema: z.ZodType<Grid>,
  { boxRows, boxColumns }: SudokuShape,
): PuzzleMoves<Grid, readonly string[], number, Grid> {
  const { side } = solver;
  const names = Array.from({ length: side ** 3 }, (_, move) => {
    const cell = Math.floor(move / side);
    return `${cellName(Math.floor(cell / side), cell % side)} is ${(move % side) + 1}`;
  });
  return {
    rules:
      'A move fills one empty cell with a digit that its row, column and box do not have yet. No cell can be changed later.',
    state: schema,
    start: ({ rows }) => ({ rows }),
    render: ({ rows }) => rows.map(spaced).join('\n'),
    list: ({ rows }) => {
      const moves: string[] = [];
      for (const [cell, free] of solver.candidates(cellsOf(rows)).entries()) {
        for (let digit = 0; free >> digit !== 0; digit += 1)
          if ((free >> digit) & 1) moves.push(names[cell * side + digit] as string);
      }
      return moves;
    },
    play: ({ rows }, move) => {
      const [, row = '', column = '', digit = ''] = /^row (\d) column (\d) is (\d)$/.exec(move) ?? [];
      return { rows: withCell(rows, Number(row) - 1, Number(column) - 1, digit) };
    },
    isSolved: ({ rows }) => !rows.some((row) => row.includes('.')),
    isLost: ({ rows }) => {
      const cells = cellsOf(rows);
      return solver.candidates(cells).some((free, cell) => free === 0 && cells[cell] === 0);
    },
    plan: ({ rows }, solution) =>
      cellsOf(rows).flatMap((digit, cell) => {
        const right = Number(solution[Math.floor(cell / side)]?.[cell % side]);
        return digit === 0 ? [names[cell * side + right - 1] as string] : [];
      }),
    next: ({ rows }) => {
      const cells = cellsOf(rows);
      const free = [...solver.candidates(cells)].map((bits, cell) =>
        cells[cell] === 0 ? bitCount(bits) : 99,
      );
      const cell = free.indexOf(Math.min(...free));
      const digit = solver.solve(cells, 1).solutions[0]?.[cell];
      return digit === undefined ? undefined : names[cell * side + digit - 1];
    },
    turnLimit: (empty) => empty + 1,
    features: ({ rows }) => ({ grid: { rows, block: [boxRows, boxColumns] } }),
    target: targetOfCell,
  };
}

/** Empties cells in random order, as long as one solution is left. */
function dig(solver: SudokuSolver, full: Uint8Array, holes: number, rng: Rng): Uint8Array {
  const cells = full.slice();
  let dug = 0;
  for (const cell of rng.shuffle([...cells.keys()])) {
    if (dug === holes) break;
    const digit = cells[cell] as number;
    cells[cell] = 0;
    if (solver.solve(cells, 2).solutions.length === 1) dug += 1;
    else cells[cell] = digit;
  }
  return cells;
}

export const sudoku = defineSudoku({ name: 'sudoku', boxRows: 3, boxColumns: 3, holes: [25, 35, 45, 52] });
export const sudoku4 = defineSudoku({
  name: 'sudoku-4',
  boxRows: 2,
  boxColumns: 2,
  holes: [5, 8, 11],
  // 288 full grids, times the ways to empty cells that leave one solution
  variety: [1_000_000, 1_900_000, 220_000],
});
