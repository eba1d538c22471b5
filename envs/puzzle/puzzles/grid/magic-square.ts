import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';

/** The numbers of a square row by row; 0 is open. */
const question = z.strictObject({
  side: z.int().min(3).max(4),
  first: z.int().min(1),
  step: z.int().min(1),
  cells: z.array(z.int().min(0)),
});
type Square = Readonly<z.output<typeof question>>;
interface Given {
  readonly side: number;
  readonly first: number;
  readonly step: number;
  readonly cells: readonly number[];
}

/** The rows, columns and diagonals of a side, as cells. */
const linesOf = (side: number): readonly (readonly number[])[] => {
  const all = Array.from({ length: side }, (_, at) => at);
  return [
    ...all.map((row) => all.map((column) => row * side + column)),
    ...all.map((column) => all.map((row) => row * side + column)),
    all.map((at) => at * (side + 1)),
    all.map((at) => (at + 1) * (side - 1)),
  ];
};
const lines: Readonly<Record<number, readonly (readonly number[])[]>> = { 3: linesOf(3), 4: linesOf(4) };

const numbersOf = ({ side, first, step }: Given): number[] =>
  Array.from({ length: side * side }, (_, at) => first + at * step);

const sumOf = (given: Given): number => numbersOf(given).reduce((sum, one) => sum + one, 0) / given.side;

const isMagic = (given: Given, cells: readonly number[]): boolean => {
  const sum = sumOf(given);
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => numbersOf(given).includes(cell)) &&
    (lines[given.side] ?? []).every((line) => line.reduce((total, at) => total + (cells[at] ?? 0), 0) === sum)
  );
};

/** The lines of each cell of a side, as places in {@link lines}. */
const crossing = (side: number): number[][] =>
  Array.from({ length: side * side }, (_, cell) =>
    (lines[side] ?? []).flatMap((line, at) => (line.includes(cell) ? [at] : [])),
  );
const crossings: Readonly<Record<number, readonly (readonly number[])[]>> = {
  3: crossing(3),
  4: crossing(4),
};

/** Ways to complete a square, at most `most`: a cell that its line decides comes first. */
function complete(
  given: Given,
  most: number,
  rng?: Rng,
): { readonly found: number[][]; readonly tried: number } {
  const all = lines[given.side] ?? [];
  const through = crossings[given.side] ?? [];
  const cells = [...given.cells];
  const sum = sumOf(given);
  const rests = all.map((line) => line.reduce((rest, at) => rest - (cells[at] ?? 0), sum));
  const opens = all.map((line) => line.filter((at) => cells[at] === 0).length);
  const free = new Set(numbersOf(given).filter((one) => !cells.includes(one)));
  const found: number[][] = [];
  let tried = 0;
  const put = (at: number, value: number, sign: 1 | -1): void => {
    cells[at] = sign === 1 ? value : 0;
    for (const line of through[at] ?? []) {
      rests[line] = (rests[line] ?? 0) - sign * value;
      opens[line] = (opens[line] ?? 0) - sign;
    }
  };
  const search = (): void => {
    let decided: { readonly at: number; readonly value: number } | undefined;
    for (const [index, line] of all.entries()) {
      const [open = 0, rest = 0] = [opens[index], rests[index]];
      if (open === 0 && rest !== 0) return;
      if (open !== 1) continue;
      if (!free.has(rest)) return;
      decided = { at: line.find((at) => cells[at] === 0) ?? 0, value: rest };
    }
    const at = decided?.at ?? cells.indexOf(0);
    if (at < 0) {
      found.push([...cells]);
      return;
    }
    const options = decided === undefined ? [...free] : [decided.value];
    for (const option of rng === undefined ? options : rng.shuffle(options)) {
      tried += 1;
      free.delete(option);
      put(at, option, 1);
      search();
      put(at, option, -1);
      free.add(option);
      if (found.length >= most) return;
    }
  };
  search();
  return { found, tried };
}

const write = (cells: readonly number[], side: number): string =>
  Array.from({ length: side }, (_, row) => cells.slice(row * side, (row + 1) * side).join(' ')).join('\n');

const shown = (cells: readonly number[], side: number): string => {
  const widest = Math.max(...cells.map((cell) => String(cell).length), 2);
  return Array.from({ length: side }, (_, row) =>
    cells
      .slice(row * side, (row + 1) * side)
      .map((cell) => (cell === 0 ? '.' : String(cell)).padStart(widest))
      .join(' '),
  ).join('\n');
};

function draw(rng: Rng, side: number, holes: number) {
  const first = 1 + (side === 3 ? rng.int(60) : rng.int(20));
  const step = 1 + rng.int(side === 3 ? 9 : 5);
  const empty = { side, first, step, cells: Array.from({ length: side * side }, () => 0) };
  const [full = []] = complete(empty, 1, rng).found;
  let cells = [...full];
  let left = holes;
  for (const at of rng.shuffle([...cells.keys()])) {
    if (left === 0) break;
    const fewer = cells.with(at, 0);
    if (complete({ ...empty, cells: fewer }, 2).found.length !== 1) continue;
    cells = fewer;
    left -= 1;
  }
  return left > 0 ? undefined : { question: { ...empty, cells }, solution: full };
}

const moveOf = (at: number, side: number, value: number): string =>
  `row ${Math.floor(at / side) + 1} column ${(at % side) + 1} is ${value}`;

const openNumbers = (given: Given): number[] => numbersOf(given).filter((one) => !given.cells.includes(one));

export const magicSquare = definePuzzle({
  name: 'magic-square',
  category: 'grid',
  summary: 'Magic squares: rows, columns and diagonals with one sum',
  question,
  levels: [
    { side: 3, holes: 4 },
    { side: 3, holes: 6 },
    { side: 4, holes: 7 },
    { side: 4, holes: 10 },
  ],
  generate: (rng, { side, holes }) => {
    for (;;) {
      const drawn = draw(rng, side, holes);
      if (drawn !== undefined) return drawn;
    }
  },
  rules:
    'Fill the open cells (.) so that each row, each column and both diagonals have the same sum. The square has each of the given numbers once.',
  render: (given) =>
    `${shown(given.cells, given.side)}\nNumbers: ${numbersOf(given).join(' ')}\nSum: ${sumOf(given)}`,
  answer: {
    format: 'the whole square, one line a row, with blanks between the numbers.',
    write: (cells, { side }) => write(cells, side),
    read: (text, { side }) => {
      const rows = text.split('\n').map((line) => line.trim().split(/\s*[,|]\s*|\s+/));
      if (rows.length !== side || rows.some((row) => row.length !== side)) return undefined;
      return rows.flat().every((word) => /^\d{1,4}$/.test(word)) ? rows.flat().map(Number) : undefined;
    },
  },
  verify: (given, cells) =>
    given.cells.every((cell, at) => cell === 0 || cell === cells[at]) && isMagic(given, cells),
  unique: true,
  solve: (given) => {
    const { found, tried } = complete(given, 2);
    return { answers: found, effort: tried };
  },
  audit: {
    guess: (given, rng) => {
      const numbers = rng.shuffle(openNumbers(given));
      return given.cells.map((cell) => (cell === 0 ? (numbers.pop() ?? 0) : cell));
    },
    chance: (level) => [1 / 24, 1 / 720, 1 / 5040, 1e-6][level - 1] ?? 1,
    mutants: (solution, { cells }, rng) => {
      const [one = 0, other = 0] = rng.shuffle([...cells.keys()]);
      const swapped = solution.with(one, solution[other] ?? 0).with(other, solution[one] ?? 0);
      return {
        'two numbers exchanged': swapped,
        'one number larger': solution.with(one, (solution[one] ?? 0) + 1),
        'rows in another order': solution.toReversed(),
      };
    },
    equivalents: (solution, { side }) => ({
      commas: write(solution, side).replaceAll(' ', ', '),
      bars: write(solution, side).replaceAll(' ', ' | '),
    }),
    variety: (level) => [20_000, 50_000, 1e9, 1e9][level - 1] ?? 1,
  },
  moves: {
    rules: 'A move writes one of the numbers that are left into an open cell. No cell can be changed later.',
    state: question,
    start: (given) => given,
    render: (given) =>
      `${shown(given.cells, given.side)}\nNumbers that are left: ${openNumbers(given).join(' ')}\nSum: ${sumOf(given)}`,
    list: (given) =>
      given.cells.flatMap((cell, at) =>
        cell === 0 ? openNumbers(given).map((value) => moveOf(at, given.side, value)) : [],
      ),
    play: (given, move): Square => {
      const [, row = '', column = '', value = ''] = /^row (\d) column (\d) is (\d+)$/.exec(move) ?? [];
      const at = (Number(row) - 1) * given.side + Number(column) - 1;
      return { ...given, cells: given.cells.with(at, Number(value)) };
    },
    isSolved: (given) => isMagic(given, given.cells),
    plan: ({ cells, side }, solution) =>
      cells.flatMap((cell, at) => (cell === 0 ? [moveOf(at, side, solution[at] ?? 0)] : [])),
    next: (given) => {
      const [solution] = complete(given, 1).found;
      const at = given.cells.indexOf(0);
      return solution === undefined || at < 0 ? undefined : moveOf(at, given.side, solution[at] ?? 0);
    },
    turnLimit: ({ holes }) => holes,
    features: (given) => ({ grid: boardOf(given.cells, given.side), fields: { sum: sumOf(given) } }),
    target: (move) => {
      const [, row = '1', column = '1', value = ''] = /^row (\d) column (\d) is (\d+)$/.exec(move) ?? [];
      return { verb: 'write', cell: [Number(row) - 1, Number(column) - 1], value };
    },
  },
});
