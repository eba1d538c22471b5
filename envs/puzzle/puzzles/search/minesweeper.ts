import { z } from 'zod';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from '../grid/define-grid.ts';
import { countOf, flat, rowsOf } from '../grid/grid-search.ts';

const mine = '*';

/** The eight cells around a cell. */
function around(cell: number, side: number): number[] {
  const [row, column] = [Math.floor(cell / side), cell % side];
  const cells: number[] = [];
  for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, side - 1); y += 1)
    for (let x = Math.max(column - 1, 0); x <= Math.min(column + 1, side - 1); x += 1)
      if (y !== row || x !== column) cells.push(y * side + x);
  return cells;
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
      const near = around(cell, side);
      const found = near.filter((one) => cells[one] === mine).length;
      const open = near.filter((one) => one > at && cells[one] === '.').length;
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
