import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from '../grid/define-grid.ts';
import { flat, rowsOf } from '../grid/grid-search.ts';

const bulb = '*';
const isNumber = (mark: string | undefined): boolean => mark !== undefined && mark >= '0' && mark <= '4';
const isWall = (mark: string | undefined): boolean => mark === undefined || mark === '#' || isNumber(mark);

const tables = new Map<number, readonly (readonly number[])[]>();

/** The cells above, below, left and right of a cell; -1 outside of the board. The search asks for them all the time, so they are kept. */
function sides(cell: number, side: number): readonly number[] {
  let table = tables.get(side);
  if (table === undefined) {
    table = Array.from({ length: side * side }, (_, at) => [
      at - side,
      at + side < side * side ? at + side : -1,
      at % side > 0 ? at - 1 : -1,
      (at + 1) % side > 0 ? at + 1 : -1,
    ]).map((near) => near.map((at) => Math.max(at, -1)));
    tables.set(side, table);
  }
  return table[cell] ?? [];
}

/** The cells that light of a cell reaches up to walls, without the cell. */
function sight(cells: readonly string[], cell: number, side: number): number[] {
  const seen: number[] = [];
  for (let direction = 0; direction < 4; direction += 1) {
    let at = sides(cell, side)[direction] ?? -1;
    while (at >= 0 && !isWall(cells[at])) {
      seen.push(at);
      at = sides(at, side)[direction] ?? -1;
    }
  }
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
    { side: 5, walls: 6 },
    { side: 6, walls: 10 },
    { side: 7, walls: 14 },
  ],
  marks: bulb,
  staysOpen: true,
  cells: ({ side }) => side * side,
  open: ({ side, walls }) => side * side - walls,
  variety: (level) => (level === 1 ? 75_000 : 1e9),
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
      if (!isNumber(marks[cell]) || rng.uniform() < 0.4) continue;
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
      if (isNumber(mark)) return bulbsBeside(cells, at, side) === Number(mark);
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
      if (!isNumber(cells[cell])) return true;
      const wanted = Number(cells[cell]);
      let [bulbs, open] = [0, 0];
      for (const near of sides(cell, side)) {
        if (cells[near] === bulb) bulbs += 1;
        else if (near > at && cells[near] === '.') open += 1;
      }
      return bulbs <= wanted && bulbs + open >= wanted;
    };
    if (!isCounted(at) || !sides(at, side).every(isCounted)) return false;
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
        (near) => !isNumber(cells[near]) || bulbsBeside(cells, near, side) < Number(cells[near]),
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
