import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from '../grid/define-grid.ts';
import { columnsOf, flat, rowsOf } from '../grid/grid-search.ts';

const shaded = '#';

/** Whether all open cells are one group by their sides. */
function isConnected(cells: readonly string[], side: number): boolean {
  const open = cells.flatMap((mark, at) => (mark === shaded ? [] : [at]));
  const reached = new Set(open.slice(0, 1));
  for (const at of reached)
    for (const near of [at - side, at + side, at % side > 0 ? at - 1 : -1, (at + 1) % side > 0 ? at + 1 : -1])
      if (near >= 0 && near < cells.length && cells[near] !== shaded) reached.add(near);
  return reached.size === open.length;
}

const repeats = (digits: string, marks: string): boolean => {
  const left = digits.split('').filter((_digit, at) => marks[at] !== shaded);
  return new Set(left).size !== left.length;
};

/** Cells that can be shaded together: no two touch by a side, and the others stay one group. */
function shade(rng: Rng, side: number, amount: number): string[] {
  let cells: string[] = Array.from({ length: side * side }, () => '.');
  let left = amount;
  for (const at of rng.shuffle([...cells.keys()])) {
    if (left === 0) break;
    const sides = [at - side, at + side, at % side > 0 ? at - 1 : -1, (at + 1) % side > 0 ? at + 1 : -1];
    if (sides.some((near) => cells[near] === shaded)) continue;
    const more = cells.with(at, shaded);
    if (!isConnected(more, side)) continue;
    cells = more;
    left -= 1;
  }
  return cells;
}

/** A square of digits without repetition in rows and columns, in random order. */
function latin(rng: Rng, side: number): string[] {
  const [rows, columns, digits] = [0, 1, 2].map(() =>
    rng.shuffle(Array.from({ length: side }, (_, at) => at)),
  );
  return Array.from({ length: side * side }, (_, cell) => {
    const [row = 0, column = 0] = [rows?.[Math.floor(cell / side)], columns?.[cell % side]];
    return String((digits?.[(row + column) % side] ?? 0) + 1);
  });
}

export const hitori = defineGrid({
  name: 'hitori',
  category: 'search',
  summary: 'Hitori: shade cells so that no number repeats in a row or column',
  rules:
    'Shade cells (#) so that no number stands twice in a row or column among the cells that are not shaded. Shaded cells do not touch by a side. All cells that are not shaded are connected by their sides.',
  question: z.strictObject({ digits: z.array(z.string()) }),
  levels: [
    { side: 4, shaded: 4 },
    { side: 5, shaded: 7 },
    { side: 6, shaded: 10 },
  ],
  marks: shaded,
  staysOpen: true,
  cells: ({ side }) => side * side,
  open: ({ side }) => side * side,
  draw: (rng, { side, shaded: amount }, solutions) => {
    const marks = shade(rng, side, amount);
    const digits = latin(rng, side);
    for (const [at, mark] of marks.entries()) {
      if (mark !== shaded) continue;
      // a shaded cell repeats a number of its row or column
      const line = digits.filter(
        (_digit, cell) =>
          marks[cell] !== shaded &&
          (cell % side === at % side || Math.floor(cell / side) === Math.floor(at / side)),
      );
      digits[at] = rng.pick(line);
    }
    const question = { digits: rowsOf(digits, side) };
    return solutions(question) === 1 ? { question, solution: rowsOf(marks, side) } : undefined;
  },
  start: ({ digits }) => digits.map((row) => '.'.repeat(row.length)),
  render: ({ digits }, rows) =>
    digits
      .map((row, at) =>
        spaced(
          row
            .split('')
            .map((digit, column) => (rows[at]?.[column] === shaded ? shaded : digit))
            .join(''),
        ),
      )
      .join('\n'),
  isRight: ({ digits }, rows) => {
    const columns = columnsOf(rows);
    return (
      ![...rows, ...columns].some((line) => line.includes('##')) &&
      digits.every((row, at) => !repeats(row, rows[at] ?? '')) &&
      columnsOf(digits).every((column, at) => !repeats(column, columns[at] ?? '')) &&
      isConnected(flat(rows), digits.length)
    );
  },
  fits: ({ digits }, cells, at) => {
    const side = digits.length;
    const column = at % side;
    if (cells[at] === shaded) return !(column > 0 && cells[at - 1] === shaded) && cells[at - side] !== shaded;
    const digitAt = (cell: number): string => digits[Math.floor(cell / side)]?.[cell % side] ?? '';
    const digit = digitAt(at);
    for (let cell = at - column; cell < at; cell += 1)
      if (cells[cell] !== shaded && digitAt(cell) === digit) return false;
    for (let cell = column; cell < at; cell += side)
      if (cells[cell] !== shaded && digitAt(cell) === digit) return false;
    return true;
  },
  allows: (_question, rows, { row, column }) =>
    [
      rows[row]?.[column - 1],
      rows[row]?.[column + 1],
      rows[row - 1]?.[column],
      rows[row + 1]?.[column],
    ].every((mark) => mark !== shaded),
  variety: (level) => (level === 1 ? 800_000 : 1e9),
  // an open cell says how often its number stands in its row and in its column
  board: ({ digits }, rows) => {
    const columns = columnsOf(digits);
    return {
      rows: digits.map((line, row) =>
        line.split('').map((digit, column) => {
          if (rows[row]?.[column] === shaded) return shaded;
          const across = line
            .split('')
            .filter((one, at) => one === digit && rows[row]?.[at] !== shaded).length;
          const down = (columns[column] ?? '')
            .split('')
            .filter((one, at) => one === digit && rows[at]?.[column] !== shaded).length;
          return `${across} and ${down}`;
        }),
      ),
    };
  },
});
