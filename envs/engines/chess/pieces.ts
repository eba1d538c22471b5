/*
 * Squares are numbers of a board of 16 by 8 cells, of which the left half is used (0x88): a square is `16 * rank + file`, both from 0, and
 * a step over the border gives a number with a bit of 0x88. White pieces are positive, black ones negative, and 0 is an empty square.
 */

export const pawn = 1;
export const knight = 2;
export const bishop = 3;
export const rook = 4;
export const queen = 5;
export const king = 6;

/** The letters of the pieces by their numbers, as FEN writes White's. */
export const letters = '.PNBRQK';

export type Side = 1 | -1;

/** Steps of the pieces that move in lines, and of the two that make one step, by their numbers. */
export const steps: Readonly<Record<number, readonly number[]>> = {
  [knight]: [31, 33, 14, 18, -31, -33, -14, -18],
  [bishop]: [15, 17, -15, -17],
  [rook]: [1, -1, 16, -16],
  [queen]: [15, 17, -15, -17, 1, -1, 16, -16],
  [king]: [15, 17, -15, -17, 1, -1, 16, -16],
};

export const isOff = (square: number): boolean => (square & 0x88) !== 0;
export const rankOf = (square: number): number => square >> 4;
export const fileOf = (square: number): number => square & 7;

/** All 64 squares, from a1. */
export const allSquares: readonly number[] = Array.from(
  { length: 64 },
  (_, at) => ((at >> 3) << 4) | (at & 7),
);

/** `e4` for 16 * 3 + 4. */
export const squareName = (square: number): string => `${'abcdefgh'[fileOf(square)]}${rankOf(square) + 1}`;

/** The square of a name; -1 where it is none. */
export const readSquare = (name: string): number =>
  /^[a-h][1-8]$/.test(name) ? (Number(name[1]) - 1) * 16 + 'abcdefgh'.indexOf(name[0] ?? '') : -1;

/** `N` for a white knight, `n` for a black one. */
export function letterOf(piece: number): string {
  const letter = letters[Math.abs(piece)] ?? '.';
  return piece < 0 ? letter.toLowerCase() : letter;
}
