import { terminalLine } from '../../envs/core/terminal-text.ts';

/**
 * Rows of text in columns as wide as needed, two spaces apart.
 * @param options.right columns that are right-aligned, such as numbers
 * @param options.indent spaces before each row
 */
export function layOut(
  rows: readonly (readonly string[])[],
  options: { readonly right?: readonly number[]; readonly indent?: number } = {},
): readonly string[] {
  const { right = [], indent = 0 } = options;
  const cells = rows.map((row) => row.map(terminalLine));
  const widths: number[] = [];
  for (const row of cells)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  const place = (cell: string, column: number): string =>
    right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return cells.map((row) => `${' '.repeat(indent)}${row.map(place).join('  ')}`.trimEnd());
}
