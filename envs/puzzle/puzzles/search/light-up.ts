import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from '../grid/define-grid.ts';
import { flat, rowsOf } from '../grid/grid-search.ts';

const bulb = '*';
const isWall = (mark: string | undefined): boolean => mark === undefined || /[#0-4]/.test(mark);

const sides = (cell: number, side: number): number[] => [
  cell - side,
  cell + side,
  cell % side > 0 ? cell - 1 : -1,
  (cell + 1) % side > 0 ? cell + 1 : -1,
];

/** The cells that light of a cell reaches up to walls, without the cell, in the directions that are given. */
function sight(cells: readonly string[], cell: number, side: number): number[] {
  const seen: number[] = [];
  for (let direction = 0; direction < 4; direction += 1)
    for (
      let at = sides(cell, side)[direction] ?? -1;
      !isWall(cells[at]);
      at = sides(at, side)[direction] ?? -1
    )
      seen.push(at);
  return seen;
}

const bulbsBeside = (cells: readonly string[], cell: number, side: number): number =>
  sides(cell, side).filter((near) => cells[near] === bulb).length;

const isLit = (cells: readonly string[], cell: number, side: number): boolean =>
  cells[cell] === bulb || sight(cells, cell, side).some((at) => cells[at] === bulb);

/** Walls in a pattern that looks the same upside down, lit by bulbs at random. */
function light(rng: Rng, side: number, walls: number): string[] {
  const cells = Array.from({ length: side * side }, () => '.');
  for (const cell of rng.shuffle([...cells.keys()]).slice(0, walls / 2))
    [cells[cell], cells[cells.length - 1 - cell]] = ['#', '#'];
  for (const cell of rng.shuffle([...cells.keys()]))
    if (cells[cell] === '.' && !isLit(cells, cell, side)) cells[cell] = bulb;
  return cells;
}

export const lightUp = defineGrid({
  name: 'light-up',
  category: 'search',
  summary: 'Light Up: bulbs that light every cell and not each other',
  rules:
    'Put bulbs (*) into open cells so that every open cell is lit. A bulb lights its row and column up to the next wall. No bulb lights another. A number is a wall with exactly that many bulbs directly above, below and beside it, and # is a wall with any number.',
  question: z.strictObject({ rows: z.array(z.string()) }),
  levels: [
    { side: 4, walls: 4 },
    { side: 5, walls: 6 },
    { side: 6, walls: 10 },
    { side: 7, walls: 14 },
  ],
  marks: bulb,
  staysOpen: true,
  cells: ({ side }) => side * side,
  open: ({ side, walls }) => side * side - walls,
  draw: (rng, { side, walls }, solutions) => {
    const cells = light(rng, side, walls);
    const numbered = cells.map((mark, at) => (mark === '#' ? String(bulbsBeside(cells, at, side)) : mark));
    const questionOf = (marks: readonly string[]) => ({
      rows: rowsOf(
        marks.map((mark) => (mark === bulb ? '.' : mark)),
        side,
      ),
    });
    let marks: string[] = numbered;
    if (solutions(questionOf(marks)) !== 1) return undefined;
    for (const cell of rng.shuffle([...marks.keys()])) {
      if (!/\d/.test(marks[cell] ?? '') || rng.uniform() < 0.4) continue;
      const fewer = marks.with(cell, '#');
      if (solutions(questionOf(fewer)) === 1) marks = fewer;
    }
    return { question: questionOf(marks), solution: rowsOf(marks, side) };
  },
  start: ({ rows }) => rows,
  render: (_question, rows) => rows.map(spaced).join('\n'),
  isRight: (_question, rows) => {
    const cells = flat(rows);
    const side = rows.length;
    return cells.every((mark, at) => {
      if (/\d/.test(mark)) return bulbsBeside(cells, at, side) === Number(mark);
      if (mark === '#') return true;
      return mark === bulb
        ? sight(cells, at, side).every((other) => cells[other] !== bulb)
        : isLit(cells, at, side);
    });
  },
  fits: ({ rows }, cells, at) => {
    const side = rows.length;
    const mark = cells[at] ?? '';
    const isCounted = (cell: number): boolean => {
      if (!/\d/.test(cells[cell] ?? '')) return true;
      const wanted = Number(cells[cell]);
      const [bulbs, later] = [bulbsBeside(cells, cell, side), sides(cell, side)];
      const open = later.filter((near) => near > at && near < cells.length && cells[near] === '.').length;
      return bulbs <= wanted && bulbs + open >= wanted;
    };
    if (
      !isCounted(at) ||
      !sides(at, side).every((near) => near < 0 || near >= cells.length || isCounted(near))
    )
      return false;
    if (mark === bulb) {
      for (let up = at - side; !isWall(cells[up]); up -= side) if (cells[up] === bulb) return false;
      for (let left = at; left % side > 0 && !isWall(cells[left - 1]); left -= 1)
        if (cells[left - 1] === bulb) return false;
    }
    // where the light of a cell cannot change any more, it must be lit
    for (const cell of [at, at - side, at - 1]) {
      if (cell < 0 || isWall(cells[cell]) || isLit(cells, cell, side)) continue;
      if (sight(cells, cell, side).every((other) => other <= at) && cell <= at) return false;
    }
    return true;
  },
  allows: (_question, rows, { row, column }) => {
    const cells = flat(rows);
    const side = rows.length;
    const at = row * side + column;
    return (
      !isLit(cells, at, side) &&
      sides(at, side).every(
        (near) => !/\d/.test(cells[near] ?? '') || bulbsBeside(cells, near, side) < Number(cells[near]),
      )
    );
  },
  board: (_question, rows) => {
    const cells = flat(rows);
    const side = rows.length;
    const marks = cells.map((mark, at) => (mark === '.' && isLit(cells, at, side) ? 'lit' : mark));
    return { rows: rows.map((_row, at) => marks.slice(at * side, (at + 1) * side)) };
  },
});
