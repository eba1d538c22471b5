import { z } from 'zod';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { directions, type Direction } from './directions.ts';
import { bestActions, drawOutcome, type Outcome } from './outcomes.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from './recipes.ts';
import { shortestPath } from './shortest-path.ts';

/** Gymnasium's order of actions. On slippery ground the neighbours in this ring are the perpendicular moves. */
const actions = ['up', 'right', 'down', 'left'] as const satisfies readonly Direction[];

interface Walk {
  /** `.` is ground, C cliff, S the start and G the goal; rows end with a line end. */
  readonly map: string;
  readonly row: number;
  readonly column: number;
}

const config = z.strictObject({
  slippery: z.boolean().default(false).describe('whether a move can slip to either side'),
});
type Config = z.output<typeof config>;

const sizeOf = (map: string): readonly [rows: number, columns: number] => {
  const columns = map.indexOf('\n');
  return [(map.length + 1) / (columns + 1), columns];
};
const letterAt = (map: string, columns: number, row: number, column: number): string =>
  map[row * (columns + 1) + column] ?? '';

/** The start is at the bottom left, the goal at the bottom right, and the cliff between them. */
function mapOf(rows: number, columns: number, isCliff: (row: number, column: number) => boolean): string {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_unused, column) => {
      if (row < rows - 1) return isCliff(row, column) ? 'C' : '.';
      return column === 0 ? 'S' : column === columns - 1 ? 'G' : 'C';
    }).join(''),
  ).join('\n');
}

const original = mapOf(4, 12, () => false);
const startOf = (map: string): Walk => ({ map, row: sizeOf(map)[0] - 1, column: 0 });

function outcomeOf({ map, row, column }: Walk, taken: Direction, probability: number): Outcome<Walk> {
  const [rows, columns] = sizeOf(map);
  const [down, across] = directions[taken];
  const [nextRow, nextColumn] = [
    Math.min(Math.max(row + down, 0), rows - 1),
    Math.min(Math.max(column + across, 0), columns - 1),
  ];
  const letter = letterAt(map, columns, nextRow, nextColumn);
  if (letter === 'C') return { probability, state: startOf(map), reward: -100, ends: false };
  return { probability, state: { map, row: nextRow, column: nextColumn }, reward: -1, ends: letter === 'G' };
}

function outcomesOf(walk: Walk, action: Direction, slippery: boolean): Outcome<Walk>[] {
  if (!slippery) return [outcomeOf(walk, action, 1)];
  const at = actions.indexOf(action as (typeof actions)[number]);
  return [at + 3, at, at + 1].map((ring) => outcomeOf(walk, actions[ring % 4] ?? action, 1 / 3));
}

/** The fewest steps to the goal without a fall. */
const safeWay = (start: Walk): readonly Direction[] | undefined =>
  shortestPath<Walk, Direction>(start, {
    key: ({ row, column }) => row * 100 + column,
    next: (walk) =>
      actions
        .map((action) => [action, outcomeOf(walk, action, 1)] as const)
        .filter(([, { reward }]) => reward === -1)
        .map(([action, { state }]) => [action, state] as const),
    isGoal: ({ map, row, column }) => letterAt(map, sizeOf(map)[1], row, column) === 'G',
  });

/** Cliffs of other sizes, with more cliff above the bottom row. A safe way to the goal exists. */
function draw(rng: Rng): Walk {
  for (;;) {
    const [rows, columns] = [3 + rng.int(4), 6 + rng.int(9)];
    const start = startOf(mapOf(rows, columns, () => rng.uniform() < 0.15));
    if (safeWay(start) !== undefined) return start;
  }
}

function readWalk(observation: string): Walk {
  const lines = observation.split('\n');
  const [, row = 1, column = 1] = /row (\d+), column (\d+)/.exec(lines.at(-1) ?? '') ?? [];
  return { map: lines.slice(0, -1).join('\n'), row: Number(row) - 1, column: Number(column) - 1 };
}

const policyOf = (map: string, { slippery }: Config) => {
  const [rows, columns] = sizeOf(map);
  return bestActions<Walk, Direction>({
    states: Array.from({ length: rows * columns }, (_, cell) => ({
      map,
      row: Math.floor(cell / columns),
      column: cell % columns,
    })).filter(({ row, column }) => '.S'.includes(letterAt(map, columns, row, column))),
    actions,
    key: ({ row, column }) => row * columns + column,
    outcomes: (walk, action) => outcomesOf(walk, action, slippery),
  });
};

/**
 * CliffWalking of Gymnasium 1.4 (Example 6.6 of Sutton and Barto): a step costs 1, a fall costs 100 and leads back to the start. The
 * panel `original` has the board of CliffWalking-v1. Gymnasium sets no limit, and here an episode fails after 300 steps.
 */
export const cliffWalkingEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-cliff-walking-v1',
    config,
    instruction:
      'Walk from S to G in as few steps as you can. A step onto the cliff C costs 100 and leads back to S.',
    draw,
    originals: { size: 1, start: () => startOf(original) },
  }),
  summary: 'CliffWalking as in Gymnasium, on its own board and on drawn ones',
  deterministic: false,
  turnLimit: 300,
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'navigation']),
  observe: ({ map, row, column }) => `${map}\nYou are at row ${row + 1}, column ${column + 1}.`,
  actions: () => actions,
  refuse: () => ({ reward: { step: -1 } }),
  step: (walk, action, { rng }, { slippery }) => {
    const { state, reward, ends } = drawOutcome(outcomesOf(walk, action as Direction, slippery), rng);
    const earned = reward === -100 ? { fall: reward } : { step: reward };
    return ends ? { state, outcome: 'solved', reward: earned } : { state, reward: earned };
  },
  features: (observation) => {
    const { map, row, column } = readWalk(observation);
    return { grid: { rows: map.split('\n'), focus: [row, column] } };
  },
  target: (action) => ({ verb: 'go', direction: directions[action as Direction] ?? [0, 0] }),
  experts: {
    searcher: (_rng, settings) => {
      let policy: ReturnType<typeof policyOf> | undefined;
      return {
        act: ({ observation }) => {
          const { map, row, column } = readWalk(observation);
          policy ??= policyOf(map, settings);
          return policy.get(row * sizeOf(map)[1] + column) ?? 'up';
        },
      };
    },
  },
});
