import { describe, expect, it } from 'vitest';
import type { Context } from '../../../envs/core/context.ts';
import type { Reply } from '../../../envs/core/textual.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Agent } from '../../../agents/core/agent.ts';
import { createScriptedAgent } from '../../../agents/policy/scripted.ts';
import { createEnvPool } from '../../../agents/rollout/env-pool.ts';
import { episodePath } from '../../../agents/rollout/episode-path.ts';
import { runEpisode, type EpisodePlan } from '../../../agents/rollout/episode.ts';
import { episodeLimitsSchema, type EpisodeLimits } from '../../../agents/rollout/limits.ts';
import {
  isSolved,
  netRewardOf,
  returnOf,
  scoreOf,
  type Trajectory,
} from '../../../agents/rollout/trajectory.ts';
import { probeEnv, type Probe } from '../../support/probe-env.ts';
import { corridorStage, episodePlan, testContext } from '../../support/rollout.ts';
import { TwoSeats } from '../../support/two-seats.ts';

const action = <Act>(act: Act): Reply<Act> => ({ kind: 'action', action: act });
const malformed: Reply<never> = { kind: 'malformed', why: 'no such word', text: 'hm' };

function probePlan(
  agent: Agent<number, string>,
  limits: Partial<EpisodeLimits> = {},
  probe: Probe = { luck: [] },
): EpisodePlan<number, string> {
  return {
    path: 'train/4/test/member-1',
    envs: createEnvPool({ create: async () => probeEnv(probe) }),
    env: { id: 'probe-v1', config: { size: 1 } },
    agent,
    task: { panel: 'train', index: 4 },
    family: 'probe',
    limits: { ...episodeLimitsSchema.parse({ wallMs: 60_000, inadmissible: { penalty: 0.25 } }), ...limits },
  };
}

const play = (
  replies: readonly Reply<string>[],
  limits: Partial<EpisodeLimits> = {},
): Promise<Trajectory<number, string>> =>
  runEpisode(probePlan(createScriptedAgent({ replies }), limits), testContext());

describe('runEpisode', () => {
  it('lets an env ask the model of the agent, each time with another random stream', async () => {
    const told: string[] = [];
    const env = probeEnv({ luck: [] });
    const asking: typeof env = {
      ...env,
      step: async (act, context) => {
        for (const prompt of ['one', 'two']) told.push((await context.askAgent?.(prompt)) ?? 'nobody');
        return env.step(act, context);
      },
    };
    const scripted = createScriptedAgent<number, string>({ replies: [action('stop')] });
    const writing: typeof scripted = {
      ...scripted,
      begin: (episode, context) => ({
        ...scripted.begin(episode, context),
        act: async () => ({ reply: action('stop'), decision: undefined, policyVersion: undefined }),
        write: async (prompt, { rng }) => `${prompt} ${rng.int(1_000_000)}`,
      }),
    };
    const plan = (agent: Agent<number, string>) => ({
      ...probePlan(agent),
      envs: createEnvPool({ create: async () => asking }),
    });
    await runEpisode(plan(writing), testContext());
    await runEpisode(plan(writing), testContext());
    await runEpisode(plan(scripted), testContext());
    expect(told.map((text) => text.split(' ')[0])).toEqual(['one', 'two', 'one', 'two', 'nobody', 'nobody']);
    expect(told.slice(0, 2)).toEqual(told.slice(2, 4));
    expect(told[0]?.split(' ')[1]).not.toBe(told[1]?.split(' ')[1]);
  });

  it('records observations, replies and rewards, and how the episode ended', async () => {
    const trajectory = await play([action('go'), action('stop')]);
    expect(trajectory).toStrictEqual({
      schema: 2,
      path: 'train/4/test/member-1',
      env: { id: 'probe-v1', config: { size: 1 } },
      task: { panel: 'train', index: 4 },
      family: 'probe',
      agent: 'scripted',
      instruction: 'Go on.',
      steps: [0, 1].map((observation) => ({
        observation,
        seat: 0,
        stateKey: `s${observation}`,
        anchorKey: `a${observation}`,
        stepsLeft: undefined,
        reply: action(observation === 0 ? 'go' : 'stop'),
        decision: undefined,
        policyVersion: undefined,
        verdict: 'admissible',
        reward: { total: 0.5, terms: { step: 0.5 } },
        penalty: undefined,
      })),
      finalObservation: 2,
      finalStateKey: 's2',
      finalAnchorKey: undefined,
      stop: { kind: 'terminated', outcome: 'solved' },
    });
    expect(isSolved(trajectory)).toBe(true);
  });

  it('hides from the agent the parts of a turn meant for checks or people, and unknown fields', async () => {
    const turns: object[] = [];
    const probe = probeEnv({ luck: [] });
    const telling = {
      ...probe,
      step: async (act: string, context: Context) => ({
        ...(await probe.step(act, context)),
        metrics: { coin: 3 },
        aside: 3,
      }),
    };
    const agent: Agent<number, string> = {
      id: 'listening',
      begin: () => ({
        act: async (turn) => {
          turns.push(turn);
          return {
            reply: action(turns.length < 3 ? 'go' : 'stop'),
            decision: undefined,
            policyVersion: undefined,
          };
        },
      }),
    };
    const { steps } = await runEpisode(
      { ...probePlan(agent), envs: createEnvPool({ create: async () => telling }) },
      testContext(),
    );
    const seen = { seat: 0, stateKey: undefined, admissible: ['go', 'stop'], stepsLeft: undefined };
    const later = {
      ...seen,
      kind: 'ongoing',
      reward: { total: 0.5, terms: { step: 0.5 } },
      inadmissible: false,
    };
    expect(turns).toStrictEqual([
      { ...seen, observation: 0, anchorKey: 'a0', instruction: 'Go on.' },
      { ...later, observation: 1, anchorKey: 'a1' },
      { ...later, observation: 2, anchorKey: 'a2' },
    ]);
    expect(steps).toMatchObject([
      { stateKey: 's0', metrics: { coin: 3 } },
      { stateKey: 's1' },
      { stateKey: 's2' },
    ]);
  });

  it('distinguishes a truncation from a termination', async () => {
    expect(await play([action('cut')])).toMatchObject({
      stop: { kind: 'truncated', limit: 'probe-limit' },
      finalObservation: 1,
      finalStateKey: 's1',
    });
  });

  it('names the task limit that ended the episode, and records the steps left', async () => {
    const stage = await corridorStage({ config: { turns: 2, slip: 1 } });
    const { stop, steps } = await runEpisode(episodePlan(stage), testContext());
    expect(stop).toEqual({ kind: 'terminated', outcome: 'failed', limit: 'turn-limit' });
    expect(steps.map(({ stepsLeft }) => stepsLeft)).toEqual([2, 1]);
    await stage.envs.close();
  });

  it('records each seat and what the others earned', async () => {
    const plan: EpisodePlan<string, number> = {
      ...episodePlan(await corridorStage()),
      envs: createEnvPool({ create: async () => new TwoSeats() }),
      agent: createScriptedAgent({ replies: [action(3), action(5)] }),
    };
    const { steps } = await runEpisode(plan, testContext());
    expect(steps.map(({ seat }) => seat)).toEqual([0, 1]);
    expect(steps[0]).not.toHaveProperty('otherRewards');
    expect(steps[1]).toMatchObject({
      reward: { total: 1 },
      otherRewards: { 0: { total: -1 } },
      metrics: { spread: 2 },
    });
  });
});

describe('errors of the model', () => {
  it('record a malformed reply without calling the env, and ask again with the reason', async () => {
    const heard: (string | undefined)[] = [];
    const replies = [action('go'), malformed, malformed, action('go'), action('stop')];
    const agent: Agent<number, string> = {
      id: 'listener',
      begin: () => ({
        act: async (_turn, _context, feedback) => {
          heard.push(feedback);
          return {
            reply: replies[heard.length - 1] as Reply<string>,
            decision: undefined,
            policyVersion: undefined,
          };
        },
      }),
    };
    const probe: Probe = { luck: [] };
    const { steps, stop } = await runEpisode(probePlan(agent, {}, probe), testContext());
    expect(steps.map(({ verdict }) => verdict)).toEqual([
      'admissible',
      'malformed',
      'malformed',
      'admissible',
      'admissible',
    ]);
    expect(steps.map(({ observation }) => observation)).toEqual([0, 1, 1, 1, 2]);
    expect(heard).toEqual([undefined, undefined, 'no such word', 'no such word', undefined]);
    expect(probe.luck).toHaveLength(3);
    expect(stop).toEqual({ kind: 'terminated', outcome: 'solved' });
  });

  it('record penalties beside the rewards, which stay as the env paid them', async () => {
    const trajectory = await play([malformed, action('bad'), action('stop')]);
    expect(trajectory.steps.map(({ reward, penalty }) => [reward, penalty])).toEqual([
      [{ total: 0, terms: {} }, 0.1],
      [{ total: 0.5, terms: { step: 0.5 } }, 0.25],
      [{ total: 0.5, terms: { step: 0.5 } }, undefined],
    ]);
    expect(trajectory.steps.map(netRewardOf)).toEqual([-0.1, 0.25, 0.5]);
    expect(scoreOf(trajectory)).toBeCloseTo(1, 12);
    expect(returnOf(trajectory)).toBeCloseTo(0.65, 12);
  });

  it('record a penalty of 0 where errors cost nothing', async () => {
    const { steps } = await play([malformed, action('bad'), action('stop')], {
      malformed: { inARow: 3, penalty: 0 },
      inadmissible: { penalty: 0 },
    });
    expect(steps.map(({ verdict, penalty }) => [verdict, penalty])).toStrictEqual([
      ['malformed', 0],
      ['inadmissible', 0],
      ['admissible', undefined],
    ]);
  });

  it('allow the env any name for its reward terms', async () => {
    const env = probeEnv({ luck: [] });
    const paid = { total: -1, terms: { 'invalid-action': -1 } };
    const paying = {
      ...env,
      step: async (...call: Parameters<typeof env.step>) => ({ ...(await env.step(...call)), reward: paid }),
    };
    const agent = createScriptedAgent({ replies: [action('bad'), action('stop')] });
    const plan = { ...probePlan(agent), envs: createEnvPool({ create: async () => paying }) };
    const trajectory = await runEpisode(plan, testContext());
    expect(trajectory.steps[0]).toMatchObject({ reward: paid, penalty: 0.25 });
    expect(scoreOf(trajectory)).toBe(-2);
  });

  it('end the episode as failed at the cap of malformed replies in a row', async () => {
    const trajectory = await play([malformed, malformed, action('go'), malformed, malformed, malformed]);
    expect(trajectory.steps).toHaveLength(6);
    expect(trajectory).toMatchObject({
      stop: { kind: 'terminated', outcome: 'failed', limit: 'malformed-cap' },
      finalObservation: 1,
      finalStateKey: 's1',
      finalAnchorKey: 'a1',
    });
  });

  it('end the episode as failed at the cap of inadmissible actions in a row, if set', async () => {
    const bad = [action('bad'), action('bad')];
    const limits = { inadmissible: { inARow: 3, penalty: 0 } };
    const { stop, steps } = await play([...bad, action('go'), ...bad, malformed, action('bad')], limits);
    expect(stop).toEqual({ kind: 'terminated', outcome: 'failed', limit: 'inadmissible-cap' });
    expect(steps).toHaveLength(7);
    const uncapped = await play([...bad, ...bad, ...bad, action('stop')]);
    expect(isSolved(uncapped)).toBe(true);
  });
});

describe('randomness of an episode', () => {
  it('depends only on seed and path', async () => {
    const stage = await corridorStage();
    const once = (seed: number, path: string): Promise<unknown> =>
      runEpisode(episodePlan(stage, { path }), testContext({ seed }));
    expect(await once(1, 'a')).toStrictEqual(await once(1, 'a'));
    expect(await once(1, 'a')).not.toEqual({ ...((await once(1, 'b')) as object), path: 'a' });
    expect(await once(1, 'a')).not.toEqual(await once(2, 'a'));
    await stage.envs.close();
  });

  it('stays the same in the env, whatever the agent draws and however many replies are malformed', async () => {
    const luckWith = async (draws: number, first: readonly Reply<string>[]): Promise<readonly number[]> => {
      const probe: Probe = { luck: [] };
      const replies = [...first, action('go'), action('bad'), action('go'), action('stop')];
      const drawn: number[] = [];
      let asked = 0;
      const agent: Agent<number, string> = {
        id: 'drawing',
        begin: (_episode, { rng }) => ({
          act: async (_turn, context) => {
            for (let draw = 0; draw < draws; draw += 1) drawn.push(rng.uniform(), context.rng.uniform());
            return {
              reply: replies[asked++] as Reply<string>,
              decision: undefined,
              policyVersion: undefined,
            };
          },
        }),
      };
      await runEpisode(probePlan(agent, {}, probe), testContext());
      return probe.luck;
    };
    const luck = await luckWith(0, []);
    expect(new Set(luck).size).toBe(4);
    expect(await luckWith(3, [malformed, malformed])).toEqual(luck);
  });

  it('differs for each retry', () => {
    const of = { task: { panel: 'train', index: 3 }, label: 'iteration-2', member: 5 };
    expect(episodePath({ ...of, retry: 0 })).toBe('train/3/iteration-2/member-5');
    expect(episodePath({ ...of, retry: 1 })).toBe('train/3/iteration-2/member-5/try-1');
  });
});

describe('log and options of runEpisode', () => {
  it('logs start and end under the episode’s path', async () => {
    const log = createMemoryLogger();
    await runEpisode(
      probePlan(createScriptedAgent({ replies: [action('go'), action('stop')] })),
      testContext({ log }),
    );
    expect(log.events).toEqual([
      { path: 'train/4/test/member-1', event: { type: 'episode-start', env: 'probe-v1' } },
      {
        path: 'train/4/test/member-1',
        event: { type: 'episode-end', steps: 2, stop: 'terminated', reward: 1 },
      },
    ]);
  });

  it('refuses limits that make no sense', async () => {
    for (const limits of [
      { wallMs: 0 },
      { wallMs: 2 ** 31 },
      { malformed: { inARow: 0, penalty: 0 } },
      { inadmissible: { penalty: -1 } },
    ]) {
      await expect(play([action('stop')], limits)).rejects.toBeInstanceOf(UsageError);
    }
  });
});
