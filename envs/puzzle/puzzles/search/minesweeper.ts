import { z } from 'zod';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from '../grid/define-grid.ts';
import { countOf, flat, rowsOf } from '../grid/grid-search.ts';

const mine = '*';

const tables = new Map<number, readonly (readonly number[])[]>();

/** The cells around a cell, at most eight. The search asks for them all the time, so they are kept. */
function around(cell: number, side: number): readonly number[] {
  let table = tables.get(side);
  if (table === undefined) {
    const all = Array.from({ length: side * side }, (_, at) => at);
    const isNear = (at: number, other: number): boolean =>
      at !== other &&
      Math.abs((at % side) - (other % side)) <= 1 &&
      Math.abs(Math.floor(at / side) - Math.floor(other / side)) <= 1;
    table = all.map((at) => all.filter((other) => isNear(at, other)));
    tables.set(side, table);
  }
  return table[cell] ?? [];
}

const minesAround = (cells: readonly string[], cell: number, side: number): number =>
  around(cell, side).filter((near) => cells[near] === mine).length;

const isNumber = (mark: string | undefined): boolean => mark !== undefined && mark >= '0' && mark <= '8';

export const minesweeperPuzzle = defineGrid({
  name: 'minesweeper',
  category: 'search',
  summary: 'Minesweeper as a puzzle: all mines of a board, by its numbers',
  rules:
    'Mark all mines (*). A number is a cell without a mine, and says how many of the eight cells around it have one. Other cells may have one.',
  question: z.strictObject({ rows: z.array(z.string()), mines: z.int().min(1) }),
  levels: [
    { side: 4, mines: 3, numbers: 6 },
    { side: 5, mines: 5, numbers: 9 },
    { side: 6, mines: 8, numbers: 12 },
    { side: 7, mines: 11, numbers: 16 },
  ],
  marks: mine,
  staysOpen: true,
  cells: ({ side }) => side * side,
  open: ({ side, numbers }) => side * side - numbers - 6,
  variety: (level) => (level === 1 ? 190_000 : 1e9),
  draw: (rng, { side, mines, numbers }, solutions) => {
    const places = new Set(rng.shuffle(Array.from({ length: side * side }, (_, at) => at)).slice(0, mines));
    const bare = Array.from({ length: side * side }, (_, at) => (places.has(at) ? mine : '.'));
    let cells = bare.map((mark, at) => (mark === mine ? mark : String(minesAround(bare, at, side))));
    const questionOf = (marks: readonly string[]) => ({
      rows: rowsOf(
        marks.map((mark) => (mark === mine ? '.' : mark)),
        side,
      ),
      mines,
    });
    if (solutions(questionOf(cells)) !== 1) return undefined;
    let shown = side * side - mines;
    for (const at of rng.shuffle([...cells.keys()])) {
      if (shown <= numbers) break;
      if (!isNumber(cells[at])) continue;
      const fewer = cells.with(at, '.');
      if (solutions(questionOf(fewer)) !== 1) continue;
      cells = fewer;
      shown -= 1;
    }
    if (shown > numbers + 6) return undefined;
    return { question: questionOf(cells), solution: rowsOf(cells, side) };
  },
  start: ({ rows }) => rows,
  render: ({ mines }, rows) => [...rows.map(spaced), `Mines: ${mines}`].join('\n'),
  isRight: ({ mines }, rows) => {
    const cells = flat(rows);
    return (
      countOf(rows.join(''), mine) === mines &&
      cells.every((mark, at) => !isNumber(mark) || minesAround(cells, at, rows.length) === Number(mark))
    );
  },
  fits: ({ rows, mines }, cells, at) => {
    const side = rows.length;
    const counted = (cell: number): boolean => {
      if (!isNumber(cells[cell])) return true;
      const wanted = Number(cells[cell]);
      let [found, open] = [0, 0];
      for (const near of around(cell, side)) {
        if (cells[near] === mine) found += 1;
        else if (near > at && cells[near] === '.') open += 1;
      }
      return found <= wanted && found + open >= wanted;
    };
    if (!counted(at) || !around(at, side).every(counted)) return false;
    let found = 0;
    for (let cell = 0; cell <= at; cell += 1) if (cells[cell] === mine) found += 1;
    return found <= mines;
  },
  allows: ({ mines }, rows, { row, column }) => {
    const cells = flat(rows);
    const side = rows.length;
    return (
      countOf(rows.join(''), mine) < mines &&
      around(row * side + column, side).every(
        (near) => !isNumber(cells[near]) || minesAround(cells, near, side) < Number(cells[near]),
      )
    );
  },
});
