import { assertEnv, createContext, openEnv } from 'cairn-gym/envs';
import { expect, test } from 'vitest';
import { env } from './env.ts';

test('keeps the laws of environments', async () => {
  const { checked, unchecked } = await assertEnv(env);
  expect(checked.hidden).toBeGreaterThan(0); // hidden facts were swapped, and nothing showed it
  expect(unchecked.filter(({ expected }) => expected === undefined)).toEqual([]);
}, 60_000);

test('pays for the unlocked door and nothing else', async () => {
  const context = createContext({ seed: 0, now: () => performance.now() });
  const host = await openEnv(env, {}, context);
  const task = { panel: 'train', index: 0 };
  const episode = await host.create();
  await episode.reset(task, context);
  const rewards: number[] = [];
  for (const action of host.experts?.planner?.(task) ?? [])
    rewards.push((await episode.step(action, context)).reward.total);
  expect(rewards).toEqual([0, 0, 1]);
  await episode.close();
  await host.close();
});
