import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardOf, isDark, press, rowsOf, solve, type Board } from '../../../envs/puzzle/lights-out.ts';
import { runs } from '../../support/thorough.ts';

const dark = (size: number): Board => ({ size, lit: Array.from({ length: size * size }, () => false) });
const pressAll = (board: Board, cells: readonly number[]): Board => cells.reduce(press, board);
const cellsBelow = (count: number, mask: number): readonly number[] =>
  Array.from({ length: count }, (_, cell) => cell).filter((cell) => (mask >> cell) & 1);

const sized = fc
  .integer({ min: 3, max: 7 })
  .chain((size) =>
    fc.record({ size: fc.constant(size), cells: fc.array(fc.nat(size * size - 1), { maxLength: 30 }) }),
  );

describe('press', () => {
  test('toggles a light and its neighbours, fewer of them at the edge', () => {
    expect(rowsOf(press(dark(3), 4))).toEqual(['.#.', '###', '.#.']);
    expect(rowsOf(press(dark(3), 0))).toEqual(['##.', '#..', '...']);
    expect(rowsOf(press(dark(4), 7))).toEqual(['...#', '..##', '...#', '....']);
  });

  test('undoes itself and commutes', () => {
    fc.assert(
      fc.property(sized, fc.nat(), ({ size, cells }, seed) => {
        const board = pressAll(dark(size), cells);
        const cell = seed % (size * size);
        expect(press(press(board, cell), cell)).toEqual(board);
        expect(pressAll(dark(size), cells.toReversed())).toEqual(board);
      }),
    );
  });

  test('leaves the given board unchanged', () => {
    const board = dark(3);
    press(board, 4);
    expect(isDark(board)).toBe(true);
  });
});

test('boardOf reads back what rowsOf wrote', () => {
  fc.assert(
    fc.property(sized, ({ size, cells }) => {
      const board = pressAll(dark(size), cells);
      expect(boardOf(rowsOf(board))).toEqual(board);
    }),
  );
});

describe('solve', () => {
  test('turns all lights off, presses no cell twice and needs no more presses than made the board', () => {
    fc.assert(
      fc.property(sized, ({ size, cells }) => {
        const board = pressAll(dark(size), cells);
        const solution = solve(board) ?? [-1];
        expect(isDark(pressAll(board, solution))).toBe(true);
        expect(new Set(solution).size).toBe(solution.length);
        expect(solution.length).toBeLessThanOrEqual(new Set(cells).size);
      }),
    );
  });

  test('finds the shortest solution of every board of size 3', () => {
    const shortest = new Map<string, number>();
    for (let mask = 0; mask < 512; mask += 1) {
      const cells = cellsBelow(9, mask);
      const key = rowsOf(pressAll(dark(3), cells)).join();
      shortest.set(key, Math.min(shortest.get(key) ?? 9, cells.length));
    }
    expect(shortest.size).toBe(512); // on this size every board can be solved, in one way
    for (const [key, length] of shortest) expect(solve(boardOf(key.split(',')))?.length).toBe(length);
  });

  test('finds the shortest of 16 solutions on size 4, where one board in 16 can be solved', () => {
    const shortest = new Map<string, number>();
    for (let mask = 0; mask < 65_536; mask += 1) {
      const cells = cellsBelow(16, mask);
      const key = rowsOf(pressAll(dark(4), cells)).join();
      shortest.set(key, Math.min(shortest.get(key) ?? 16, cells.length));
    }
    expect(shortest.size).toBe(4_096);
    for (const [key, length] of [...shortest].filter((_, index) => index % 16 === 0)) {
      expect(solve(boardOf(key.split(',')))?.length).toBe(length);
    }
  });

  // Anderson and Feil, "Turning Lights Out with Linear Algebra", Mathematics Magazine 71 (1998): on size 5 a board can be
  // solved when it is orthogonal to two quiet patterns, one board in four; none needs more than 15 presses.
  test('finds a solution on size 5 for one board in four', () => {
    const lit = (cells: readonly number[]): Board => ({
      size: 5,
      lit: Array.from({ length: 25 }, (_, cell) => cells.includes(cell)),
    });
    expect(solve(lit([0]))).toBeUndefined();
    const middle = lit([12]);
    expect(isDark((solve(middle) ?? []).reduce(press, middle))).toBe(true);
    const quiet = [
      ['#.#.#', '#.#.#', '.....', '#.#.#', '#.#.#'],
      ['##.##', '.....', '##.##', '.....', '##.##'],
    ].map((rows) => boardOf(rows).lit);
    fc.assert(
      fc.property(fc.array(fc.nat(24), { maxLength: 25 }), (cells) => {
        const board = lit(cells);
        const orthogonal = quiet.every(
          (pattern) => pattern.filter((on, cell) => on && board.lit[cell]).length % 2 === 0,
        );
        const solution = solve(board);
        expect(solution !== undefined).toBe(orthogonal);
        expect(solution?.length ?? 0).toBeLessThanOrEqual(15);
      }),
      { numRuns: runs(300) },
    );
  });
});
