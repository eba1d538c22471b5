import { z } from 'zod';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from './define-grid.ts';
import { columnsOf, countOf, flat, rowsOf, searchGrid } from './grid-search.ts';

interface Size {
  readonly side: number;
  readonly holes: number;
}

const isBalanced = (line: string): boolean =>
  !/000|111/.test(line) && countOf(line, '0') === countOf(line, '1');
const isMixed = (lines: readonly string[]): boolean =>
  lines.every(isBalanced) && new Set(lines).size === lines.length;

/** Whether the cell `at` can stand with those before it in its row and column. */
const fits = (cells: readonly string[], at: number, side: number): boolean =>
  isSound(cells, { from: at - (at % side), at, step: 1, side }) &&
  isSound(cells, { from: at % side, at, step: side, side });

interface Line {
  readonly from: number;
  readonly at: number;
  readonly step: number;
  readonly side: number;
}

/** Whether a line up to `at` ends with no three equal digits, and has at most half of them. */
function isSound(cells: readonly string[], { from, at, step, side }: Line): boolean {
  const digit = cells[at];
  if (at - 2 * step >= from && cells[at - step] === digit && cells[at - 2 * step] === digit) return false;
  let equal = 0;
  for (let cell = from; cell <= at; cell += step) if (cells[cell] === digit) equal += 1;
  return 2 * equal <= side;
}

export const binario = defineGrid({
  name: 'binario',
  category: 'grid',
  summary: 'Binario: a grid of 0 and 1 without three in a row',
  rules:
    'Fill the open cells with 0 and 1. Each row and each column has as many 0 as 1. No three equal digits stand side by side in a row or column. No two rows are equal, and no two columns are equal.',
  question: z.strictObject({ rows: z.array(z.string()) }),
  levels: [
    { side: 4, holes: 9 },
    { side: 6, holes: 20 },
    { side: 6, holes: 25 },
    { side: 8, holes: 36 },
  ] satisfies readonly Size[],
  marks: '01',
  staysOpen: false,
  cells: ({ side }) => side * side,
  open: ({ side }) => side,
  draw: (rng, { side, holes }, solutions) => {
    const open = Array.from({ length: side * side }, () => '.');
    const { solutions: found } = searchGrid({
      cells: open,
      options: ['0', '1'],
      fits: (cells, at) => fits(cells, at, side),
      most: 1,
      rng,
    });
    const full = rowsOf(found[0] ?? open, side);
    if (!isMixed(full) || !isMixed(columnsOf(full))) return undefined;
    let cells: readonly string[] = flat(full);
    let dug = 0;
    for (const cell of rng.shuffle([...cells.keys()])) {
      const fewer = cells.with(cell, '.');
      if (solutions({ rows: rowsOf(fewer, side) }) !== 1) continue;
      cells = fewer;
      dug += 1;
      if (dug === holes) break;
    }
    return dug < side ? undefined : { question: { rows: rowsOf(cells, side) }, solution: full };
  },
  start: ({ rows }) => rows,
  render: (_question, rows) => rows.map(spaced).join('\n'),
  isRight: (_question, rows) => isMixed(rows) && isMixed(columnsOf(rows)),
  fits: ({ rows }, cells, at) => fits(cells, at, rows.length),
  allows: (_question, rows, { row, column, mark }) => {
    const line = rows[row] ?? '';
    const across = line.slice(0, column) + mark + line.slice(column + 1);
    const down = rows.map((other, at) => (at === row ? mark : (other[column] ?? ''))).join('');
    const half = rows.length / 2;
    return [across, down].every((text) => !/000|111/.test(text) && countOf(text, mark) <= half);
  },
  variety: (level) => (level === 1 ? 50_000 : 1e9),
});
