import { z } from 'zod';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from '../grid/define-grid.ts';
import { columnsOf } from '../grid/grid-search.ts';

/** The sum of the places of the stars of a line, counted from 1. */
function sumOf(line: string): number {
  let sum = 0;
  for (let at = 0; at < line.length; at += 1) if (line[at] === '*') sum += at + 1;
  return sum;
}

const sums = z.array(z.int().min(0).max(100));

export const kakurasu = defineGrid({
  name: 'kakurasu',
  category: 'search',
  summary: 'Kakurasu: stars whose places add up to the sums of rows and columns',
  rules:
    'Place stars (*) in the grid. A star counts its column number for its row, and its row number for its column, both from 1. Each row and each column must have the sum that stands beside or below it.',
  question: z.strictObject({ rowSums: sums, columnSums: sums }),
  levels: [4, 5, 6],
  marks: '*',
  staysOpen: true,
  cells: (side) => side * side,
  open: (side) => side * side,
  draw: (rng, side, solutions) => {
    const rows = Array.from({ length: side }, () =>
      Array.from({ length: side }, () => (rng.int(2) === 0 ? '*' : '.')).join(''),
    );
    const question = { rowSums: rows.map(sumOf), columnSums: columnsOf(rows).map(sumOf) };
    return solutions(question) === 1 ? { question, solution: rows } : undefined;
  },
  start: ({ rowSums, columnSums }) => rowSums.map(() => '.'.repeat(columnSums.length)),
  render: ({ rowSums, columnSums }, rows) =>
    [
      ...rows.map((row, at) => `${spaced(row)} | ${rowSums[at]}`),
      `Sums of columns: ${columnSums.join(' ')}`,
    ].join('\n'),
  isRight: ({ rowSums, columnSums }, rows) =>
    rows.every((row, at) => sumOf(row) === rowSums[at]) &&
    columnsOf(rows).every((column, at) => sumOf(column) === columnSums[at]),
  fits: ({ rowSums, columnSums }, cells, at) => {
    const side = columnSums.length;
    const [row, column] = [Math.floor(at / side), at % side];
    let [across, down] = [0, 0];
    for (let before = 0; before <= column; before += 1)
      if (cells[row * side + before] === '*') across += before + 1;
    for (let above = 0; above <= row; above += 1) if (cells[above * side + column] === '*') down += above + 1;
    const [wanted, below] = [rowSums[row] ?? 0, columnSums[column] ?? 0];
    const restAcross = (side * (side + 1)) / 2 - ((column + 1) * (column + 2)) / 2;
    const restDown = (rowSums.length * (rowSums.length + 1)) / 2 - ((row + 1) * (row + 2)) / 2;
    return across <= wanted && across + restAcross >= wanted && down <= below && down + restDown >= below;
  },
  allows: ({ rowSums, columnSums }, rows, { row, column }) => {
    const down = rows.map((line) => line[column]).join('');
    return (
      sumOf(rows[row] ?? '') + column + 1 <= (rowSums[row] ?? 0) &&
      sumOf(down) + row + 1 <= (columnSums[column] ?? 0)
    );
  },
  variety: (level) => (level === 1 ? 20_000 : level === 2 ? 5_000_000 : 1e9),
  // an open cell says what a star there would leave of the sums of its row and of its column
  board: ({ rowSums, columnSums }, rows) => {
    const columns = columnsOf(rows);
    return {
      rows: rows.map((line, row) =>
        line.split('').map((mark, column) => {
          if (mark === '*') return mark;
          const across = (rowSums[row] ?? 0) - sumOf(line) - column - 1;
          const down = (columnSums[column] ?? 0) - sumOf(columns[column] ?? '') - row - 1;
          return across < 0 || down < 0 ? 'closed' : `leaves ${across} and ${down}`;
        }),
      ),
    };
  },
});
