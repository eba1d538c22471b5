import { z } from 'zod';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { bestActions, drawOutcome, type Outcome } from './outcomes.ts';
import { directions, type Direction } from './directions.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from './recipes.ts';
import { shortestPath } from './shortest-path.ts';

/** Gymnasium's order of actions. On slippery ice the neighbours in this ring are the perpendicular moves. */
const actions = ['left', 'down', 'right', 'up'] as const satisfies readonly Direction[];

/** The fixed maps of Gymnasium's FrozenLake-v1. */
const originals = {
  4: 'SFFF\nFHFH\nFFFH\nHFFG',
  8: 'SFFFFFFF\nFFFFFFFF\nFFFHFFFF\nFFFFFHFF\nFFFHFFFF\nFHHFFFHF\nFHFFHFHF\nFFFHFFFG',
} as const;

interface Lake {
  /** S is the start, F ice, H a hole and G the goal; rows end with a line end. */
  readonly map: string;
  readonly row: number;
  readonly column: number;
}

const config = z.strictObject({
  size: z
    .union([z.literal(4), z.literal(8)])
    .default(4)
    .describe('rows and columns of the lake'),
  slippery: z.boolean().default(true).describe('whether a move can slip to either side'),
  successRate: z
    .number()
    .min(0)
    .max(1)
    .default(1 / 3)
    .describe('probability of the intended move on slippery ice; the rest is shared by the two sides'),
});
type Config = z.output<typeof config>;

const letterAt = (map: string, size: number, row: number, column: number): string =>
  map[row * (size + 1) + column] ?? '';

/** The place after a move, which the edge of the lake stops. */
function moved({ map, row, column }: Lake, action: Direction, size: number): Lake {
  const [down, across] = directions[action];
  const last = size - 1;
  return {
    map,
    row: Math.min(Math.max(row + down, 0), last),
    column: Math.min(Math.max(column + across, 0), last),
  };
}

function outcomesOf(lake: Lake, action: Direction, { size, slippery, successRate }: Config): Outcome<Lake>[] {
  const outcome = (taken: Direction, probability: number): Outcome<Lake> => {
    const state = moved(lake, taken, size);
    const letter = letterAt(state.map, size, state.row, state.column);
    return { probability, state, reward: letter === 'G' ? 1 : 0, ends: letter === 'G' || letter === 'H' };
  };
  if (!slippery) return [outcome(action, 1)];
  const at = actions.indexOf(action as (typeof actions)[number]);
  return [at + 3, at, at + 1].map((ring) =>
    outcome(actions[ring % 4] ?? action, ring === at ? successRate : (1 - successRate) / 2),
  );
}

/** A map by Gymnasium's `generate_random_map`: each tile is frozen with probability 0.8, and a way to the goal exists. */
function drawMap(rng: Rng, size: number): string {
  for (;;) {
    const tiles = Array.from({ length: size * size }, (_, tile) =>
      tile === 0 ? 'S' : tile === size * size - 1 ? 'G' : rng.uniform() < 0.8 ? 'F' : 'H',
    );
    const map = Array.from({ length: size }, (_, row) =>
      tiles.slice(row * size, (row + 1) * size).join(''),
    ).join('\n');
    if (wayThrough({ map, row: 0, column: 0 }, size) !== undefined) return map;
  }
}

const wayThrough = (start: Lake, size: number): readonly Direction[] | undefined =>
  shortestPath<Lake, Direction>(start, {
    key: ({ row, column }) => row * size + column,
    next: (lake) =>
      actions
        .map((action) => [action, moved(lake, action, size)] as const)
        .filter(([, { map, row, column }]) => letterAt(map, size, row, column) !== 'H'),
    isGoal: ({ map, row, column }) => letterAt(map, size, row, column) === 'G',
  });

function readLake(observation: string): Lake {
  const lines = observation.split('\n');
  const [, row = 1, column = 1] = /row (\d+), column (\d+)/.exec(lines.at(-1) ?? '') ?? [];
  return { map: lines.slice(0, -1).join('\n'), row: Number(row) - 1, column: Number(column) - 1 };
}

/** The best moves on a map, for every place. */
const policyOf = (map: string, settings: Config) =>
  bestActions<Lake, Direction>({
    states: Array.from({ length: settings.size ** 2 }, (_, tile) => ({
      map,
      row: Math.floor(tile / settings.size),
      column: tile % settings.size,
    })).filter(({ row, column }) => 'SF'.includes(letterAt(map, settings.size, row, column))),
    actions,
    key: ({ row, column }) => row * settings.size + column,
    outcomes: (lake, action) => outcomesOf(lake, action, settings),
  });

/**
 * FrozenLake of Gymnasium 1.4: transition probabilities, rewards and limits are those of FrozenLake-v1 (4 by 4, 100 steps) and
 * FrozenLake8x8-v1 (200 steps). The panel `original` has its fixed map. The other maps are drawn by its generator.
 */
export const frozenLakeEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-frozen-lake-v1',
    config,
    instruction: ({ slippery }) =>
      `Cross the frozen lake from S to G. F is ice, and a hole H ends the walk.${slippery ? ' The ice is slippery: a move can slip to either side.' : ''}`,
    draw: (rng, { size }): Lake => ({ map: drawMap(rng, size), row: 0, column: 0 }),
    originals: { size: 1, start: (_index, { size }) => ({ map: originals[size], row: 0, column: 0 }) },
  }),
  summary: 'FrozenLake as in Gymnasium, on its own map and on drawn ones',
  deterministic: false,
  turnLimit: ({ size }) => (size === 4 ? 100 : 200),
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'navigation', 'luck']),
  observe: ({ map, row, column }) => `${map}\nYou are at row ${row + 1}, column ${column + 1}.`,
  actions: () => actions,
  step: (lake, action, { rng }, settings) => {
    const { state, reward, ends } = drawOutcome(outcomesOf(lake, action as Direction, settings), rng);
    if (reward > 0) return { state, outcome: 'solved', reward: { goal: reward } };
    return ends ? { state, outcome: 'failed' } : { state };
  },
  features: (observation) => {
    const { map, row, column } = readLake(observation);
    return { grid: { rows: map.split('\n'), focus: [row, column] } };
  },
  target: (action) => ({ verb: 'go', direction: directions[action as Direction] ?? [0, 0] }),
  experts: {
    searcher: (_rng, settings) => {
      let policy: ReturnType<typeof policyOf> | undefined;
      return {
        act: ({ observation }) => {
          const { map, row, column } = readLake(observation);
          policy ??= policyOf(map, settings);
          return policy.get(row * settings.size + column) ?? 'right';
        },
      };
    },
  },
});
