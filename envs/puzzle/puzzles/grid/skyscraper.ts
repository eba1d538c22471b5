import { z } from 'zod';
import type { Frozen } from '../../../kit/snapshot.ts';
import { spaced } from '../../grid-text.ts';
import { defineGrid } from './define-grid.ts';
import { columnsOf, flat, rowsOf, searchGrid, type GridFound } from './grid-search.ts';

const clues = z.array(z.int().min(0).max(99));
const question = z.strictObject({
  rows: z.array(z.string()),
  top: clues,
  bottom: clues,
  left: clues,
  right: clues,
});

interface Size {
  readonly side: number;
  /** The share of clues that are left out, as one of so many; 0: none. */
  readonly hidden: number;
}

/** What is seen from the start of a line: a building hides all lower ones behind it. */
function seen(line: string, isSum: boolean): number {
  let [tallest, total] = [0, 0];
  for (const digit of line.split('').map(Number)) {
    if (digit <= tallest) continue;
    tallest = digit;
    total += isSum ? digit : 1;
  }
  return total;
}

const backwards = (line: string): string => line.split('').toReversed().join('');

/** Whether a full line has its clues; 0 stands for no clue. */
const agrees = (line: string, [first = 0, last = 0]: readonly number[], isSum: boolean): boolean =>
  (first === 0 || seen(line, isSum) === first) && (last === 0 || seen(backwards(line), isSum) === last);

/** Whether a digit is not yet in the row and column before it. */
function isNew(cells: readonly string[], at: number, side: number): boolean {
  const column = at % side;
  for (let before = at - column; before < at; before += 1) if (cells[before] === cells[at]) return false;
  for (let above = column; above < at; above += side) if (cells[above] === cells[at]) return false;
  return true;
}

/** A full line and what is seen from both of its ends. */
interface Skyline {
  readonly line: string;
  readonly ends: readonly [number, number];
}

/** All full lines of a side. */
function skylines(side: number, isSum: boolean): readonly Skyline[] {
  const grow = (line: string): string[] =>
    line.length === side
      ? [line]
      : Array.from({ length: side }, (_, height) => String(height + 1))
          .filter((height) => !line.includes(height))
          .flatMap((height) => grow(line + height));
  return grow('').map((line) => ({ line, ends: [seen(line, isSum), seen(backwards(line), isSum)] }));
}

/** Chooses a full line for each row, with no height twice in a column. */
function raise(
  { rows, top, bottom, left, right }: Frozen<z.output<typeof question>>,
  {
    lines,
    isSum,
    most,
  }: { readonly lines: readonly Skyline[]; readonly isSum: boolean; readonly most: number },
): GridFound {
  const fitting = rows.map((given, row) =>
    lines.filter(({ line, ends: [first, last] }) => {
      const isSeen = [0, first].includes(left[row] ?? 0) && [0, last].includes(right[row] ?? 0);
      return isSeen && given.split('').every((mark, column) => mark === '.' || mark === line[column]);
    }),
  );
  const chosen: string[] = [];
  const solutions: string[][] = [];
  let tried = 0;
  const choose = (row: number): void => {
    if (row === rows.length) {
      const isSeen = columnsOf(chosen).every((line, at) =>
        agrees(line, [top[at] ?? 0, bottom[at] ?? 0], isSum),
      );
      if (isSeen) solutions.push(flat(chosen));
      return;
    }
    for (const { line } of fitting[row] ?? []) {
      if (chosen.some((other) => meets(other, line))) continue;
      tried += 1;
      chosen.push(line);
      choose(row + 1);
      chosen.pop();
      if (solutions.length >= most) return;
    }
  };
  choose(0);
  return { solutions, tried };
}

/** Whether two lines have the same height in a column. */
function meets(a: string, b: string): boolean {
  for (let at = 0; at < a.length; at += 1) if (a[at] === b[at]) return true;
  return false;
}

/** Digits 1 to the side, each once in every row and column, with clues at the edges. */
function defineSkyscraper<Name extends string>(name: Name, isSum: boolean) {
  const what = isSum ? 'the sum of the visible heights' : 'how many buildings are visible';
  const linesOf = new Map([4, 5].map((side) => [side, skylines(side, isSum)]));
  return defineGrid({
    name,
    category: 'grid',
    summary: isSum
      ? 'Sum Skyscraper: heights with sums at the edges'
      : 'Skyscraper: heights with counts at the edges',
    rules: `Fill the open cells with heights from 1 to the number of rows. Each row and each column has each height once. A building hides all lower ones behind it. A number at the edge is ${what} from there; 0 means that nothing is known.`,
    question,
    levels: [
      { side: 4, hidden: 4 },
      { side: 4, hidden: 2 },
      { side: 5, hidden: 5 },
    ] satisfies readonly Size[],
    marks: '12345',
    staysOpen: false,
    cells: ({ side }) => side * side,
    open: ({ side }) => side * side - side,
    draw: (rng, { side, hidden }, solutions) => {
      const cells = Array.from({ length: side * side }, () => '.');
      const options = Array.from({ length: side }, (_, height) => String(height + 1));
      const { solutions: found } = searchGrid({
        cells,
        options,
        fits: (made, at) => isNew(made, at, side),
        most: 1,
        rng,
      });
      const full = rowsOf(found[0] ?? cells, side);
      const look = (lines: readonly string[]) =>
        lines.map((line) => (hidden > 0 && rng.int(hidden) === 0 ? 0 : seen(line, isSum)));
      const edges = {
        top: look(columnsOf(full)),
        bottom: look(columnsOf(full).map(backwards)),
        left: look(full),
        right: look(full.map(backwards)),
      };
      // cells are shown until one solution is left
      for (const cell of [undefined, ...rng.shuffle([...cells.keys()]).slice(0, side)]) {
        if (cell !== undefined) cells[cell] = flat(full)[cell] ?? '.';
        const drawn = { rows: rowsOf(cells, side), ...edges };
        if (solutions(drawn) === 1) return { question: drawn, solution: full };
      }
      return undefined;
    },
    start: ({ rows }) => rows,
    render: ({ top, bottom, left, right }, rows) =>
      [
        `Top:    ${top.join(' ')}`,
        ...rows.map((row, at) => `${left[at]} | ${spaced(row)} | ${right[at]}`),
        `Bottom: ${bottom.join(' ')}`,
      ].join('\n'),
    isRight: ({ top, bottom, left, right }, rows) => {
      const isFull = (line: string): boolean =>
        new Set(line).size === rows.length && line.split('').every((height) => Number(height) <= rows.length);
      return (
        rows.every((row, at) => isFull(row) && agrees(row, [left[at] ?? 0, right[at] ?? 0], isSum)) &&
        columnsOf(rows).every(
          (line, at) => isFull(line) && agrees(line, [top[at] ?? 0, bottom[at] ?? 0], isSum),
        )
      );
    },
    fits: ({ top, bottom, left, right, rows }, cells, at) => {
      const side = rows.length;
      const [row, column] = [Math.floor(at / side), at % side];
      if (Number(cells[at]) > side || !isNew(cells, at, side)) return false;
      if (column === side - 1) {
        const line = cells.slice(row * side, at + 1).join('');
        if (!agrees(line, [left[row] ?? 0, right[row] ?? 0], isSum)) return false;
      }
      let down = '';
      for (let cell = column; cell <= at; cell += side) down += cells[cell] ?? '';
      const [above = 0, below = 0] = [top[column], bottom[column]];
      if (row === side - 1) return agrees(down, [above, below], isSum);
      return above === 0 || seen(down, isSum) <= above;
    },
    solver: (given, most) => raise(given, { lines: linesOf.get(given.rows.length) ?? [], isSum, most }),
    allows: (_question, rows, { row, column, mark }) =>
      Number(mark) <= rows.length &&
      rows[row]?.includes(mark) === false &&
      rows.every((line) => line[column] !== mark),
    variety: (level) => (level < 3 ? 200_000 : 1e9),
    board: ({ top, bottom, left, right }, rows) => {
      const clue = (number: number | undefined): string => (number ? `sees ${number}` : 'no clue');
      const edge = (clues: readonly number[]): readonly string[] => ['corner', ...clues.map(clue), 'corner'];
      return {
        rows: [
          edge(top),
          ...rows.map((row, at) => [clue(left[at]), ...row.split(''), clue(right[at])]),
          edge(bottom),
        ],
      };
    },
    margin: 1,
  });
}

export const skyscraper = defineSkyscraper('skyscraper', false);
export const sumSkyscraper = defineSkyscraper('sum-skyscraper', true);
