import { assertEnv, createContext, openEnv } from 'cairn-gym/envs';
import { expect, test } from 'vitest';
import { env } from './env.ts';

const context = createContext({ seed: 0, now: () => performance.now() });

test('keeps the laws of environments', async () => {
  const { checked, unchecked } = await assertEnv(env);
  expect(checked.hidden).toBeGreaterThan(0); // rows that nothing has read were swapped, and nothing showed it
  expect(unchecked.filter(({ expected }) => expected === undefined)).toEqual([]);
}, 60_000);

test('pays for the gold calls of every task, and not for an end alone', async () => {
  const host = await openEnv(env, {}, context);
  for (const index of [0, 1, 2, 3]) {
    const task = { panel: 'train', index };
    const episode = await host.create();
    await episode.reset(task, context);
    let paid = 0;
    for (const action of host.experts?.planner?.(task) ?? [])
      paid += (await episode.step(action, context)).reward.total;
    expect(paid).toBe(1);
    await episode.reset(task, context);
    expect(await episode.step({ kind: 'done' }, context)).toMatchObject({ outcome: 'failed' });
    await episode.close();
  }
  await host.close();
});
