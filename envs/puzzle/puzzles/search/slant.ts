import { z } from 'zod';
import { defineGrid } from '../grid/define-grid.ts';
import { flat, rowsOf } from '../grid/grid-search.ts';

const [rising, falling] = ['/', '\\'];

/** The two corners that a stroke connects, as numbers of a grid of `side + 1` by `side + 1` corners. */
function endsOf(cell: number, mark: string, side: number): readonly [number, number] {
  const wide = side + 1;
  const corner = Math.floor(cell / side) * wide + (cell % side);
  return mark === falling ? [corner, corner + wide + 1] : [corner + 1, corner + wide];
}

/** Whether strokes form no closed loop: each connects two groups of corners (union-find). */
function isOpenPath(cells: readonly string[], side: number): boolean {
  const group = Array.from({ length: (side + 1) ** 2 }, (_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (group[root] !== root) root = group[root] ?? root;
    group[at] = root;
    return root;
  };
  return cells.every((mark, cell) => {
    if (mark === '.') return true;
    const [one, other] = endsOf(cell, mark, side).map(rootOf);
    if (one === other || one === undefined || other === undefined) return false;
    group[one] = other;
    return true;
  });
}

/** How many strokes meet in each corner. */
function meetingsOf(cells: readonly string[], side: number): number[] {
  const meetings = Array.from({ length: (side + 1) ** 2 }, () => 0);
  for (const [cell, mark] of cells.entries())
    if (mark !== '.') for (const end of endsOf(cell, mark, side)) meetings[end] = (meetings[end] ?? 0) + 1;
  return meetings;
}

/** The cells around a corner. */
function cellsAt(corner: number, side: number): number[] {
  const [row, column] = [Math.floor(corner / (side + 1)), corner % (side + 1)];
  const cells: number[] = [];
  for (const y of [row - 1, row])
    for (const x of [column - 1, column])
      if (y >= 0 && x >= 0 && y < side && x < side) cells.push(y * side + x);
  return cells;
}

const cornersOf = (clues: readonly string[]): string[] => clues.join('').split('');

/** Whether the numbers of corners can still be reached. Cells after `at` may be open. */
function isCounted(clues: readonly string[], cells: readonly string[], corners: readonly number[]): boolean {
  const side = clues.length - 1;
  const marks = cornersOf(clues);
  return corners.every((corner) => {
    if (marks[corner] === '.') return true;
    const wanted = Number(marks[corner]);
    let [met, open] = [0, 0];
    for (const cell of cellsAt(corner, side)) {
      const mark = cells[cell] ?? '.';
      if (mark === '.') open += 1;
      else if (endsOf(cell, mark, side).includes(corner)) met += 1;
    }
    return met <= wanted && met + open >= wanted;
  });
}

const around = (cell: number, side: number): number[] => {
  const corner = Math.floor(cell / side) * (side + 1) + (cell % side);
  return [corner, corner + 1, corner + side + 1, corner + side + 2];
};

export const slant = defineGrid({
  name: 'slant',
  category: 'search',
  summary: 'Slant: a diagonal in each cell, with numbers at the corners and no loop',
  rules:
    'Draw one diagonal, / or \\, in each cell. A number at a corner of cells says how many diagonals end there. The diagonals form no closed loop.',
  question: z.strictObject({ clues: z.array(z.string()) }),
  levels: [
    { side: 3, hidden: 6 },
    { side: 4, hidden: 10 },
    { side: 5, hidden: 16 },
  ],
  marks: rising + falling,
  staysOpen: false,
  cells: ({ side }) => side * side,
  open: ({ side }) => side * side,
  draw: (rng, { side, hidden }, solutions) => {
    let cells: string[] = Array.from({ length: side * side }, () => '.');
    for (const cell of rng.shuffle([...cells.keys()])) {
      const [first, second] = rng.shuffle([rising, falling]);
      const one = cells.with(cell, first ?? rising);
      cells = isOpenPath(one, side) ? one : cells.with(cell, second ?? falling);
    }
    if (!isOpenPath(cells, side)) return undefined;
    let marks: string[] = meetingsOf(cells, side).map(String);
    const questionOf = (of: readonly string[]) => ({ clues: rowsOf(of, side + 1) });
    if (solutions(questionOf(marks)) !== 1) return undefined;
    let left: number = hidden;
    for (const corner of rng.shuffle([...marks.keys()])) {
      if (left === 0) break;
      const fewer = marks.with(corner, '.');
      if (solutions(questionOf(fewer)) !== 1) continue;
      marks = fewer;
      left -= 1;
    }
    return left > hidden / 2 ? undefined : { question: questionOf(marks), solution: rowsOf(cells, side) };
  },
  start: ({ clues }) => clues.slice(1).map((row) => '.'.repeat(row.length - 1)),
  render: ({ clues }, rows) =>
    clues
      .flatMap((line, at) => [
        line.split('').join('   '),
        ...(rows[at] === undefined ? [] : [`  ${rows[at].split('').join('   ')}`]),
      ])
      .join('\n'),
  isRight: ({ clues }, rows) => {
    const cells = flat(rows);
    return isOpenPath(cells, rows.length) && isCounted(clues, cells, [...cornersOf(clues).keys()]);
  },
  fits: ({ clues }, cells, at) => {
    const side = clues.length - 1;
    return isCounted(clues, cells, around(at, side)) && isOpenPath(cells, side);
  },
  allows: ({ clues }, rows, { row, column, mark }) => {
    const side = rows.length;
    const cells = flat(rows).with(row * side + column, mark);
    return isCounted(clues, cells, around(row * side + column, side)) && isOpenPath(cells, side);
  },
  variety: (level) => (level === 1 ? 5_000 : 1e6),
  // a cell says the numbers at its corners
  board: ({ clues }, rows) => ({
    rows: rows.map((line, row) =>
      line
        .split('')
        .map((mark, column) =>
          mark === '.'
            ? `${clues[row]?.slice(column, column + 2)}/${clues[row + 1]?.slice(column, column + 2)}`
            : mark,
        ),
    ),
  }),
});
