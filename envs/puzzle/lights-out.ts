import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createRng } from '../core/rng.ts';
import type { TaskRef } from '../core/task.ts';
import { defineTextEnv } from '../kit/text-env.ts';

/** A square of lights, row by row from the top left. A press switches a light and its neighbours above, below, left and right. */
export interface Board {
  readonly size: number;
  readonly lit: readonly boolean[]; // (size * size)
}

const id = 'lights-out-v1';

const actionSchema = z.strictObject({
  /** Counted from 1. */
  row: z.int().min(1).max(7),
  column: z.int().min(1).max(7),
});
type Action = z.output<typeof actionSchema>;

/** One text per row: `#` for a light that is on, `.` for one that is off. */
const stateSchema = z.strictObject({ board: z.array(z.string()) });

/**
 * Lights Out: a board with nothing hidden, solved by linear algebra. The right press is a parity of many
 * lights, and the board has no words. By words alone a choice policy stays at chance after 32 demonstrations and
 * 40 iterations of GiGPO: 3, 3 and 1 % of 3 by 3 boards on seeds 0 to 2, and 0 % of 5 by 5.
 * The same holds (1 %) where nine lights have names and a text lists those that are on.
 *
 * By the declared board it learns, though it takes more presses than the shortest solution. With 32
 * demonstrations and 40 iterations it solved 100 % of the held-out 3 by 3 boards. With 300 demonstrations it
 * solved 100 % of 5 by 5, in 21 turns. The searcher needs 8.5. Both are of seed 0. There are only
 * 512 boards of 3 by 3, so training passes through held-out ones.
 */
export const lightsOutEnv = defineTextEnv({
  id,
  summary: 'Lights Out on a square board: put all lights out, nothing is hidden',
  config: z.strictObject({
    size: z.int().min(3).max(7).default(5).describe('rows and columns of the board'),
  }),
  turnLimit: ({ size }) => 2 * size * size,
  catalogue: { family: 'puzzle', tags: ['grid', 'step-wise', 'generated'], licence: 'Apache-2.0' },
  panels: {
    train: { size: 1_000, summary: 'Boards to learn on' },
    dev: { size: 100, summary: 'Other boards, for every choice' },
    unseen: { size: 100, summary: 'Other boards again, run once at the end' },
  },
  unchecked: {
    secrets: 'nothing is hidden',
    hidden: 'nothing is hidden',
    experts: 'nothing is hidden that the searcher could look at',
  },
  state: stateSchema,
  observation: { schema: stateSchema, print: ({ board }) => board.join('\n') },
  action: {
    schema: actionSchema,
    print: ({ row, column }) => `press row ${row} column ${column}`,
    parse: (text) => {
      const [, row, column] = /^\s*press row ([1-7]) column ([1-7])\s*$/i.exec(text) ?? [];
      return row === undefined || column === undefined
        ? { kind: 'malformed', why: 'An action reads "press row 1 column 2".', text }
        : { kind: 'action', action: { row: Number(row), column: Number(column) } };
    },
  },
  task: (ref, { size }) => {
    const board = startOf(ref, size);
    const presses = pressesFor(board).length;
    const start = { board: [...rowsOf(board)] };
    return {
      instruction:
        'Put all lights out. Pressing a light turns it and its neighbours above, below, left and right, on or off.',
      start,
      family: presses <= size ? 'short' : presses <= 2 * size ? 'medium' : 'long',
      content: start,
    };
  },
  observe: ({ board }) => ({ board: [...board] }),
  features: ({ board }) => ({ grid: { rows: board } }),
  target: ({ row, column }) => ({ verb: 'press', cell: [row - 1, column - 1] }),
  key: ({ board }) => board.join('/'),
  actions: (_state, { size }) => Array.from({ length: size * size }, (_, cell) => actionAt(size, cell)),
  step: ({ board: rows }, { row, column }, _context, { size }) => {
    const board = press(boardOf(rows), (row - 1) * size + column - 1);
    const state = { board: rowsOf(board) };
    return isDark(board) ? { state, outcome: 'solved', reward: { solved: 1 } } : { state };
  },
  experts: {
    planner: ({ board }) => pressesFor(boardOf(board)),
    searcher: () => ({
      act: ({ observation: { board } }) => pressesFor(boardOf(board))[0] ?? { row: 1, column: 1 },
    }),
  },
});

/** Draws boards until one belongs to the panel, so that no two panels share a board. */
function startOf({ panel, index }: TaskRef, size: number): Board {
  const rng = createRng(0).fork(id).fork(size).fork(panel).fork(index);
  for (let attempt = 0; ; attempt += 1) {
    const draw = rng.fork(attempt);
    const cells = Array.from({ length: size ** 2 }, (_, cell) => cell);
    // With few presses, or almost all, the same boards would appear again and again.
    const pressed = draw.shuffle(cells).slice(0, 3 + draw.int(cells.length - 5));
    const board = pressed.reduce(press, { size, lit: cells.map(() => false) });
    if (!isDark(board) && panelOf(board) === panel) return board;
  }
}

/** The panel of a board: eight of ten boards are for training, one for dev, one is unseen. */
function panelOf(board: Board): string {
  const share = (createHash('sha256').update(rowsOf(board).join('\n')).digest()[0] ?? 0) % 10;
  return share < 8 ? 'train' : share === 8 ? 'dev' : 'unseen';
}

const pressesFor = (board: Board): readonly Action[] =>
  (solve(board) ?? []).map((cell) => actionAt(board.size, cell));

const actionAt = (size: number, cell: number): Action => ({
  row: Math.floor(cell / size) + 1,
  column: (cell % size) + 1,
});

/** The rows of a board as texts. */
export function rowsOf({ size, lit }: Board): readonly string[] {
  return Array.from({ length: size }, (_, row) =>
    lit
      .slice(row * size, (row + 1) * size)
      .map((on) => (on ? '#' : '.'))
      .join(''),
  );
}

/** Parses the rows of {@link rowsOf}. */
export function boardOf(rows: readonly string[]): Board {
  return { size: rows.length, lit: rows.flatMap((row) => row.split('').map((light) => light === '#')) };
}

export const isDark = (board: Board): boolean => !board.lit.includes(true);

export function press(board: Board, cell: number): Board {
  const touched = new Set(touchedBy(board.size, cell));
  return { size: board.size, lit: board.lit.map((on, index) => on !== touched.has(index)) };
}

/** The cells that a press switches, including the pressed one. */
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
 * The fewest presses that turn all lights off, in ascending order; undefined when none do. Presses commute
 * and undo themselves, so this is a linear system over GF(2). It is solved by Gauss-Jordan elimination. The
 * lightest solution is then chosen, of at most 16 on the boards of sizes 3 to 7.
 */
export function solve({ size, lit }: Board): readonly number[] | undefined {
  const cells = size * size;
  // Bit `cell` of an equation: whether that press switches this light. Bit `cells`: whether the light must
  // change.
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
