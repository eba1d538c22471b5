import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';

/** Each piece has three rows of three characters; its outer rows and columns are its borders. Pieces are named A, B, C and so on. */
const piece = z.array(z.string().regex(/^[.#o+]{3}$/)).length(3);
const board = { side: z.int().min(2).max(4), pieces: z.array(piece).min(4).max(16) };
const question = z.strictObject(board);
/** `order` has the pieces from left to right and from top to bottom. */
const state = z.strictObject({ ...board, order: z.array(z.int().min(0).max(15)) });
interface Jigsaw {
  readonly side: number;
  readonly pieces: readonly (readonly string[])[];
}

const signs = ['.', '#', 'o', '+'] as const;
const rowOf = (cells: readonly string[], row: number): string => cells[row] ?? '';
const columnOf = (cells: readonly string[], column: number): string =>
  cells.map((line) => line[column] ?? '').join('');

/** Which pieces fit to the right of each piece and below it, as bits. */
interface Fits {
  readonly right: readonly number[];
  readonly below: readonly number[];
}

const remembered = new WeakMap<readonly unknown[], Fits>();

function fitsOf({ pieces }: Pick<Jigsaw, 'pieces'>): Fits {
  const known = remembered.get(pieces);
  if (known !== undefined) return known;
  const borders = pieces.map((cells) => ({
    top: rowOf(cells, 0),
    bottom: rowOf(cells, 2),
    left: columnOf(cells, 0),
    right: columnOf(cells, 2),
  }));
  const bits = (of: (other: (typeof borders)[number]) => boolean): number =>
    borders.reduce((set, other, at) => (of(other) ? set | (1 << at) : set), 0);
  const fits = {
    right: borders.map(({ right }) => bits(({ left }) => left === right)),
    below: borders.map(({ bottom }) => bits(({ top }) => top === bottom)),
  };
  remembered.set(pieces, fits);
  return fits;
}

function isRight(given: Jigsaw, order: readonly number[]): boolean {
  const { side } = given;
  if (order.length !== side * side || new Set(order).size !== order.length) return false;
  const { right, below } = fitsOf(given);
  return order.every(
    (at, place) =>
      (place % side === 0 || (((right[order[place - 1] as number] as number) >> at) & 1) === 1) &&
      (place < side || (((below[order[place - side] as number] as number) >> at) & 1) === 1),
  );
}

/** How many borders of neighbours match. */
function matching(given: Jigsaw, order: readonly number[]): number {
  const { side } = given;
  const { right, below } = fitsOf(given);
  let count = 0;
  for (const [place, at] of order.entries()) {
    if (place % side !== 0) count += ((right[order[place - 1] as number] as number) >> at) & 1;
    if (place >= side) count += ((below[order[place - side] as number] as number) >> at) & 1;
  }
  return count;
}

/** The first arrangements in which all borders match, at most two, and the number of pieces that were tried. */
function solve(given: Jigsaw): { found: number[][]; tried: number } {
  const { side, pieces } = given;
  const { right, below } = fitsOf(given);
  const found: number[][] = [];
  const order: number[] = [];
  let tried = 0;
  const extend = (free: number): void => {
    const place = order.length;
    if (place === side * side) {
      found.push([...order]);
      return;
    }
    let open = free;
    if (place % side !== 0) open &= right[order[place - 1] as number] as number;
    if (place >= side) open &= below[order[place - side] as number] as number;
    for (; open !== 0 && found.length < 2; open &= open - 1) {
      const at = 31 - Math.clz32(open & -open);
      tried += 1;
      order.push(at);
      extend(free & ~(1 << at));
      order.pop();
    }
  };
  extend((1 << pieces.length) - 1);
  return { found, tried };
}

function cut(rng: Rng, side: number, colours: number): { pieces: string[][]; order: number[] } {
  const size = 2 * side + 1; // neighbours share the row or column between them
  const picture = Array.from({ length: size }, () =>
    Array.from({ length: size }, () => signs[rng.int(colours)] ?? '.'),
  );
  const order = rng.shuffle(Array.from({ length: side * side }, (_, at) => at));
  const pieces: string[][] = [];
  for (const [place, at] of order.entries()) {
    const [row, column] = [2 * Math.floor(place / side), 2 * (place % side)];
    pieces[at] = picture.slice(row, row + 3).map((line) => line.slice(column, column + 3).join(''));
  }
  return { pieces, order };
}

const letter = (at: number): string => String.fromCharCode(65 + at);
const write = (order: readonly number[], { side }: { readonly side: number }): string =>
  Array.from({ length: side }, (_, row) =>
    order
      .slice(row * side, (row + 1) * side)
      .map(letter)
      .join(' '),
  ).join('\n');
const show = ({ pieces }: Jigsaw): string =>
  pieces.map((cells, at) => `${letter(at)}\n${cells.join('\n')}`).join('\n\n');

export const jigsaw = definePuzzle({
  name: 'jigsaw',
  category: 'grid',
  summary: 'Jigsaw: arrange square pieces of a text picture so that their borders match',
  question,
  levels: [
    { side: 2, colours: 2 },
    { side: 2, colours: 4 },
    { side: 3, colours: 3 },
    { side: 4, colours: 4 },
  ],
  generate: (rng, { side, colours }) => {
    for (;;) {
      const { pieces, order } = cut(rng, side, colours);
      if (solve({ side, pieces }).found.length === 1)
        return { question: { side, pieces }, solution: order as readonly number[] };
    }
  },
  rules:
    'The pieces of a picture are squares of three by three characters. Arrange them in a square, without turning them. The right column of a piece must equal the left column of the piece to its right, and its bottom row the top row of the piece below it.',
  render: (given) => `Pieces for a square of ${given.side} by ${given.side}:\n${show(given)}`,
  answer: {
    format: 'the letters of the pieces as they lie: one line for each row, with blanks between the letters.',
    write,
    read: (text, { side }) => {
      const lines = text
        .toUpperCase()
        .split('\n')
        .map((line) => line.replaceAll(/[\s,|]/g, ''));
      if (lines.length !== side || lines.some((line) => line.length !== side)) return undefined;
      const order = lines
        .join('')
        .split('')
        .map((each) => each.charCodeAt(0) - 65);
      return order.every((at) => at >= 0 && at < side * side) ? order : undefined;
    },
  },
  verify: isRight,
  unique: true,
  solve: (given) => {
    const { found, tried } = solve(given);
    return { answers: found, effort: tried };
  },
  audit: {
    guess: ({ pieces }, rng) => rng.shuffle(pieces.map((_cells, at) => at)),
    chance: (level) => (level < 3 ? 1 / 24 : 0.0001),
    mutants: (order, _given, rng) => {
      const [first, second] = rng.shuffle(order.map((_at, place) => place)).slice(0, 2) as [number, number];
      return {
        'two pieces swapped': order.with(first, order[second] as number).with(second, order[first] as number),
        'a piece twice': order.with(first, order[second] as number),
        'turned by half': order.toReversed(),
      };
    },
    equivalents: (order, given) => ({
      'without blanks': write(order, given).replaceAll(' ', ''),
      'small letters': write(order, given).toLowerCase(),
      bars: write(order, given).replaceAll(' ', ' | '),
    }),
    variety: (level) => (level === 1 ? 1e6 : 1e9),
  },
  moves: {
    rules: 'The pieces lie in the order of their letters at first. A move swaps two pieces: "swap A and C".',
    state,
    start: (given) => ({ ...given, order: given.pieces.map((_cells, at) => at) }),
    render: (at) => `${show(at)}\n\nThey lie like this:\n${write(at.order, at)}`,
    list: ({ pieces }) => swapsOf(pieces.length),
    play: (at, move) => {
      const [one, other] = [move.charCodeAt(5) - 65, move.charCodeAt(11) - 65];
      const [first, second] = [at.order.indexOf(one), at.order.indexOf(other)];
      return { ...at, order: at.order.with(first, other).with(second, one) };
    },
    isSolved: (at) => isRight(at, at.order),
    plan: ({ pieces }, solution) =>
      swapsTo(
        pieces.map((_cells, at) => at),
        solution,
      ),
    next: (at) => swapsTo(at.order, solve(at).found[0] ?? at.order)[0],
    turnLimit: ({ side }) => 3 * side * side,
    // pieces by rows and columns: how many more borders match after their swap
    features: (at) => {
      const now = matching(at, at.order);
      const count = at.order.length;
      const cells = Array.from({ length: count * count }, () => '-');
      for (let first = 0; first < count; first += 1) {
        for (let second = first + 1; second < count; second += 1) {
          const [a, b] = [at.order[first] as number, at.order[second] as number];
          const gain = matching(at, at.order.with(first, b).with(second, a)) - now;
          cells[Math.min(a, b) * count + Math.max(a, b)] = String(gain);
        }
      }
      return { grid: boardOf(cells, count), fields: { missing: 2 * at.side * (at.side - 1) - now } };
    },
    target: (move) => ({ verb: 'swap', cell: [move.charCodeAt(5) - 65, move.charCodeAt(11) - 65] }),
  },
});

const swaps = new Map<number, readonly string[]>();

/** All swaps of a number of pieces. */
function swapsOf(count: number): readonly string[] {
  const known = swaps.get(count);
  if (known !== undefined) return known;
  const list: string[] = [];
  for (let a = 0; a < count; a += 1)
    for (let b = a + 1; b < count; b += 1) list.push(`swap ${letter(a)} and ${letter(b)}`);
  swaps.set(count, list);
  return list;
}

/** Swaps that turn one order into another: each brings the right piece to the first place where it is missing. */
function swapsTo(from: readonly number[], to: readonly number[]): string[] {
  const order = [...from];
  const list: string[] = [];
  for (const [place, wanted] of to.entries()) {
    const here = order[place] as number;
    if (here === wanted) continue;
    const [a, b] = [Math.min(here, wanted), Math.max(here, wanted)];
    list.push(`swap ${letter(a)} and ${letter(b)}`);
    order[order.indexOf(wanted)] = here;
    order[place] = wanted;
  }
  return list;
}
