import { z } from 'zod';
import type { Rng } from '../../core/rng.ts';
import { drawnTasks } from '../../kit/drawn-tasks.ts';
import { defineTextEnv } from '../../kit/text-env.ts';
import { gameCatalogue, gameRecipes } from '../recipes.ts';
import { advance } from './advance.ts';
import { achievements, offsets } from './rules.ts';
import { Survivor } from './searcher.ts';
import { actionsOf, describe, features, legend } from './view.ts';
import { drawWorld, type SurvivalWorld } from './world.ts';

const config = z.strictObject({
  length: z.int().min(1).max(10_000).default(1_000).describe("steps of an episode; Crafter's have 10,000"),
  goal: z
    .enum(['all', ...achievements])
    .default('all')
    .describe('the achievement that solves an episode and ends it; all of them by default'),
});

const instruction = (goal: string): string =>
  [
    'Survive in a world of grass, lakes and mountains, and achieve as much as you can.',
    goal === 'all' ? `Your achievements can be: ${achievements.join(', ')}.` : `Your goal is to ${goal}.`,
    'You see the cells around you. "do" takes, drinks, hits or eats what is ahead of you. Moving turns you, too.',
    'A table takes 2 wood and a furnace 4 stone. Tools are made beside a table: of 1 wood, of 1 wood and 1 stone, or, beside a furnace too, of 1 wood, 1 coal and 1 iron.',
    'Stone and coal need a wood pickaxe, iron a stone one, and diamonds an iron one. Grass sometimes gives a sapling. A planted one can be eaten when it is ripe.',
    `The map: ${legend}.`,
  ].join('\n');

/** Crafter pays a tenth for each point of health that is won or lost. */
const healthPay = 0.1;

function step(world: SurvivalWorld, action: string, rng: Rng, goal: string) {
  const state = advance(world, action, rng);
  const reward: Record<string, number> = {};
  for (const name of state.unlocked.slice(world.unlocked.length)) reward[name] = 1;
  const [before = 0, after = 0] = [world.stock.health, state.stock.health];
  if (after !== before) reward['health'] = healthPay * (after - before);
  const isSolved =
    goal === 'all' ? state.unlocked.length === achievements.length : state.unlocked.includes(goal);
  if (isSolved) return { state, reward, outcome: 'solved' as const };
  return after > 0 ? { state, reward } : { state, reward, outcome: 'failed' as const };
}

/** Trees and stones that are too far away to be seen, and for anything near them to act. */
function farCells({ rows, player }: SurvivalWorld) {
  const far = 24;
  return rows.flatMap((row, y) =>
    row
      .split('')
      .flatMap((mark, x) =>
        'T#'.includes(mark) && Math.abs(x - player.x) + Math.abs(y - player.y) > far ? [{ x, y }] : [],
      ),
  );
}

/**
 * A survival world in text by the rules of Crafter 1.8.3 (Hafner 2021): 22 achievements, hunger, thirst and fatigue, animals, monsters and
 * nights. Each achievement pays 1 the first time, and a point of health 0.1. {@link survivalScore} is Crafter's score.
 */
export const survivalEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-survival-v1',
    config,
    draw: (rng) => drawWorld(rng),
    instruction: ({ goal }) => instruction(goal),
  }),
  summary: 'A survival world in text with the rules and the 22 achievements of Crafter',
  deterministic: false,
  turnLimit: ({ length }) => length,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'planning', 'luck', 'hidden-information']),
  unchecked: {
    secrets: 'cells outside of the view have no text of their own: cells in view have the same marks',
  },
  observe: (world) => describe(world as SurvivalWorld),
  actions: (world) => actionsOf(world as SurvivalWorld),
  step: (world, action, { rng }, { goal }) => step(world as SurvivalWorld, action, rng, goal),
  information: (world) => ({ view: describe(world as SurvivalWorld), steps: world.steps }),
  features,
  target: (action) => {
    const [verb = '', ...words] = action.split(' ');
    const facing = verb === 'move' ? ['left', 'right', 'up', 'down'].indexOf(words.join(' ')) : -1;
    const [across, down] = offsets[facing] ?? [0, 0];
    return facing >= 0 ? { verb, direction: [down, across] } : { verb: action };
  },
  experts: { searcher: (rng) => new Survivor(rng) },
  audit: {
    swapHidden: (given, rng) => {
      const world = given as SurvivalWorld;
      const cell = rng.shuffle(farCells(world))[0];
      if (cell === undefined) return undefined;
      const rows = world.rows.map((row, y) =>
        y === cell.y ? row.slice(0, cell.x) + (row[cell.x] === 'T' ? '#' : 'T') + row.slice(cell.x + 1) : row,
      );
      return { state: { ...world, rows }, reveals: (action) => action.startsWith('move ') };
    },
  },
});
