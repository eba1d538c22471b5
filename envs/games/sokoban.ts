import { z } from 'zod';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { directionNames, directions, type Direction } from './directions.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from './recipes.ts';
import { shortestPath } from './shortest-path.ts';

/** Boards in the usual notation: # wall, @ player, + player on a goal, $ box, * box on a goal, . goal. Rows end with a line end. */
interface Board {
  readonly board: string;
}

const levels = {
  one: { side: 6, boxes: 1 },
  two: { side: 7, boxes: 2 },
  three: { side: 8, boxes: 3 },
} as const;

const config = z.strictObject({
  boxes: z
    .enum(['one', 'two', 'three'])
    .default('two')
    .describe('boxes: one on 6 by 6 cells, two on 7 by 7, three on 8 by 8'),
});

/** What a cell becomes when a box or the player enters or leaves it. */
const entered = { player: { ' ': '@', '.': '+' }, box: { ' ': '$', '.': '*' } } as const;
const left: Readonly<Record<string, string>> = { '@': ' ', '+': '.', $: ' ', '*': '.' };
const enter = (mark: string, who: 'player' | 'box'): string =>
  mark === '.' ? entered[who]['.'] : entered[who][' '];

const isFree = (mark: string | undefined): boolean => mark === ' ' || mark === '.';
const isBox = (mark: string | undefined): boolean => mark === '$' || mark === '*';
const playerOn = (board: string): number => Math.max(board.indexOf('@'), board.indexOf('+'));
const widthOf = (board: string): number => board.indexOf('\n') + 1;

/** The board after a step. Undefined where a wall or a second box is in the way. */
function moved(board: string, direction: Direction): string | undefined {
  const [down, across] = directions[direction];
  const by = down * widthOf(board) + across;
  const at = playerOn(board);
  const next = board[at + by];
  if (!isFree(next) && !isBox(next)) return undefined;
  const beyond = board[at + 2 * by];
  if (isBox(next) && !isFree(beyond)) return undefined;
  const cells = board.split('');
  cells[at] = left[cells[at] ?? ''] ?? ' ';
  if (isBox(next)) {
    cells[at + by] = left[next ?? ''] ?? ' ';
    cells[at + 2 * by] = enter(beyond ?? ' ', 'box');
  }
  cells[at + by] = enter(cells[at + by] ?? ' ', 'player');
  return cells.join('');
}

const isSolved = (board: string): boolean => !board.includes('$');

/** The fewest steps to a solution, for boards of a few boxes. */
const solve = (start: string): readonly Direction[] | undefined =>
  shortestPath<string, Direction>(start, {
    key: (board) => board,
    next: (board) =>
      directionNames.flatMap((name): (readonly [Direction, string])[] => {
        const after = moved(board, name);
        return after === undefined || isStuck(after) ? [] : [[name, after]];
      }),
    isGoal: isSolved,
    most: 200_000,
  });

/** Whether a box off its goal stands in a corner of walls, which nothing can undo. */
function isStuck(board: string): boolean {
  const width = widthOf(board);
  for (let at = board.indexOf('$'); at >= 0; at = board.indexOf('$', at + 1)) {
    const [up, down] = [board[at - width] === '#', board[at + width] === '#'];
    if ((up || down) && (board[at - 1] === '#' || board[at + 1] === '#')) return true;
  }
  return false;
}

/**
 * A solvable board: it starts from the solved one and pulls the boxes at random (reverse play). Undefined where no box is far enough from
 * its goal.
 */
function drawn(
  rng: Rng,
  { side, boxes }: { readonly side: number; readonly boxes: number },
): string | undefined {
  const width = side + 1;
  const inside = Array.from(
    { length: side * side },
    (_, cell) => [Math.floor(cell / side), cell % side] as const,
  )
    .filter(([row, column]) => row > 0 && row < side - 1 && column > 0 && column < side - 1)
    .map(([row, column]) => row * width + column);
  const shuffled = rng.shuffle(inside);
  const walls = new Set(shuffled.slice(0, side - 3));
  const goals = shuffled.slice(side - 3, side - 3 + boxes);
  const isFloor = (cell: number): boolean => inside.includes(cell) && !walls.has(cell);
  const at = new Set(goals);
  let player = shuffled[side - 3 + boxes] ?? 0;
  for (let pull = 0; pull < 60; pull += 1) {
    const [down, across] = directions[rng.pick(directionNames)];
    const by = down * width + across;
    if (!isFloor(player + by) || at.has(player + by)) continue;
    if (at.has(player - by) && rng.uniform() < 0.8) {
      at.delete(player - by);
      at.add(player);
    }
    player += by;
  }
  const distance = (cell: number, goal: number): number =>
    Math.abs(Math.floor(cell / width) - Math.floor(goal / width)) + Math.abs((cell % width) - (goal % width));
  const pushes = [...at].map((cell) => Math.min(...goals.map((goal) => distance(cell, goal))));
  if (pushes.includes(0) || pushes.reduce((sum, one) => sum + one, 0) < 2 * boxes) return undefined;
  const mark = (cell: number): string => {
    const isGoal = goals.includes(cell);
    if (cell === player) return isGoal ? '+' : '@';
    if (at.has(cell)) return isGoal ? '*' : '$';
    return isFloor(cell) ? (isGoal ? '.' : ' ') : '#';
  };
  return Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_unused, column) => mark(row * width + column)).join(''),
  ).join('\n');
}

function draw(rng: Rng, level: keyof typeof levels): Board {
  for (;;) {
    const board = drawn(rng, levels[level]);
    if (board !== undefined) return { board };
  }
}

/** The pay of gym-sokoban: each step costs 0.1, a box on a goal pays 1, a box off it costs 1, and a solved board pays 10. */
function payOf(before: string, after: string): Readonly<Record<string, number | undefined>> {
  const boxes = (board: string): number => board.split('*').length;
  const change = boxes(after) - boxes(before);
  return { step: -0.1, boxes: change === 0 ? undefined : change, solved: isSolved(after) ? 10 : undefined };
}

/**
 * Sokoban on drawn boards, made by reverse play, so that each is solvable. Rewards and the limit of 120 steps are those of gym-sokoban
 * (Schrader 2018; the boards follow the idea of Racanière et al. 2017). A box that cannot be moved again does not end the episode.
 */
export const sokobanEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-sokoban-v1',
    config,
    instruction:
      'Push every box onto a goal. A wall is #, you are @, a box is $ and a goal is a dot. On a goal you are + and a box is *. A push moves one box, and nothing can be pulled.',
    draw: (rng, { boxes }): Board => draw(rng, boxes),
  }),
  summary: 'Sokoban on drawn boards with one to three boxes',
  turnLimit: 120,
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'planning']),
  observe: ({ board }) => board,
  // At least the step back is possible, and a board whose player cannot move is not drawn.
  actions: ({ board }) => directionNames.filter((name) => moved(board, name) !== undefined),
  refuse: () => ({ reward: { step: -0.1 } }), // in gym-sokoban a step against a wall costs as much as any other
  step: ({ board }, action) => {
    const after = moved(board, action as Direction) ?? board;
    const state = { board: after };
    const reward = payOf(board, after);
    return isSolved(after) ? { state, outcome: 'solved', reward } : { state, reward };
  },
  features: (observation) => {
    const at = playerOn(observation);
    const width = widthOf(observation);
    return { grid: { rows: observation.split('\n'), focus: [Math.floor(at / width), at % width] } };
  },
  target: (action) => ({ verb: 'go', direction: directions[action as Direction] ?? [0, 0] }),
  experts: {
    planner: ({ board }) => solve(board) ?? [],
    searcher: (rng) => {
      let plan: readonly Direction[] | undefined;
      return {
        act: ({ observation, admissible }) => {
          plan ??= solve(observation) ?? [];
          const [next = rng.pick(admissible ?? ['up']), ...rest] = plan;
          plan = rest as Direction[];
          return next;
        },
      };
    },
  },
});
