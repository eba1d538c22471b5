import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from './define-grid.ts';
import { columnsOf, countOf, flat, rowsOf } from './grid-search.ts';

const counts = z.array(z.int().min(0).max(9));
const [tree, tent] = ['T', '^'];

/** Cells above, below and beside a cell. */
const beside = (cell: number, side: number): number[] =>
  [cell - side, cell + side, cell % side > 0 ? cell - 1 : -1, (cell + 1) % side > 0 ? cell + 1 : -1].filter(
    (near) => near >= 0 && near < side * side,
  );

const touches = (one: number, other: number, side: number): boolean =>
  Math.abs((one % side) - (other % side)) <= 1 &&
  Math.abs(Math.floor(one / side) - Math.floor(other / side)) <= 1;

/** Whether each tree can have a tent of its own beside it (Kuhn's augmenting paths). */
function canShare(trees: readonly number[], tents: readonly number[], side: number): boolean {
  const owner = new Map<number, number>();
  const settle = (at: number, tried: Set<number>): boolean =>
    beside(at, side).some((near) => {
      if (!tents.includes(near) || tried.has(near)) return false;
      tried.add(near);
      const before = owner.get(near);
      if (before !== undefined && !settle(before, tried)) return false;
      owner.set(near, at);
      return true;
    });
  return trees.length === tents.length && trees.every((at) => settle(at, new Set()));
}

const placesOf = (cells: readonly string[], mark: string): number[] =>
  cells.flatMap((each, at) => (each === mark ? [at] : []));

/** Trees with a tent each; undefined where there was no room. */
function pitch(rng: Rng, side: number, amount: number): string[] | undefined {
  const cells = Array.from({ length: side * side }, () => '.');
  for (const cell of rng.shuffle([...cells.keys()])) {
    if (placesOf(cells, tent).length === amount) return cells;
    if (cells[cell] !== '.' || placesOf(cells, tent).some((other) => touches(cell, other, side))) continue;
    const free = beside(cell, side).filter((near) => cells[near] === '.');
    if (free.length === 0) continue;
    cells[cell] = tent;
    cells[rng.pick(free)] = tree;
  }
  return undefined;
}

export const campsite = defineGrid({
  name: 'campsite',
  category: 'grid',
  summary: 'Campsite: a tent beside each tree, with the numbers of tents of rows and columns',
  rules:
    'Pitch tents (^) so that each tree (T) has a tent of its own directly above, below or beside it, and there are no other tents. No two tents touch, not even at a corner. Each row and each column has the number of tents that stands beside or below it.',
  question: z.strictObject({ rows: z.array(z.string()), rowCounts: counts, columnCounts: counts }),
  levels: [
    { side: 5, tents: 4 },
    { side: 6, tents: 6 },
    { side: 7, tents: 9 },
  ],
  marks: tent,
  staysOpen: true,
  cells: ({ side }) => side * side,
  open: ({ side, tents }) => side * side - tents,
  draw: (rng, { side, tents }, solutions) => {
    const cells = pitch(rng, side, tents);
    if (cells === undefined) return undefined;
    const solution = rowsOf(cells, side);
    const question = {
      rows: solution.map((row) => row.replaceAll(tent, '.')),
      rowCounts: solution.map((row) => countOf(row, tent)),
      columnCounts: columnsOf(solution).map((column) => countOf(column, tent)),
    };
    return solutions(question) === 1 ? { question, solution } : undefined;
  },
  start: ({ rows }) => rows,
  render: ({ rowCounts, columnCounts }, rows) =>
    [
      ...rows.map((row, at) => `${spaced(row)} | ${rowCounts[at]}`),
      `Tents of columns: ${columnCounts.join(' ')}`,
    ].join('\n'),
  isRight: ({ rowCounts, columnCounts }, rows) => {
    const cells = flat(rows);
    const tents = placesOf(cells, tent);
    return (
      rows.every((row, at) => countOf(row, tent) === rowCounts[at]) &&
      columnsOf(rows).every((column, at) => countOf(column, tent) === columnCounts[at]) &&
      tents.every((one, at) => !tents.slice(0, at).some((other) => touches(one, other, rows.length))) &&
      canShare(placesOf(cells, tree), tents, rows.length)
    );
  },
  fits: ({ rowCounts, columnCounts }, cells, at) => {
    const side = columnCounts.length;
    const [row, column] = [Math.floor(at / side), at % side];
    if (cells[at] === tent) {
      for (const before of [at - 1, at - side, at - side - 1, at - side + 1])
        if (cells[before] === tent && touches(at, before, side)) return false;
      if (!beside(at, side).some((near) => cells[near] === tree)) return false;
    }
    let [across, down] = [0, 0];
    for (let cell = row * side; cell <= at; cell += 1) if (cells[cell] === tent) across += 1;
    for (let cell = column; cell <= at; cell += side) if (cells[cell] === tent) down += 1;
    const [wanted, below] = [rowCounts[row] ?? 0, columnCounts[column] ?? 0];
    return (
      across <= wanted &&
      down <= below &&
      across + side - 1 - column >= wanted &&
      down + side - 1 - row >= below
    );
  },
  allows: ({ rowCounts, columnCounts }, rows, { row, column }) => {
    const side = rows.length;
    const cells = flat(rows);
    const at = row * side + column;
    return (
      countOf(rows[row] ?? '', tent) < (rowCounts[row] ?? 0) &&
      countOf(rows.map((line) => line[column]).join(''), tent) < (columnCounts[column] ?? 0) &&
      beside(at, side).some((near) => cells[near] === tree) &&
      !placesOf(cells, tent).some((other) => touches(at, other, side))
    );
  },
  variety: (level) => (level === 1 ? 80_000 : 1e9),
  board: ({ rowCounts, columnCounts }, rows) => ({
    rows: rows.map((line, row) =>
      line
        .split('')
        .map((mark, column) =>
          mark === '.' ? `row ${rowCounts[row]} column ${columnCounts[column]}` : mark,
        ),
    ),
  }),
});
