import { describe, expect, it } from 'vitest';
import { createContext } from '../../../../envs/core/context.ts';
import { readPanel } from '../../../../envs/core/task.ts';
import { householdEnv } from '../../../../envs/household/definition.ts';
import { lightsOutEnv } from '../../../../envs/puzzle/lights-out.ts';
import { demonstrate, solvedOnly } from '../../../../trainers/loop/warm-start/demonstrations.ts';
import { openEnvSession, rolloutSettingsSchema } from '../../../../trainers/env-session.ts';

describe('demonstrations', () => {
  it('come solved from the searcher, and spread evenly over the families', async () => {
    const context = createContext({ seed: 4, now: () => performance.now() });
    await using envSession = await openEnvSession(householdEnv, rolloutSettingsSchema.parse({}), context);
    const panel = readPanel(envSession.host, {
      env: householdEnv.id,
      config: envSession.envConfig,
      name: 'dev',
    });
    const groups = solvedOnly(
      await demonstrate(envSession, { panel, episodes: 12 }, context),
      householdEnv.id,
    );
    const members = groups.flatMap((group) => group.members);
    expect(members.every(({ stop }) => stop.kind === 'terminated' && stop.outcome === 'solved')).toBe(true);
    expect(
      members.every(
        ({ agent, steps }) =>
          agent === 'searcher' && steps.every(({ decision }) => decision?.kind === 'choice'),
      ),
    ).toBe(true);
    const counts = new Map<string, number>();
    for (const { family } of members) counts.set(family, (counts.get(family) ?? 0) + 1);
    expect([...counts.values()]).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('repeat tasks with new randomness when more are requested than there are tasks', async () => {
    const context = createContext({ seed: 4, now: () => performance.now() });
    await using envSession = await openEnvSession(householdEnv, rolloutSettingsSchema.parse({}), context);
    const whole = readPanel(envSession.host, {
      env: householdEnv.id,
      config: envSession.envConfig,
      name: 'dev',
    });
    const panel = { ...whole, tasks: whole.tasks.slice(0, 8), families: whole.families.slice(0, 8) };
    const groups = await demonstrate(envSession, { panel, episodes: 20 }, context);
    const timesOf = new Map(
      panel.tasks.map(({ index }) => [index, groups.filter(({ task }) => task.index === index).length]),
    );
    expect([...timesOf.values()].sort((a, b) => a - b)).toEqual([2, 2, 2, 2, 3, 3, 3, 3]);
    const told = groups
      .flatMap(({ members }) => members)
      .map(({ task, steps }) => JSON.stringify([task.index, steps.map(({ reply }) => reply)]));
    expect(new Set(told).size).toBeGreaterThan(panel.tasks.length);
  });

  it('stay empty when none are requested, even for an env without a searcher', async () => {
    const context = createContext({ seed: 4, now: () => performance.now() });
    await using envSession = await openEnvSession(lightsOutEnv, rolloutSettingsSchema.parse({}), context);
    const panel = readPanel(envSession.host, {
      env: lightsOutEnv.id,
      config: envSession.envConfig,
      name: 'dev',
    });
    expect(await demonstrate(envSession, { panel, episodes: 0 }, context)).toEqual([]);
  });
});
