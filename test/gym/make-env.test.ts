import { describe, expect, it } from 'vitest';
import { makeEnv } from '../../gym/index.ts';

describe('makeEnv', () => {
  it('plays an episode of a built-in environment to its end', async () => {
    await using env = await makeEnv('household');
    const opening = await env.reset(3);
    expect(opening.instruction).toMatch(/\w/);
    let actions = opening.actions;
    for (let steps = 1; ; steps += 1) {
      const step = await env.step(actions?.[steps % (actions.length || 1)] ?? 'look');
      expect(Object.values(step.terms).reduce((sum, term) => sum + term, 0)).toBeCloseTo(step.reward);
      if (step.terminated || step.truncated) {
        expect(steps).toBeLessThanOrEqual(50);
        expect(step.actions).toBeUndefined();
        break;
      }
      ({ actions } = step);
    }
    await expect(env.step('look')).rejects.toThrow(/no episode under way.*`reset`/s);
    expect((await env.reset(3)).observation).toBe(opening.observation);
  });

  it('reports a solved task', async () => {
    await using env = await makeEnv('lights-out', { config: { size: 3 } });
    const { actions } = await env.reset(0);
    expect(actions).toHaveLength(9);
    expect(await play(env, actions ?? [])).toBe(true);
  });

  it('refuses words that are no action and goes on', async () => {
    await using env = await makeEnv('household');
    const { actions } = await env.reset();
    await expect(env.step('')).rejects.toThrow(/step of household-v1: it is no action/);
    expect(await env.step(actions?.[0] ?? '')).toMatchObject({ terminated: false });
  });

  it('refuses an unknown environment, panel, config key and task', async () => {
    await expect(makeEnv('houshold')).rejects.toThrow(/household/);
    await expect(makeEnv('household', { panel: 'none' })).rejects.toThrow(/Choose one of/);
    await expect(makeEnv('household', { config: { size: 1 } })).rejects.toThrow(/size/);
    await using env = await makeEnv('household', { panel: 'dev' });
    await expect(env.reset(-1)).rejects.toThrow(/this task does not exist/);
    await expect(env.step('look')).rejects.toThrow(/no episode under way/);
  });
});

/** Tries subsets of the presses until one solves the task. */
async function play(env: Awaited<ReturnType<typeof makeEnv>>, presses: readonly string[]): Promise<boolean> {
  for (let subset = 1; subset < 2 ** presses.length; subset += 1) {
    await env.reset(0);
    for (const [bit, press] of presses.entries())
      if (subset & (1 << bit)) {
        const { solved, terminated } = await env.step(press);
        if (solved) return true;
        if (terminated) break;
      }
  }
  return false;
}
