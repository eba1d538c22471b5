import { defineRearrange, type BoardMove } from './rearrange.ts';

/** A move that brings the cells of `ring` one place on, each to the place that follows it. */
function cycle(name: string, size: number, ring: readonly number[]): BoardMove {
  const from = Array.from({ length: size }, (_, place) => place);
  for (const [index, place] of ring.entries()) from[ring[(index + 1) % ring.length] as number] = place;
  return { name, from };
}

const line = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Rows move left and right, columns up and down; what leaves at one end comes back at the other. */
function lineMoves(side: number): BoardMove[] {
  return line(side).flatMap((at) => {
    const row = line(side).map((column) => at * side + column);
    const column = line(side).map((index) => index * side + at);
    return [
      cycle(`row ${at + 1} right`, side * side, row),
      cycle(`row ${at + 1} left`, side * side, row.toReversed()),
      cycle(`column ${at + 1} down`, side * side, column),
      cycle(`column ${at + 1} up`, side * side, column.toReversed()),
    ];
  });
}

/** Blocks of 2 by 2 turn by a quarter. A block has the name of its upper left cell. */
function turnMoves(side: number): BoardMove[] {
  return line(side - 1).flatMap((row) =>
    line(side - 1).flatMap((column) => {
      const first = row * side + column;
      const ring = [first, first + 1, first + side + 1, first + side];
      const name = `block ${row + 1} ${column + 1}`;
      return [
        cycle(`${name} right`, side * side, ring),
        cycle(`${name} left`, side * side, ring.toReversed()),
      ];
    }),
  );
}

const lineRules =
  'A move pushes a whole row to the left or right, or a whole column up or down, by one cell. The cell that leaves at one end comes back at the other end. Rows and columns are counted from 1.';
const lineWords = 'A move is written "row 1 left" or "column 2 up".';

/** Enigmata's nine puzzle. */
export const ninePuzzle = defineRearrange({
  name: 'nine-puzzle',
  summary: 'The nine puzzle: sort a 3 by 3 board by pushing rows and columns around',
  side: 3,
  moves: lineMoves(3),
  rules: lineRules,
  moveWords: lineWords,
  levels: [
    [3, 3],
    [4, 5],
    [6, 7],
    [8, 12],
  ],
  chance: (level) => [0.02, 0.005, 0.001, 0.001][level - 1] ?? 0,
  variety: (level) => [700, 3_500, 25_000, 80_000][level - 1] ?? 1,
});

/** Enigmata's sixteen puzzle. */
export const sixteenPuzzle = defineRearrange({
  name: 'sixteen-puzzle',
  summary: 'The sixteen puzzle: sort a 4 by 4 board by pushing rows and columns around',
  side: 4,
  moves: lineMoves(4),
  rules: lineRules,
  moveWords: lineWords,
  levels: [
    [3, 3],
    [4, 4],
    [5, 5],
    [6, 6],
  ],
  chance: (level) => [0.02, 0.005, 0.001, 0.001][level - 1] ?? 0,
  variety: (level) => [1_500, 10_000, 35_000, 120_000][level - 1] ?? 1,
});

const turnRules =
  'A move turns a block of 2 by 2 cells by a quarter, to the right (clockwise) or to the left. A block is named by the row and the column of its upper left cell, counted from 1.';
const turnWords = 'A move is written "block 1 2 right": the block whose upper left cell is row 1 column 2.';

export const twiddle = defineRearrange({
  name: 'twiddle',
  summary: 'Twiddle: sort a 3 by 3 board by turning blocks of 2 by 2 cells',
  side: 3,
  moves: turnMoves(3),
  rules: turnRules,
  moveWords: turnWords,
  levels: [
    [4, 4],
    [5, 6],
    [7, 9],
    [10, 16],
  ],
  chance: (level) => [0.02, 0.01, 0.005, 0.005][level - 1] ?? 0,
  variety: (level) => [1_000, 1e4, 3e4, 5e4][level - 1] ?? 1,
});
