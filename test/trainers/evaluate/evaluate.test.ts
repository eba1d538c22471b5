import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScriptedAgent } from '../../../agents/policy/scripted.ts';
import { createContext } from '../../../envs/core/context.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { agentPlayer, evaluate } from '../../../trainers/evaluate/evaluate.ts';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { openEnvSession, rolloutSettingsSchema, type EnvSession } from '../../../trainers/env-session.ts';

const context = createContext({ seed: 0, now: () => performance.now() });
let envSession: EnvSession;
beforeAll(
  async () =>
    void (envSession = await openEnvSession(lightsOutEnv, rolloutSettingsSchema.parse({}), context)),
);
afterAll(() => envSession[Symbol.asyncDispose]());

const first = createScriptedAgent<unknown, unknown>({
  id: 'first',
  replies: ({ admissible = [] }) => ({ kind: 'action', action: admissible[0] }),
});

describe('custom agent', () => {
  it('counts as a player that sees everything, unless its author overrides that', () => {
    expect(agentPlayer(first)).toEqual({
      name: 'first',
      agent: first,
      shown: { kind: 'scripted', admissible: true, history: 'all steps', decoding: { kind: 'none' } },
    });
    const { name, shown } = agentPlayer(first, { name: 'mine', shown: { history: 'none' } });
    expect([name, shown.history, shown.admissible]).toEqual(['mine', 'none', true]);
  });

  it('plays with defaults: each task once with seed 0', async () => {
    const panel = readPanel(envSession.host, {
      env: lightsOutEnv.id,
      config: envSession.envConfig,
      name: 'dev',
      limit: 3,
    });
    const result = await evaluate({ envSession, player: agentPlayer(first), panel, context });
    expect(result).toMatchObject({
      agent: 'first',
      seeds: [0],
      episodesPerTask: 1,
      versions: {},
      panel: { tasks: 3 },
    });
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'result.json')).toEqual(result);
  });

  it('loses only the episode in which its script runs out', async () => {
    const panel = readPanel(envSession.host, {
      env: lightsOutEnv.id,
      config: envSession.envConfig,
      name: 'dev',
      limit: 3,
    });
    let asked = 0;
    const short = createScriptedAgent<unknown, unknown>({
      replies: ({ admissible = [] }) =>
        (asked += 1) > 2 ? undefined : { kind: 'action', action: admissible[0] },
    });
    const { episodes, faults } = await evaluate({
      envSession,
      player: agentPlayer(short),
      panel,
      context,
    });
    expect(episodes.map(({ outcome, cause }) => [outcome, cause])).toEqual(
      Array.from({ length: 3 }, () => ['failed', 'malformed-cap']),
    );
    expect(faults.count).toBe(0);
  });
});
