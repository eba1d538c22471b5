import type { ActionTarget, Grid } from '../core/features.ts';

/**
 * Parses a grid: one row a line, with or without blanks, commas or bars between the cells. Undefined where the text has another shape
 * or a character that is not in `alphabet`. A digit is one cell, so grids have at most nine different numbers.
 */
export function readGrid(
  text: string,
  { rows, columns, alphabet }: { readonly rows: number; readonly columns: number; readonly alphabet: string },
): string[] | undefined {
  const lines = text.split('\n').map((line) => line.replaceAll(/[ \t,|]/g, ''));
  const fits =
    lines.length === rows && lines.every((line) => line.length === columns && hasOnly(line, alphabet));
  return fits ? lines : undefined;
}

function hasOnly(line: string, alphabet: string): boolean {
  for (const character of line) if (!alphabet.includes(character)) return false;
  return true;
}

/** A row as players read it best: one blank between the cells. */
export const spaced = (row: string): string => row.split('').join(' ');

/** Replaces the character at a place of a grid. */
export function withCell(rows: readonly string[], row: number, column: number, character: string): string[] {
  return rows.map((line, index) =>
    index === row ? line.slice(0, column) + character + line.slice(column + 1) : line,
  );
}

/** `row 1 column 2`; both are counted from 1 in the text and from 0 in the arguments. */
export const cellName = (row: number, column: number): string => `row ${row + 1} column ${column + 1}`;

/** The target of a move such as `row 1 column 2 is 4`. */
export function targetOfCell(move: string): ActionTarget {
  const [, row = '', column = '', value = ''] = /^row (\d+) column (\d+) is (.+)$/.exec(move) ?? [];
  return { verb: 'write', cell: [Number(row) - 1, Number(column) - 1], value };
}

/** Values in reading order as the rows of a board. A value is the text of its cell. */
export function boardOf(values: readonly (string | number)[], columns: number): Grid {
  const rows: string[][] = [];
  for (let at = 0; at < values.length; at += columns) rows.push(values.slice(at, at + columns).map(String));
  return { rows };
}
