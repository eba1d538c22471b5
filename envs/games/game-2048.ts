import { z } from 'zod';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { directionNames, type Direction } from './directions.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from './recipes.ts';

const side = 4;

interface Tiles {
  /** Sixteen tiles row by row, as exponents of 2 in base 36; 0 is an empty cell. */
  readonly tiles: string;
}

const config = z.strictObject({
  target: z
    .union([z.literal(64), z.literal(128), z.literal(256), z.literal(512), z.literal(1024), z.literal(2048)])
    .default(256)
    .describe('the tile to reach; the original game is won with 2048'),
});

const exponent = (mark: string | undefined): number => Number.parseInt(mark ?? '0', 36);
const valueOf = (mark: string): number => (mark === '0' ? 0 : 2 ** exponent(mark));

/** The cells of each line, from the edge that its tiles move to. */
const lines: Readonly<Record<Direction, readonly (readonly number[])[]>> = {
  left: linesOf((line, at) => line * side + at),
  right: linesOf((line, at) => line * side + side - 1 - at),
  up: linesOf((line, at) => at * side + line),
  down: linesOf((line, at) => (side - 1 - at) * side + line),
};

function linesOf(cell: (line: number, at: number) => number): number[][] {
  return Array.from({ length: side }, (_, line) =>
    Array.from({ length: side }, (_unused, at) => cell(line, at)),
  );
}

/** Slides the tiles of a line. Two equal tiles become one, each tile once in a move. */
function slide(line: string): { readonly line: string; readonly score: number } {
  const tiles = line.replaceAll('0', '');
  let [merged, score] = ['', 0];
  for (let at = 0; at < tiles.length; at += 1) {
    if (tiles[at] !== tiles[at + 1]) {
      merged += tiles[at];
      continue;
    }
    const sum = exponent(tiles[at]) + 1;
    merged += sum.toString(36);
    score += 2 ** sum;
    at += 1;
  }
  return { line: merged.padEnd(side, '0'), score };
}

const slides = new Map<string, ReturnType<typeof slide>>();

function slideOnce(line: string): ReturnType<typeof slide> {
  const known = slides.get(line) ?? slide(line);
  if (slides.size < 100_000) slides.set(line, known);
  return known;
}

/** The tiles after a move, before a new one appears. They are the same where the move is impossible. */
function moved(tiles: string, direction: Direction): { readonly tiles: string; readonly score: number } {
  const after = tiles.split('');
  let score = 0;
  for (const cells of lines[direction]) {
    const slid = slideOnce(cells.map((cell) => tiles[cell]).join(''));
    score += slid.score;
    for (const [at, cell] of cells.entries()) after[cell] = slid.line[at] ?? '0';
  }
  return { tiles: after.join(''), score };
}

/** Adds a 2 with probability 0.9, or a 4, in an empty cell. */
function withNew(tiles: string, rng: Rng): string {
  const empty = tiles.split('').flatMap((mark, cell) => (mark === '0' ? [cell] : []));
  const cell = rng.pick(empty);
  return `${tiles.slice(0, cell)}${rng.uniform() < 0.9 ? '1' : '2'}${tiles.slice(cell + 1)}`;
}

const possible = (tiles: string): Direction[] =>
  directionNames.filter((direction) => moved(tiles, direction).tiles !== tiles);

const describe = ({ tiles }: Tiles): string =>
  Array.from({ length: side }, (_, row) =>
    tiles
      .slice(row * side, (row + 1) * side)
      .split('')
      .map((mark) => (mark === '0' ? '.' : String(valueOf(mark))).padStart(5))
      .join(''),
  ).join('\n');

const readTiles = (observation: string): string[][] =>
  observation.split('\n').map((row) => row.trim().split(/\s+/));

/** The tiles that an observation shows, as the state has them. */
const marksOf = (observation: string): string =>
  readTiles(observation)
    .flat()
    .map((mark) => (mark === '.' ? '0' : Math.log2(Number(mark)).toString(36)))
    .join('');

/** Weights that keep large tiles in a corner, in a snake from there. */
const weights = [15, 14, 13, 12, 8, 9, 10, 11, 7, 6, 5, 4, 0, 1, 2, 3].map((rank) => 1.6 ** rank);

const worthOf = (tiles: string): number =>
  tiles.split('').reduce((sum, mark, cell) => sum + valueOf(mark) * (weights[cell] ?? 0), 0);

/** The move with the best mean worth after the next tile and one more move. */
function bestMove(tiles: string): Direction {
  const worth = (direction: Direction): number => {
    const after = moved(tiles, direction).tiles;
    const empty = after.split('').flatMap((mark, cell) => (mark === '0' ? [cell] : []));
    // Four cells are enough to compare the moves.
    const worths = empty.slice(0, 4).map((cell) => {
      const next = `${after.slice(0, cell)}1${after.slice(cell + 1)}`;
      return Math.max(0, ...possible(next).map((one) => worthOf(moved(next, one).tiles)));
    });
    return worths.reduce((sum, one) => sum + one, 0) / Math.max(worths.length, 1);
  };
  const moves = possible(tiles).map((direction) => ({ direction, worth: worth(direction) }));
  return moves.toSorted((one, other) => other.worth - one.worth)[0]?.direction ?? 'up';
}

/**
 * 2048 by the rules of the original (Cirulli 2014): after each move a 2 appears with probability 0.9, or a 4. As there, the score of a move
 * is the sum of the merged tiles. An episode is solved when a tile reaches the target, and fails when no move is left.
 */
export const game2048Env = defineTextEnv({
  ...drawnTasks({
    id: 'game-2048-v1',
    config,
    instruction: ({ target }) =>
      `Slide the tiles up, down, left or right. Two equal tiles that meet become one of their sum. Reach ${target}.`,
    draw: (rng): Tiles => ({ tiles: withNew(withNew('0'.repeat(side * side), rng), rng) }),
  }),
  summary: '2048 by the rules of the original',
  deterministic: false,
  turnLimit: ({ target }) => target,
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'luck']),
  observe: describe,
  actions: ({ tiles }) => possible(tiles),
  step: ({ tiles }, action, { rng }, { target }) => {
    const { tiles: slid, score } = moved(tiles, action as Direction);
    const after = withNew(slid, rng);
    const state = { tiles: after };
    const reward = { score };
    if (after.includes(Math.log2(target).toString(36))) return { state, outcome: 'solved', reward };
    return possible(after).length === 0 ? { state, outcome: 'failed', reward } : { state, reward };
  },
  features: (observation) => {
    const tiles = marksOf(observation);
    const empty = (marks: string): number => marks.split('0').length - 1;
    return {
      grid: { rows: readTiles(observation) },
      // for each direction the tiles that merge
      fields: Object.fromEntries(
        directionNames.map((direction) => {
          const after = moved(tiles, direction).tiles;
          return [direction, after === tiles ? 'blocked' : `merges ${empty(after) - empty(tiles)}`];
        }),
      ),
    };
  },
  // a move slides the whole board: its kind is crossed with every cell of it
  target: (action) => ({ verb: action, cell: [0, 0] }),
  experts: {
    searcher: () => ({
      act: ({ observation }) => bestMove(marksOf(observation)),
    }),
  },
});
