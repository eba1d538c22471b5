import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { assertEnv } from '../../../envs/check-env.ts';
import { defineEnv, type Snapshot } from '../../../envs/core/env.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { observationModes } from '../../../envs/shop/observation.ts';
import { shopText } from '../../../envs/shop/words.ts';
import { context, openCorner } from './corner-shop.ts';
import { wander } from './players.ts';

const cornerShop = defineEnv({
  id: 'corner-shop-v1',
  summary: 'the shop of the tests',
  config: z.strictObject({
    observationMode: z.enum(observationModes).default('text'),
    strict: z.boolean().default(false),
    showAttributes: z.boolean().default(false),
  }),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: shopText,
  turnLimit: () => 15,
  open: async (config) => openCorner(config),
});

const seeded = (numRuns: number): { readonly seed: number; readonly numRuns: number } => ({ seed: 20_260_101, numRuns });
const anyTask = fc.record({ panel: fc.constantFrom('train', 'dev', 'test'), index: fc.nat(4) });
const anySeed = fc.nat(1_000_000).map(String);
const anyManner = fc.record({ observationMode: fc.constantFrom(...observationModes), strict: fc.boolean(), showAttributes: fc.boolean() });

describe('the contract', () => {
  it.each([...observationModes.map((observationMode) => ({ observationMode })), { strict: true, showAttributes: true }])('holds with %o', async (config) => {
    const report = await assertEnv(cornerShop, { config, tasksPerPanel: 2 });
    expect(report.notes).toContain('the planner solved 6 of 6 episodes');
    expect(report.unchecked.map(({ law }) => law)).toEqual(['secrets']); // what is asked for may stand on any page; see the canary below
  });
});

describe('equal keys', () => {
  it('of anchors have equal admissible actions', async () => {
    const host = openCorner();
    let revisited = 0;
    await fc.assert(
      fc.asyncProperty(anyTask, anySeed, async (task, seed) => {
        const env = await host.create();
        const actionsOf = new Map<string, readonly string[]>();
        for (const member of ['a', 'b', 'c', 'd', 'e', 'f']) {
          for (const { anchorKey = '', admissible = [] } of (await wander(env, task, { seed: seed + member, most: 14 })).turns) {
            const before = actionsOf.get(anchorKey);
            if (before !== undefined) revisited += 1;
            expect(admissible).toEqual(before ?? admissible);
            actionsOf.set(anchorKey, admissible);
          }
        }
      }),
      seeded(60),
    );
    expect(revisited).toBeGreaterThan(500);
  });

  it('of states have equal futures, in every mode', async () => {
    let repeated = 0;
    await fc.assert(
      fc.asyncProperty(anyTask, anySeed, anyManner, async (task, seed, manner) => {
        const env = await openCorner(manner).create();
        const futures = new Map<string, string>();
        for (const member of ['a', 'b', 'c', 'd', 'e', 'f']) {
          const { turns, actions, last } = await wander(env, task, { seed: seed + member, most: 14 });
          for (const [step, action] of actions.entries()) {
            const after = turns[step + 1] ?? last;
            const now = `${turns[step]?.stateKey} ${action}`;
            const then = `${after?.stateKey} ${after?.observation}`;
            if (futures.has(now)) repeated += 1;
            expect(futures.get(now) ?? then).toBe(then);
            futures.set(now, then);
          }
        }
      }),
      seeded(60),
    );
    expect(repeated).toBeGreaterThan(200);
  });
});

describe('hidden goals', () => {
  it('do not show until something is bought, and then they do', async () => {
    let shown = 0;
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(anyTask, anySeed, fc.nat(10), anyManner, async (task, seed, most, manner) => {
        const host = openCorner(manner);
        const [here, there] = [await host.create(), await host.create()];
        if ((await wander(here, task, { seed, most })).last?.kind === 'terminated') return;
        const snapshot = here.snapshots?.take();
        const swapped = snapshot === undefined ? undefined : host.audit?.swapHidden?.(snapshot, createRng(5).fork(seed));
        if (snapshot === undefined || swapped === undefined) return;
        const rng = createRng(6).fork(seed);
        let turn = here.snapshots?.restore(snapshot);
        const other = there.snapshots?.restore(swapped.snapshot);
        expect(other).toEqual({ ...turn, stateKey: other?.stateKey });
        for (let step = 0; step < 12; step += 1) {
          const action = rng.pick(turn?.admissible ?? []);
          const [result, otherResult] = [await here.step(action, context), await there.step(action, context)];
          if (swapped.reveals(action)) {
            if (result.reward.total !== otherResult.reward.total) shown += 1;
            return;
          }
          compared += 1;
          expect(otherResult).toEqual({ ...result, stateKey: otherResult.stateKey });
          if (result.kind !== 'ongoing') return;
          turn = result;
        }
      }),
      seeded(80),
    );
    expect(shown).toBeGreaterThan(5);
    expect(compared).toBeGreaterThan(200);
  });
});

describe('snapshots', () => {
  it('taken anywhere go on as the episode did, through JSON and in a fresh env', async () => {
    await fc.assert(
      fc.asyncProperty(anyTask, anySeed, anyManner, fc.nat(12), async (task, seed, manner, cut) => {
        const host = openCorner(manner);
        const { turns, actions, last } = await wander(await host.create(), task, { seed, most: 14 });
        const at = Math.min(cut, turns.length - 1);
        const env = await host.create();
        await env.reset(task, context);
        for (const action of actions.slice(0, at)) await env.step(action, context);
        const saved = JSON.stringify(env.snapshots?.take());
        const fresh = await host.create();
        const { observation, admissible, stateKey, anchorKey } = turns[at] ?? {};
        expect(fresh.snapshots?.restore(JSON.parse(saved) as Snapshot)).toMatchObject({ observation, admissible, stateKey, anchorKey });
        for (const [index, action] of actions.slice(at).entries()) expect(await fresh.step(action, context)).toEqual(turns[at + index + 1] ?? last);
      }),
      seeded(60),
    );
  });
});
