import { z } from 'zod';
import type { ActionTarget, Features } from '../../../core/features.ts';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';

/** How far a tile moves in each direction, as row and column. */
const directions = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] } as const;
type Direction = keyof typeof directions;
const names = ['up', 'down', 'left', 'right'] as const satisfies readonly Direction[];
const byName = new Map<string, Direction>(
  names.flatMap((name) => [
    [name, name],
    [name.slice(0, 1), name],
  ]),
);
const opposite = (name: Direction): Direction => names[names.indexOf(name) ^ 1] as Direction;

/** The tiles by place, 0 for the hole. */
const question = z.strictObject({ tiles: z.array(z.int().min(0).max(15)) });
type Tiles = readonly number[];

/** The place of the tile that a move pushes into the hole; -1 where there is none. */
function pushed(hole: number, side: number, name: Direction): number {
  const [down, right] = directions[name];
  const [row, column] = [Math.floor(hole / side) - down, (hole % side) - right];
  return row < 0 || column < 0 || row >= side || column >= side ? -1 : row * side + column;
}

function push(tiles: Tiles, side: number, name: Direction): number[] | undefined {
  const hole = tiles.indexOf(0);
  const place = pushed(hole, side, name);
  if (place < 0) return undefined;
  const next = [...tiles];
  [next[hole], next[place]] = [tiles[place] as number, 0];
  return next;
}

/** The tiles in order and the hole at the end. */
const isSorted = (tiles: Tiles): boolean => tiles.every((tile, place) => tile === (place + 1) % tiles.length);

/** The steps that all tiles are away from home, rows plus columns. */
function distance(tiles: Tiles, side: number): number {
  let sum = 0;
  for (let place = 0; place < tiles.length; place += 1) {
    const home = (tiles[place] as number) - 1;
    if (home < 0) continue;
    sum += Math.abs(Math.floor(place / side) - Math.floor(home / side));
    sum += Math.abs((place % side) - (home % side));
  }
  return sum;
}

/** The board around the hole, and for each move whether the tile comes nearer to its home. */
function featuresOf(tiles: Tiles, side: number): Features {
  const hole = tiles.indexOf(0);
  const now = distance(tiles, side);
  const fields: Record<string, string> = {};
  for (const name of names) {
    const after = push(tiles, side, name);
    if (after !== undefined) fields[name] = distance(after, side) < now ? 'nearer' : 'farther';
  }
  return { grid: { ...boardOf(tiles, side), focus: [Math.floor(hole / side), hole % side] }, fields };
}

/** The tile that moves lies on the other side of the hole. */
const targetOf = (move: string): ActionTarget => ({
  verb: 'slide',
  value: move,
  direction: directions[opposite(byName.get(move) ?? 'up')],
});

/** Places that a search may visit. */
const mostVisited = 200_000;
/** The distance counts this many times: the search then is greedy, and finds some way quickly instead of a shortest one. */
const greed = 3;

interface Node {
  readonly tiles: Tiles;
  readonly moves: number;
  readonly by: Direction | undefined;
  readonly before: Node | undefined;
}

/** Some moves that sort the tiles: A* with a weighted distance (Pohl 1970). Undefined where they cannot be sorted. */
function sort(
  start: Tiles,
  side: number,
): { readonly moves: readonly Direction[] | undefined; readonly visited: number } {
  const seen = new Set<string>();
  const open: Node[][] = []; // by estimate
  const add = (node: Node): number => {
    const estimate = node.moves + greed * distance(node.tiles, side);
    (open[estimate] ??= []).push(node);
    return estimate;
  };
  let at = add({ tiles: start, moves: 0, by: undefined, before: undefined });
  while (at < open.length && seen.size < mostVisited) {
    const node = open[at]?.pop();
    if (node === undefined) {
      at += 1;
      continue;
    }
    const key = String.fromCharCode(...node.tiles);
    if (seen.has(key)) continue;
    seen.add(key);
    if (isSorted(node.tiles)) {
      const moves: Direction[] = [];
      for (let each: Node | undefined = node; each?.by !== undefined; each = each.before) moves.push(each.by);
      return { moves: moves.toReversed(), visited: seen.size };
    }
    for (const name of names) {
      if (node.by !== undefined && opposite(node.by) === name) continue;
      const tiles = push(node.tiles, side, name);
      if (tiles !== undefined)
        at = Math.min(at, add({ tiles, moves: node.moves + 1, by: name, before: node }));
    }
  }
  return { moves: undefined, visited: seen.size };
}

/** Tiles after random moves from the sorted board, none of which takes back the one before, and the way back. */
function scramble(rng: Rng, side: number, count: number): { tiles: Tiles; back: Direction[] } {
  let tiles: Tiles = Array.from({ length: side * side }, (_, place) => (place + 1) % (side * side));
  const back: Direction[] = [];
  while (back.length < count || isSorted(tiles)) {
    const name = rng.pick(names);
    const next = name === back.at(-1) ? undefined : push(tiles, side, name);
    if (next === undefined) continue;
    tiles = next;
    if (isSorted(tiles)) back.length = 0;
    else back.push(opposite(name));
  }
  return { tiles, back: back.toReversed() };
}

function defineSliding<Name extends string>({
  name,
  side,
  levels,
  chance,
  variety,
}: {
  readonly name: Name;
  readonly side: number;
  /** Random moves from the sorted board. */
  readonly levels: readonly number[];
  readonly chance: (level: number) => number;
  readonly variety: (level: number) => number;
}) {
  const last = side * side - 1;
  const draw = ({ tiles }: { readonly tiles: Tiles }): string =>
    Array.from({ length: side }, (_, row) =>
      tiles
        .slice(row * side, (row + 1) * side)
        .map((tile) => (tile === 0 ? '_' : String(tile)).padStart(String(last).length))
        .join(' '),
    ).join('\n');
  const write = (moves: readonly Direction[]): string => moves.join(' ');
  return definePuzzle({
    name,
    category: 'sequential',
    summary: `The ${last} puzzle: slide tiles until they are in order`,
    question,
    levels,
    generate: (rng, count) => {
      const { tiles, back } = scramble(rng, side, count);
      return { question: { tiles }, solution: back as readonly Direction[] };
    },
    rules: `The board has ${last} tiles and a hole, written _. A move slides a tile beside the hole into it: up, down, left or right is the way of the tile. Sort the tiles: the rows, read from left to right and from top to bottom, must hold 1 to ${last}, with the hole at the end.`,
    render: draw,
    answer: {
      format:
        'the moves in order: up, down, left and right, with blanks between them. Any number of moves is right.',
      write,
      read: (text) => {
        const moves = text
          .toLowerCase()
          .split(/[\s,]+/)
          .map((each) => byName.get(each));
        return moves.some((move) => move === undefined)
          ? undefined
          : moves.filter((move) => move !== undefined);
      },
    },
    verify: ({ tiles }, moves) => {
      const board = [...tiles];
      let hole = board.indexOf(0);
      for (const move of moves) {
        const place = pushed(hole, side, move);
        if (place < 0) return false;
        board[hole] = board[place] as number;
        board[place] = 0;
        hole = place;
      }
      return isSorted(board);
    },
    solve: ({ tiles }) => {
      const { moves, visited } = sort(tiles, side);
      return { answers: moves === undefined ? [] : [moves], effort: visited };
    },
    audit: {
      guess: (_given, rng) => Array.from({ length: levels[0] ?? 1 }, () => rng.pick(names)),
      chance,
      mutants: (moves, { tiles }, rng) => {
        const wall = names.find((each) => push(tiles, side, each) === undefined);
        return {
          'the last move missing': moves.length > 1 ? moves.slice(0, -1) : undefined,
          'one more move': [...moves, rng.pick(names)],
          'the last move twice': [...moves, moves.at(-1) as Direction],
          'a tile from beyond the border': wall === undefined ? undefined : [wall, opposite(wall), ...moves],
        };
      },
      equivalents: (moves) => ({
        'first letters': moves.map((move) => move.slice(0, 1)).join(' '),
        'commas between moves': moves.join(', '),
        'upper case': write(moves).toUpperCase(),
        'a move back and forth': write([
          ...moves,
          opposite(moves.at(-1) as Direction),
          moves.at(-1) as Direction,
        ]),
      }),
      variety,
    },
    moves: {
      rules: 'A move is up, down, left or right: the way of the tile that slides into the hole.',
      state: question,
      start: (start) => start,
      render: draw,
      list: ({ tiles }) => {
        const hole = tiles.indexOf(0);
        return names.filter((each) => pushed(hole, side, each) >= 0);
      },
      play: ({ tiles }, move) => ({ tiles: push(tiles, side, byName.get(move) ?? 'up') ?? [...tiles] }),
      isSolved: ({ tiles }) => isSorted(tiles),
      plan: (_question, moves) => moves,
      next: ({ tiles }) => sort(tiles, side).moves?.[0],
      key: ({ tiles }) => tiles.join(' '),
      turnLimit: (count) => 4 * count + 80,
      features: ({ tiles }) => featuresOf(tiles, side),
      target: targetOf,
    },
  });
}

export const eightPuzzle = defineSliding({
  name: 'eight-puzzle',
  side: 3,
  levels: [14, 20, 30, 60],
  chance: (level) => [0.005, 0.001, 0.001, 0.001][level - 1] ?? 0,
  variety: (level) => [150, 1_000, 10_000, 40_000][level - 1] ?? 1,
});

export const fifteenPuzzle = defineSliding({
  name: 'fifteen-puzzle',
  side: 4,
  levels: [14, 24, 40, 60],
  chance: (level) => [0.005, 0.001, 0.001, 0.001][level - 1] ?? 0,
  variety: (level) => [1_500, 1e6, 1e9, 1e9][level - 1] ?? 1,
});
