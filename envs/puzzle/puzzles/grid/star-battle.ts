import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { defineGrid } from './define-grid.ts';
import { columnsOf, countOf, rowsOf, type GridFound } from './grid-search.ts';

/** Columns of the stars by row: one a row and column, and never touching the star of the row above. */
function drawStars(rng: Rng, side: number): number[] | undefined {
  const stars = rng.shuffle(Array.from({ length: side }, (_, column) => column));
  const isApart = stars.every((column, row) => row === 0 || Math.abs(column - (stars[row - 1] ?? 0)) > 1);
  return isApart ? stars : undefined;
}

/** Grows one region from each star until the grid is full. */
function drawRegions(rng: Rng, stars: readonly number[]): string[] {
  const side = stars.length;
  const cells = Array.from({ length: side * side }, () => '.');
  const edge: number[] = [];
  const claim = (cell: number, region: string): void => {
    cells[cell] = region;
    edge.push(cell);
  };
  for (const [row, column] of stars.entries()) claim(row * side + column, String.fromCharCode(65 + row));
  while (edge.length > 0) {
    const place = rng.int(edge.length);
    const cell = edge[place] ?? 0;
    const free = beside(cell, side).filter((other) => cells[other] === '.');
    if (free.length === 0) edge.splice(place, 1);
    else claim(rng.pick(free), cells[cell] ?? '');
  }
  return rowsOf(cells, side);
}

/** The cells above, below, left and right. */
function beside(cell: number, side: number): number[] {
  const [row, column] = [Math.floor(cell / side), cell % side];
  const list: number[] = [];
  if (row > 0) list.push(cell - side);
  if (row < side - 1) list.push(cell + side);
  if (column > 0) list.push(cell - 1);
  if (column < side - 1) list.push(cell + 1);
  return list;
}

const touches = (rows: readonly string[], row: number, column: number): boolean => {
  for (let down = -1; down <= 1; down += 1)
    for (let right = -1; right <= 1; right += 1)
      if ((down !== 0 || right !== 0) && rows[row + down]?.[column + right] === '*') return true;
  return false;
};

/** Places the stars row by row; used columns and regions are bits. */
function placeStars({ regions }: { readonly regions: readonly string[] }, most: number): GridFound {
  const side = regions.length;
  const codes = regions.map((row) => row.split('').map((letter) => 1 << (letter.charCodeAt(0) - 65)));
  const stars: number[] = [];
  const solutions: string[][] = [];
  let tried = 0;
  const place = (row: number, columns: number, taken: number): void => {
    if (row === side) {
      solutions.push(stars.flatMap((column) => starAt(column, side).split('')));
      return;
    }
    const above = stars[row - 1] ?? -2;
    for (let column = 0; column < side && solutions.length < most; column += 1) {
      const region = codes[row]?.[column] ?? 0;
      if ((columns >> column) & 1 || taken & region || Math.abs(above - column) <= 1) continue;
      tried += 1;
      stars.push(column);
      place(row + 1, columns | (1 << column), taken | region);
      stars.pop();
    }
  };
  place(0, 0, 0);
  return { solutions, tried };
}

const starAt = (column: number, side: number): string =>
  `${'.'.repeat(column)}*${'.'.repeat(side - column - 1)}`;

/** Whether no star that stands rules the cell out. */
function canStand(regions: readonly string[], rows: readonly string[], row: number, column: number): boolean {
  const region = regions[row]?.[column];
  return rows.every((line, at) => {
    const star = line.indexOf('*');
    if (star < 0) return true;
    const isNear = Math.abs(at - row) <= 1 && Math.abs(star - column) <= 1;
    return at !== row && star !== column && regions[at]?.[star] !== region && !isNear;
  });
}

export const starBattle = defineGrid({
  name: 'star-battle',
  category: 'grid',
  summary: 'Star Battle: one star in each row, column and region',
  rules:
    'Place stars (*) in the grid. Each row, each column and each region has one star. Stars do not touch each other, not even diagonally. The first grid shows the regions: cells with the same letter form a region.',
  question: z.strictObject({ regions: z.array(z.string()) }),
  levels: [5, 6, 7],
  marks: '*',
  staysOpen: true,
  cells: (side) => side * side,
  open: (side) => side * side,
  draw: (rng, side, solutions) => {
    const stars = drawStars(rng, side);
    if (stars === undefined) return undefined;
    const question = { regions: drawRegions(rng, stars) };
    if (solutions(question) !== 1) return undefined;
    return {
      question,
      solution: stars.map((column) => starAt(column, side)),
    };
  },
  start: ({ regions }) => regions.map((row) => '.'.repeat(row.length)),
  render: ({ regions }, rows) => `Regions:\n${regions.join('\n')}\nGrid:\n${rows.join('\n')}`,
  isRight: ({ regions }, rows) => {
    const starred = rows.flatMap((line, row) => {
      const column = line.indexOf('*');
      return column < 0 ? [] : [regions[row]?.[column] ?? ''];
    });
    return (
      rows.every((line) => countOf(line, '*') === 1) &&
      columnsOf(rows).every((line) => countOf(line, '*') === 1) &&
      new Set(starred).size === regions.length &&
      rows.every((line, row) => !touches(rows, row, line.indexOf('*')))
    );
  },
  fits: ({ regions }, cells, at) => {
    const side = regions.length;
    const [row, column] = [Math.floor(at / side), at % side];
    const start = row * side;
    if (cells[at] !== '*') return column < side - 1 || cells.slice(start, at + 1).includes('*');
    const region = regions[row]?.[column];
    for (let before = 0; before < at; before += 1) {
      if (cells[before] !== '*') continue;
      const [above, left] = [Math.floor(before / side), before % side];
      if (above === row || left === column || regions[above]?.[left] === region) return false;
      if (row - above === 1 && Math.abs(left - column) <= 1) return false;
    }
    return true;
  },
  solver: placeStars,
  allows: ({ regions }, rows, { row, column }) => canStand(regions, rows, row, column),
  variety: (level) => (level === 1 ? 100_000 : 1e9),
  // an open cell says how many open cells its region has; a cell that a star rules out is closed
  board: ({ regions }, rows) => {
    const isOpen = (row: number, column: number): boolean => canStand(regions, rows, row, column);
    const open = new Map<string, number>();
    for (const [row, line] of regions.entries())
      for (const [column, region] of line.split('').entries())
        if (isOpen(row, column)) open.set(region, (open.get(region) ?? 0) + 1);
    return {
      rows: rows.map((line, row) =>
        line.split('').map((mark, column) => {
          if (mark === '*') return mark;
          return isOpen(row, column) ? `one of ${open.get(regions[row]?.[column] ?? '') ?? 0}` : 'closed';
        }),
      ),
    };
  },
});
