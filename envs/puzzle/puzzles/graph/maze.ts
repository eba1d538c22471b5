import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { withCell } from '../../grid-text.ts';

const directions = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] } as const;
type Direction = keyof typeof directions;
const names = ['up', 'down', 'left', 'right'] as const satisfies readonly Direction[];
const byName = new Map<string, Direction>(
  names.flatMap((name) => [
    [name, name],
    [name.slice(0, 1), name],
  ]),
);

const place = z.int().min(0).max(60);
const question = z.strictObject({
  /** `#` is a wall, `.` is a way. */
  rows: z.array(z.string().regex(/^[#.]+$/)),
  at: z.tuple([place, place]),
  goal: z.tuple([place, place]),
});
type Maze = { readonly rows: readonly string[]; readonly at: Place; readonly goal: Place };
type Place = readonly [row: number, column: number];

const beside = ([row, column]: Place, direction: Direction): [number, number] => [
  row + directions[direction][0],
  column + directions[direction][1],
];
const isOpen = (rows: readonly string[], [row, column]: Place): boolean => rows[row]?.[column] === '.';
const isSame = (a: Place, b: Place): boolean => a[0] === b[0] && a[1] === b[1];

/** A shortest way, and the number of places that the search visited. Undefined where there is none. */
function shortest({ rows, at, goal }: Maze): {
  readonly way: readonly Direction[] | undefined;
  readonly visited: number;
} {
  const width = rows[0]?.length ?? 0;
  const code = ([row, column]: Place) => row * width + column;
  const towards = new Map<number, Direction>(); // the direction towards the goal
  const queue: Place[] = [goal];
  const seen = new Set([code(goal)]);
  for (const here of queue) {
    if (isSame(here, at)) break;
    for (const [index, name] of names.entries()) {
      const next = beside(here, name);
      if (!isOpen(rows, next) || seen.has(code(next))) continue;
      seen.add(code(next));
      towards.set(code(next), names[index ^ 1] as Direction);
      queue.push(next);
    }
  }
  if (!seen.has(code(at))) return { way: undefined, visited: queue.length };
  const way: Direction[] = [];
  for (let here = at; !isSame(here, goal); here = beside(here, way.at(-1) as Direction))
    way.push(towards.get(code(here)) as Direction);
  return { way, visited: queue.length };
}

/** Carves a maze of `side` by `side` rooms from solid walls, always on from the newest room (a random depth-first search). */
function carve(side: number, rng: Rng): string[] {
  const width = 2 * side + 1;
  const cells = Array.from({ length: width }, () => Array.from({ length: width }, () => '#'));
  const trail: [number, number][] = [[2 * rng.int(side) + 1, 2 * rng.int(side) + 1]];
  const set = ([row, column]: Place): void => void ((cells[row] as string[])[column] = '.');
  set(trail[0] as Place);
  while (trail.length > 0) {
    const here = trail.at(-1) as Place;
    const free = names.filter((name) => {
      const [row, column] = beside(beside(here, name), name);
      return cells[row]?.[column] === '#';
    });
    if (free.length === 0) {
      trail.pop();
      continue;
    }
    const name = rng.pick(free);
    const door = beside(here, name);
    set(door);
    set(beside(door, name));
    trail.push(beside(door, name));
  }
  return cells.map((row) => row.join(''));
}

const draw = ({ rows, at, goal }: Maze): string =>
  rows
    .map((line, row) =>
      line
        .split('')
        .map((mark, column) => (isSame(at, [row, column]) ? '@' : isSame(goal, [row, column]) ? 'G' : mark))
        .join(''),
    )
    .join('\n');

export const maze = definePuzzle({
  name: 'maze',
  category: 'graph',
  summary: 'The way through a maze',
  question,
  levels: [3, 5, 8, 12],
  generate: (rng, side) => {
    const rows = carve(side, rng);
    const room = (): [number, number] => [2 * rng.int(side) + 1, 2 * rng.int(side) + 1];
    for (;;) {
      const drawn = { rows, at: room(), goal: room() };
      const { way } = shortest(drawn);
      if (way !== undefined && way.length >= 2 * side) return { question: drawn, solution: way };
    }
  },
  rules:
    'Walk from @ to G. The mark # is a wall, and . is a way. A step goes up, down, left or right, and never into a wall.',
  render: draw,
  answer: {
    format:
      'the steps in order: up, down, left and right, with blanks between them. Any way that ends at G is right.',
    write: (way) => way.join(' '),
    read: (text) => {
      const way = text
        .toLowerCase()
        .split(/[\s,]+/)
        .map((name) => byName.get(name));
      return way.some((name) => name === undefined) ? undefined : way.filter((name) => name !== undefined);
    },
    longest: 8_192,
  },
  verify: ({ rows, at, goal }, way) => {
    let here: Place = at;
    for (const name of way) {
      here = beside(here, name);
      if (!isOpen(rows, here)) return false;
    }
    return isSame(here, goal);
  },
  solve: (given) => {
    const { way, visited } = shortest(given);
    return { answers: way === undefined ? [] : [way], effort: visited };
  },
  audit: {
    guess: ({ rows }, rng) => Array.from({ length: rows.length - 1 }, () => rng.pick(names)),
    chance: (level) => (level === 1 ? 0.01 : 0.001),
    mutants: (way, { rows, at }, rng) => {
      const wall = names.find((name) => !isOpen(rows, beside(at, name)));
      return {
        'the last step missing': way.slice(0, -1),
        'one more step': [...way, rng.pick(names)],
        'into a wall and back':
          wall === undefined ? undefined : [wall, names[names.indexOf(wall) ^ 1] as Direction, ...way],
        'the way back': way.map((name) => names[names.indexOf(name) ^ 1] as Direction),
      };
    },
    equivalents: (way) => ({
      'first letters': way.map((name) => name.slice(0, 1)).join(' '),
      'commas between steps': way.join(', '),
      'upper case': way.join(' ').toUpperCase(),
      'a step back and forth': `${way.join(' ')} ${names[names.indexOf(way.at(-1) as Direction) ^ 1]} ${way.at(-1)}`,
    }),
    variety: (level) => (level === 1 ? 192 * 20 : 1e9),
  },
  moves: {
    rules: 'A move is one step.',
    state: question,
    start: (start) => start,
    render: draw,
    list: ({ rows, at }) => names.filter((name) => isOpen(rows, beside(at, name))),
    play: (state, name) => ({ ...state, at: beside(state.at, byName.get(name) ?? 'up') }),
    isSolved: ({ at, goal }) => isSame(at, goal),
    plan: (_question, way) => way,
    next: (state) => shortest(state).way?.[0],
    turnLimit: (side) => 4 * side * side,
    // without walls: with them the encoder would search the way
    features: ({ rows, at, goal }) => ({ grid: { rows: withCell(rows, ...goal, 'X'), focus: at } }),
    target: (name) => ({ verb: 'go', direction: directions[byName.get(name) ?? 'up'] }),
  },
});
