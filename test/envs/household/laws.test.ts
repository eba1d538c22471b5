import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertEnv } from '../../../envs/check/check-env.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import { householdEnv, householdHardEnv, householdSmallEnv } from '../../../envs/household/definition.ts';
import { swapHiddenIn } from '../../../envs/household/swap-hidden.ts';
import {
  equalAnchorsListEqualActions,
  equalStatesHaveEqualFutures,
  hiddenFactsStayHidden,
  snapshotsGoOn,
  type LawfulWorld,
} from '../../support/episode-laws.ts';
import { playBy, type Acting } from '../../support/played.ts';
import { mixing, openHousehold, randomly, searching } from './players.ts';
import { context, envOf, roomTask, sceneOf } from './small-rooms.ts';
import { inAll } from '../../support/thorough.ts';

let host: EnvHost<string, string>;
beforeAll(async () => {
  host = await openHousehold();
});

const world: LawfulWorld<undefined> = {
  tasks: fc.record({ panel: fc.constantFrom('train', 'dev', 'unseen'), index: fc.nat(133) }),
  manners: fc.constant(undefined),
  open: () => host,
  wander: (env, task, { seed, most }) =>
    playBy(env, task, { choose: mixing(randomly(seed), searching(host, seed), seed), most }),
  longest: 49,
};

describe('the contract of household envs', () => {
  it.each([{}, ...inAll([{ dialect: 'classic' } as const])])(
    'holds for household-v1 with %o',
    async (config) => {
      await assertEnv(householdEnv, { config, tasksPerPanel: 2 });
    },
  );

  it.each([householdSmallEnv, ...inAll([householdHardEnv])])('holds for $id', async (definition) => {
    await assertEnv(definition, { tasksPerPanel: 2 });
  });
});

it('equal anchors list equal actions', async () => {
  expect(await equalAnchorsListEqualActions(world, 60)).toBeGreaterThan(1000);
});

it('equal states have equal futures', async () => {
  expect(await equalStatesHaveEqualFutures(world, 40)).toBeGreaterThan(500);
});

describe('hidden facts of household episodes', () => {
  it('stay hidden until something reveals them', async () => {
    const { swaps, keyed, shown, compared } = await hiddenFactsStayHidden(world, {
      numRuns: 200,
      revealed: ({ observation }) => observation,
    });
    expect(shown).toBeGreaterThan(50);
    expect(compared).toBeGreaterThan(200);
    expect(keyed).toBe(swaps);
  });

  it('stay in place when a swap would meet the goal, or when nothing else can move', async () => {
    const task = roomTask({
      goal: { family: 'pick', object: 'egg', receptacle: 'fridge' },
      instruction: 'put a egg in fridge.',
      places: ['drawer 1', 'fridge 1', 'microwave 1'],
      objects: { 'egg 1': 'microwave 1', 'egg 2': 'drawer 1' },
    });
    const env = envOf(task);
    await env.reset({ panel: 'by-hand', index: 0 }, context);
    await env.step('go to drawer 1', context);
    await env.step('open drawer 1', context);
    const scene = sceneOf(task);
    for (let seed = 0; seed < 20; seed += 1)
      expect(swapHiddenIn(() => scene)(env.snapshots.take(), createRng(seed))).toBeUndefined();
  });
});

describe('household snapshots', () => {
  it('continue as the episode did, wherever they were taken', () => snapshotsGoOn(world, 60));

  it('equal each other exactly when their worlds do', async () => {
    const worlds = new Map<string, string>();
    const env = await host.create();
    await env.reset({ panel: 'dev', index: 7 }, context);
    const choose = randomly('worlds');
    let turn: Acting = await env.reset({ panel: 'dev', index: 7 }, context);
    for (let step = 0; step < 45; step += 1) {
      const world = JSON.stringify(env.snapshots?.take().world);
      expect(worlds.get(turn.stateKey ?? '') ?? world).toBe(world);
      worlds.set(turn.stateKey ?? '', world);
      const result = await env.step(choose(turn), context);
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
    expect(new Set(worlds.values()).size).toBe(worlds.size);
  });

  it.each([
    { world: {}, episode: {}, steps: 0 },
    {
      world: { task: { panel: 'dev', index: 0 }, player: 0, objects: [], conditions: [], doors: [] },
      episode: { seen: [], observation: '' },
      steps: 0,
    },
    {
      world: { task: { panel: 'none', index: 0 }, player: 0, objects: [], conditions: [], doors: [] },
      episode: { seen: [], observation: '' },
      steps: 0,
    },
  ])('restore refuses %o', async (snapshot) => {
    const env = await host.create();
    expect(() => env.snapshots?.restore(snapshot)).toThrow(/household|panel/);
  });
});
