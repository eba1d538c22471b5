import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createContext, type Context } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition, Snapshot } from '../../../envs/core/env.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import { blackjackEnv } from '../../../envs/games/blackjack.ts';
import { cliffWalkingEnv } from '../../../envs/games/cliff-walking.ts';
import { frozenLakeEnv } from '../../../envs/games/frozen-lake.ts';
import { taxiEnv } from '../../../envs/games/taxi.ts';

const seen = z.union([z.number(), z.array(z.number())]);
const goldens = z
  .object({
    groups: z.array(
      z.object({
        env: z.string(),
        options: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])),
        episodes: z.array(
          z.object({
            start: z.object({
              drawn: z.array(z.number()),
              state: z.number().optional(),
              fickle: z.boolean().optional(),
              player: z.array(z.number()).optional(),
              dealer: z.array(z.number()).optional(),
            }),
            steps: z.array(
              z.object({
                action: z.number(),
                drawn: z.array(z.number()),
                seen,
                reward: z.number(),
                done: z.boolean(),
                fickle: z.boolean().optional(),
              }),
            ),
          }),
        ),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../../golden/games/gymnasium.json', import.meta.url), 'utf8')));

type Group = (typeof goldens.groups)[number];
type Episode = Group['episodes'][number];

/** A stream that draws the recorded numbers. A fork has its own. */
function scripted(drawn: readonly number[], forked: readonly number[] = []): Rng {
  const left = [...drawn];
  const next = (): number => {
    const value = left.shift();
    if (value === undefined) throw new Error('more random numbers are drawn than Gymnasium drew');
    return value;
  };
  return {
    fork: () => scripted(forked),
    uniform: next,
    int: next,
    pick: (items) => items[next()] as (typeof items)[number],
    shuffle: () => {
      throw new Error('nothing is shuffled');
    },
  };
}

/** How a game is compared with Gymnasium's. */
interface Pair {
  readonly definition: AnyEnvDefinition;
  readonly actions: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** The state of a recorded start. */
  readonly start: (start: Episode['start']) => Snapshot['world'];
  /** The state as Gymnasium shows it. */
  readonly shown: (world: Snapshot['world']) => unknown;
  /** The number that decides on another destination, drawn at the reset there. */
  readonly forked?: (start: Episode['start'], drawn: readonly number[]) => readonly number[];
}

const placed = z.object({ row: z.number(), column: z.number(), map: z.string() });
const onGrid = (map: string, columns: number) => ({
  start: ({ state = 0 }: Episode['start']) => ({
    map,
    row: Math.floor(state / columns),
    column: state % columns,
  }),
  shown: (world: Snapshot['world']) => {
    const { row, column } = placed.parse(world);
    return row * columns + column;
  },
});

async function originalMap(
  definition: AnyEnvDefinition,
  config: Readonly<Record<string, unknown>>,
): Promise<string> {
  const env = await opened(definition, config);
  await env.reset({ panel: 'original', index: 0 }, context);
  return placed.parse(env.snapshots?.take().world).map;
}

const context: Context = createContext({ seed: 0, now: () => 0 });
async function opened(definition: AnyEnvDefinition, config: Readonly<Record<string, unknown>>) {
  const host = await definition.open(definition.config.parse(config), context);
  return host.create();
}

const ride = z.object({
  row: z.number(),
  column: z.number(),
  passenger: z.number(),
  destination: z.number(),
});
const table = z.object({ player: z.array(z.number()), dealer: z.array(z.number()) });

async function pairOf({ env, options }: Group): Promise<Pair> {
  if (env === 'FrozenLake-v1') {
    const size = options['map_name'] === '8x8' ? 8 : 4;
    const config = {
      size,
      slippery: options['is_slippery'] !== false,
      ...(options['success_rate'] === undefined ? {} : { successRate: options['success_rate'] }),
    };
    const map = await originalMap(frozenLakeEnv, config);
    return {
      definition: frozenLakeEnv,
      actions: ['left', 'down', 'right', 'up'],
      config,
      ...onGrid(map, size),
    };
  }
  if (env === 'CliffWalking-v1') {
    const config = { slippery: options['is_slippery'] === true };
    const map = await originalMap(cliffWalkingEnv, config);
    return {
      definition: cliffWalkingEnv,
      actions: ['up', 'right', 'down', 'left'],
      config,
      ...onGrid(map, 12),
    };
  }
  if (env === 'Taxi-v4')
    return {
      definition: taxiEnv,
      actions: ['south', 'north', 'east', 'west', 'pickup', 'dropoff'],
      config: { rainy: options['is_rainy'] === true, ficklePassenger: options['fickle_passenger'] === true },
      start: ({ state = 0 }) => ({
        row: Math.floor(state / 100),
        column: Math.floor(state / 20) % 5,
        passenger: Math.floor(state / 4) % 5,
        destination: state % 4,
        fickle: options['fickle_passenger'] === true,
      }),
      shown: (world) => {
        const { row, column, passenger, destination } = ride.parse(world);
        return ((row * 5 + column) * 5 + passenger) * 4 + destination;
      },
      forked: ({ drawn }, after) => [drawn.at(-1) ?? 1, ...after.slice(1)],
    };
  return {
    definition: blackjackEnv,
    actions: ['stick', 'hit'],
    config: { natural: options['natural'] === true, sab: options['sab'] !== false },
    start: ({ player = [], dealer = [] }) => ({ player, dealer, isOver: false }),
    shown: (world) => {
      const { player, dealer } = table.parse(world);
      const sum = player.reduce((total, card) => total + card, 0);
      const ace = player.includes(1) && sum + 10 <= 21;
      return [ace ? sum + 10 : sum, dealer[0], ace ? 1 : 0];
    },
  };
}

describe('games of Gymnasium give its states and rewards', () => {
  test.each(
    goldens.groups.map((group) => ({ name: `${group.env} ${JSON.stringify(group.options)}`, group })),
  )('$name', async ({ group }) => {
    const pair = await pairOf(group);
    const env = await opened(pair.definition, pair.config);
    for (const { start, steps } of group.episodes) {
      await env.reset({ panel: 'train', index: 0 }, context);
      env.snapshots?.restore({ world: pair.start(start), episode: {}, steps: 0 });
      for (const step of steps) {
        const rng = scripted(step.drawn, pair.forked?.(start, step.drawn));
        const result = await env.step(pair.actions[step.action], { ...context, rng });
        expect(result.reward.total).toBe(step.reward);
        expect(result.kind !== 'ongoing').toBe(step.done);
        expect(pair.shown(env.snapshots?.take().world ?? {})).toEqual(step.seen);
      }
    }
  });
});
