import { z } from 'zod';
import type { Searcher } from '../core/env.ts';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { beside, directionNames, directions, isSamePlace, type Direction, type Place } from './directions.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';
import { shortestPath } from './shortest-path.ts';

/** The mazes of LMRL-Gym, which have them from mazelab. `#` is a wall. */
const fixed = {
  'double-t': {
    map: [
      '#############',
      '#.....#.....#',
      '###.#####.###',
      '###.#####.###',
      '###.#####.###',
      '###.......###',
      '######.######',
      '######.######',
      '######.######',
      '#############',
    ].join('\n'),
    goal: [8, 6],
    start: [1, 1],
  },
  umaze: { map: ['#####', '#...#', '#.#.#', '#.#.#', '#####'].join('\n'), goal: [3, 3], start: [3, 1] },
} as const;

/** Rows and columns that hold every maze. */
const mostRows = 14;

interface Maze {
  readonly map: string;
  readonly goal: Place;
}
interface Walk {
  readonly maze: Maze;
  readonly at: Place;
  /** The places that the player has been to, in order of their texts. Only where the position is hidden. */
  readonly seen: readonly string[];
  readonly start: Place;
}

const config = z.strictObject({
  maze: z
    .enum(['generated', 'double-t', 'umaze'])
    .default('generated')
    .describe('a maze of LMRL-Gym, or a new one in each task'),
  view: z
    .enum(['full', 'partial'])
    .default('full')
    .describe('whether the player reads goal, position and walls, or the walls alone'),
});
type Config = z.output<typeof config>;

const isOpen = (map: string, [row, column]: Place): boolean => {
  const width = map.indexOf('\n') + 1;
  return map[row * width + column] === '.';
};

const openPlaces = (map: string): Place[] =>
  map
    .split('\n')
    .flatMap((line, row) =>
      line.split('').flatMap((mark, column): Place[] => (mark === '.' ? [[row, column]] : [])),
    );

/** A maze without loops of 4 by 5 rooms, carved by a random depth-first search. */
function carve(rng: Rng): string {
  const cells = Array.from({ length: 9 }, () => Array.from({ length: 11 }, () => '#'));
  const visit = (row: number, column: number): void => {
    (cells[row] as string[])[column] = '.';
    for (const name of rng.shuffle(directionNames)) {
      const [down, across] = directions[name];
      if (cells[row + 2 * down]?.[column + 2 * across] !== '#') continue;
      (cells[row + down] as string[])[column + across] = '.';
      visit(row + 2 * down, column + 2 * across);
    }
  };
  visit(1, 1);
  return cells.map((row) => row.join('')).join('\n');
}

function startAt(maze: Maze, at: Place, { view }: Config): Walk {
  return { maze, at, start: at, seen: view === 'partial' ? [textOf(at)] : [] };
}

function draw(rng: Rng, settings: Config): Walk {
  if (settings.maze !== 'generated') {
    const { map, goal } = fixed[settings.maze];
    const places = openPlaces(map).filter((place) => !isSamePlace(place, goal));
    return startAt({ map, goal }, rng.pick(places), settings);
  }
  const map = carve(rng);
  const [at = [1, 1], goal = [1, 1]] = rng.shuffle(openPlaces(map));
  return startAt({ map, goal }, at, settings);
}

const textOf = ([row, column]: Place): string => `${row},${column}`;
/** LMRL-Gym separates the digits of a coordinate by blanks, so that each is one token. */
const spaced = (coordinate: number): string => String(coordinate).split('').join(' ');

const sides = [
  ['right', 'to your right'],
  ['left', 'to your left'],
  ['up', 'above you'],
  ['down', 'below you'],
] as const satisfies readonly (readonly [Direction, string])[];

function wallsAt(map: string, at: Place): string {
  const walls = sides.filter(([side]) => !isOpen(map, beside(at, side))).map(([, words]) => words);
  if (walls.length === 0) return 'There are no walls near you.';
  return walls.length === 1 ? `There is a wall ${walls[0]}.` : `There are walls ${walls.join(', ')}.`;
}

function describe({ maze: { map, goal }, at }: Walk, { view }: Config): string {
  if (isSamePlace(at, goal)) return 'Success';
  if (view === 'partial') return wallsAt(map, at);
  return `The goal is at position ${spaced(goal[0])}, ${spaced(goal[1])}. Your current position is at position ${spaced(at[0])}, ${spaced(at[1])}. ${wallsAt(map, at)}`;
}

const moves = directionNames.map((name) => `move ${name}`);
const directionOfMove = (move: string): Direction => move.slice('move '.length) as Direction;

/** Numbers of a sentence whose digits are separated by blanks. */
function readPlace(observation: string, words: string): Place | undefined {
  const [, row, column] = new RegExp(`${words} at position ([\\d ]+), ([\\d ]+)\\.`).exec(observation) ?? [];
  if (row === undefined || column === undefined) return undefined;
  return [Number(row.replaceAll(' ', '')), Number(column.replaceAll(' ', ''))];
}

const openSides = (observation: string): readonly Direction[] =>
  sides.filter(([, words]) => !observation.includes(words)).map(([side]) => side);

/** Explores: it walks to the nearest place that it has not been to, and among these to the one nearest to the goal. */
class MazeSearcher implements Searcher<string, string> {
  readonly #open = new Map<string, readonly Direction[]>();
  #at: Place = [0, 0];
  #goal: Place | undefined;
  #way: Direction[] = [];

  act({ observation }: { readonly observation: string }): string {
    this.#at = readPlace(observation, 'position is') ?? this.#at;
    this.#goal = readPlace(observation, 'goal is');
    this.#open.set(textOf(this.#at), openSides(observation));
    if (this.#way.length === 0) this.#way = [...this.#wayOn()];
    const move = this.#way.shift() ?? 'up';
    this.#at = beside(this.#at, move);
    return `move ${move}`;
  }

  #wayOn(): readonly Direction[] {
    return (
      shortestPath<Place, Direction>(this.#at, {
        key: textOf,
        next: (place) =>
          (this.#open.get(textOf(place)) ?? [])
            .map((side) => [side, beside(place, side)] as const)
            .toSorted(([, one], [, other]) => this.#distance(one) - this.#distance(other)),
        isGoal: (place) => !this.#open.has(textOf(place)),
      }) ?? []
    );
  }

  #distance([row, column]: Place): number {
    return this.#goal === undefined ? 0 : Math.abs(row - this.#goal[0]) + Math.abs(column - this.#goal[1]);
  }
}

/** Opens or closes a place that the player cannot have seen, at least four steps away. A walk that may have reached it reveals the change. */
function swapFarWall(
  walk: Walk,
  rng: Rng,
): { readonly state: Walk; reveals(action: string): boolean } | undefined {
  const { map, goal } = walk.maze;
  const lines = map.split('\n');
  const distance = ([row, column]: Place, [toRow, toColumn]: Place): number =>
    Math.abs(row - toRow) + Math.abs(column - toColumn);
  const known = [
    walk.at,
    ...walk.seen.map((text): Place => [Number(text.split(',')[0]), Number(text.split(',')[1])]),
  ];
  const far = lines
    .flatMap((line, row) => line.split('').map((_mark, column): Place => [row, column]))
    .filter(
      (place) =>
        place[0] % (lines.length - 1) !== 0 &&
        place[1] % ((lines[0]?.length ?? 1) - 1) !== 0 &&
        !isSamePlace(place, goal) &&
        distance(place, walk.at) >= 4 &&
        known.every((one) => distance(place, one) > 1),
    );
  if (far.length === 0) return undefined;
  const place = rng.pick(far);
  const [row, column] = place;
  const changed = lines.with(
    row,
    `${lines[row]?.slice(0, column)}${isOpen(map, place) ? '#' : '.'}${lines[row]?.slice(column + 1)}`,
  );
  let steps = distance(place, walk.at) - 2; // until the walls of a place can show it
  return {
    state: { ...walk, maze: { map: changed.join('\n'), goal } },
    reveals: () => {
      steps -= 1;
      return steps < 0;
    },
  };
}

/**
 * The maze of LMRL-Gym (2023), fully and partly observed. Texts and rewards are its own: 0 for the step to the goal, -4 for an action
 * that it does not know, and -1 for any other step. An episode fails after 100 steps.
 */
export const mazeEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-maze-v1',
    config,
    instruction: 'Walk to the goal of the maze in as few steps as you can.',
    draw,
    originals: {
      size: 1,
      start: (_index, settings) => {
        const { map, goal, start } = fixed[settings.maze === 'umaze' ? 'umaze' : 'double-t'];
        return startAt({ map, goal }, start, settings);
      },
    },
    apart: ({ maze, at }) => ({ maze, at }),
    // A fixed maze has 6 or 25 starts.
    panelOf: ({ maze: { map, goal }, at }, { maze }) => {
      if (maze === 'generated') return undefined;
      const starts = openPlaces(map).filter(
        (place) => !isSamePlace(place, goal) && !isSamePlace(place, fixed[maze].start),
      );
      const rank = starts.findIndex((place) => isSamePlace(place, at)) % 5;
      return rank < 3 ? 'train' : rank === 3 ? 'dev' : 'unseen';
    },
  }),
  summary: "LMRL-Gym's mazes, and drawn ones, with the position shown or hidden",
  turnLimit: 100,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'navigation']),
  unchecked: {
    secrets: 'at most the position is hidden, and its numbers are in other texts too',
  },
  observe: describe,
  actions: () => moves,
  accepts: () => true,
  step: (walk, action, _context, { view }) => {
    if (!moves.includes(action)) return { state: walk, reward: { unknown: -4 } };
    const next = beside(walk.at, directionOfMove(action));
    const at = isOpen(walk.maze.map, next) ? next : walk.at;
    const text = textOf(at);
    const seen = view === 'full' || walk.seen.includes(text) ? walk.seen : [...walk.seen, text].toSorted();
    const state = { ...walk, at, seen };
    return isSamePlace(at, walk.maze.goal)
      ? { state, outcome: 'solved', reward: { step: 0 } }
      : { state, reward: { step: -1 } };
  },
  // Within a task the start is fixed, so these places are known relative to it.
  information: ({ at, seen }) => [textOf(at), ...seen],
  // the walls that the player stands between and, where it is shown, the way to the goal; the map is never shown
  features: (observation) => {
    const [goal, at] = [readPlace(observation, 'goal is'), readPlace(observation, 'position is')];
    const open = openSides(observation);
    const sides = Object.fromEntries(directionNames.map((name) => [`open ${name}`, open.includes(name)]));
    if (goal === undefined || at === undefined) return { fields: sides };
    const cells = Array.from({ length: mostRows }, () => Array.from({ length: mostRows }, () => '.'));
    for (const name of directionNames) {
      const [row, column] = beside(at, name);
      if (!open.includes(name)) (cells[row] as string[])[column] = '#';
    }
    (cells[goal[0]] as string[])[goal[1]] = 'X';
    return {
      grid: { rows: cells, focus: at },
      fields: { ...sides, down: Math.sign(goal[0] - at[0]), across: Math.sign(goal[1] - at[1]) },
    };
  },
  target: (action) => ({ verb: 'move', direction: directions[directionOfMove(action)] ?? [0, 0] }),
  experts: {
    planner: ({ maze: { map, goal }, at }) =>
      (
        shortestPath<Place, Direction>(at, {
          key: textOf,
          next: (place) =>
            directionNames
              .map((name) => [name, beside(place, name)] as const)
              .filter(([, next]) => isOpen(map, next)),
          isGoal: (place) => isSamePlace(place, goal),
        }) ?? []
      ).map((name) => `move ${name}`),
    searcher: () => new MazeSearcher(),
  },
  audit: { swapHidden: swapFarWall },
});
