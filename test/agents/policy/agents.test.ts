import { describe, expect, it } from 'vitest';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import { createChoiceAgent, type ChoiceMode } from '../../../agents/policy/choice.ts';
import type { ChoiceSampler } from '../../../agents/core/choice-sampler.ts';
import { createExpertAgent } from '../../../agents/policy/expert.ts';
import { createRandomAgent } from '../../../agents/policy/random.ts';
import { createScriptedAgent } from '../../../agents/policy/scripted.ts';
import { createEnvPool } from '../../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../../agents/rollout/episode.ts';
import { isSolved, type Trajectory } from '../../../agents/rollout/trajectory.ts';
import { corridorText } from '../../support/corridor.ts';
import { corridorStage, episodePlan, testContext, type CorridorAgent } from '../../support/rollout.ts';
import { TwoSeats } from '../../support/two-seats.ts';

const play = async (
  agent: CorridorAgent,
  config: { readonly slip?: number; readonly turns?: number } = {},
) => {
  const stage = await corridorStage({ config });
  try {
    return await runEpisode(episodePlan(stage, { agent }), testContext());
  } finally {
    await stage.envs.close();
  }
};

/** Always returns the same logits, and records its requests and the chosen indices. */
function fixedSampler(logits: (candidates: readonly string[]) => readonly number[]) {
  const asked: { readonly observation: string; readonly candidates: readonly string[] }[] = [];
  const told: number[] = [];
  const sampler: ChoiceSampler = {
    begin: () => ({
      score: async (observation, candidates) => {
        asked.push({ observation, candidates });
        return { logits: Float32Array.from(logits(candidates)), version: 4 };
      },
      took: (index) => void told.push(index),
    }),
  };
  return { sampler, asked, told };
}

const choice = (sampler: ChoiceSampler, mode: ChoiceMode): CorridorAgent =>
  createChoiceAgent({ id: 'choice:test', sampler, text: corridorText, mode });

describe('random agent', () => {
  it('takes every admissible action about equally often', async () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 40; round += 1) {
      const stage = await corridorStage({ config: { slip: 1, turns: 30 } });
      const { steps } = await runEpisode(episodePlan(stage, { path: `round-${round}` }), testContext());
      for (const { reply } of steps)
        if (reply.kind === 'action') counts.set(reply.action, (counts.get(reply.action) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual(['left', 'right', 'wait']);
    for (const count of counts.values()) expect(Math.abs(count - 400)).toBeLessThan(70); // 4 standard deviations
  });

  it('records its decisions only when it has the words of the env', async () => {
    const { steps } = await play(createRandomAgent({ text: corridorText }), { slip: 1, turns: 1 });
    expect(steps[0]?.decision).toMatchObject({
      kind: 'choice',
      candidates: ['go left', 'go right', 'go wait'],
      logprob: -Math.log(3),
    });
    expect((await play(createRandomAgent(), { slip: 1, turns: 1 })).steps[0]?.decision).toBeUndefined();
  });

  it('refuses an env that lists no actions', async () => {
    const plan = {
      ...episodePlan(await corridorStage()),
      envs: createEnvPool({ create: async () => new TwoSeats() }),
      agent: createRandomAgent<string, number>(),
    };
    await expect(runEpisode(plan, testContext())).rejects.toBeInstanceOf(UsageError);
  });
});

describe('choice agent', () => {
  it('asks with the words of the env and reports the chosen index', async () => {
    const { sampler, asked, told } = fixedSampler((candidates) =>
      candidates.map((candidate) => (candidate === 'go right' ? 1 : 0)),
    );
    const { steps, agent } = await play(choice(sampler, { kind: 'greedy' }), { slip: 0 });
    expect(agent).toBe('choice:test');
    expect(asked[0]).toEqual({
      observation: 'You stand in room 1 of 3.',
      candidates: ['go left', 'go right', 'go wait'],
    });
    expect(told).toEqual([1, 1]);
    expect(steps[0]).toMatchObject({
      reply: { kind: 'action', action: 'right' },
      decision: { kind: 'choice', candidates: ['go left', 'go right', 'go wait'], index: 1, logprob: 0 },
      policyVersion: 4,
    });
  });

  it('takes the first of equal logits when greedy', async () => {
    const { sampler, told } = fixedSampler((candidates) => candidates.map(() => 0.5));
    await play(choice(sampler, { kind: 'greedy' }), { turns: 3, slip: 1 });
    expect(told).toEqual([0, 0, 0]);
  });

  it('records the log-probability under the distribution it drew from, temperature included', async () => {
    const logits = [0, 0.5, 1];
    for (const temperature of [0.5, 1, 2]) {
      const { sampler } = fixedSampler(() => logits);
      const { steps } = await play(choice(sampler, { kind: 'sampled', temperature }), { slip: 1, turns: 30 });
      const weights = logits.map((logit) => Math.exp(logit / temperature));
      const sum = weights.reduce((a, b) => a + b, 0);
      for (const { decision } of steps) {
        if (decision?.kind !== 'choice') throw new Error('every step is a choice');
        expect(decision.logprob).toBeCloseTo(Math.log((weights[decision.index] as number) / sum), 12);
      }
      expect(
        new Set(steps.map(({ decision }) => (decision?.kind === 'choice' ? decision.index : -1))).size,
      ).toBeGreaterThan(1);
    }
  });

  it('stops the run on logits that are not finite, and on too few logits', async () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const { sampler } = fixedSampler(() => [0, wrong, 0]);
      await expect(play(choice(sampler, { kind: 'greedy' }))).rejects.toThrow(/logit 1 of 3 is/);
      await expect(play(choice(sampler, { kind: 'greedy' }))).rejects.toBeInstanceOf(RunError);
    }
    await expect(play(choice(fixedSampler(() => [0]).sampler, { kind: 'greedy' }))).rejects.toThrow(
      '1 logits for 3 candidates',
    );
  });

  it('refuses a temperature that is not above 0', () => {
    for (const temperature of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => choice(fixedSampler(() => []).sampler, { kind: 'sampled', temperature })).toThrow(
        UsageError,
      );
    }
  });

  it('aborts a sampler that ignores its signal', async () => {
    const controller = new AbortController();
    const deaf: ChoiceSampler = {
      begin: () => ({ score: () => new Promise(() => undefined), took: () => undefined }),
    };
    const stage = await corridorStage();
    const playing = runEpisode(
      episodePlan(stage, { agent: choice(deaf, { kind: 'greedy' }) }),
      testContext({ signal: controller.signal }),
    );
    setTimeout(() => controller.abort(new Error('interrupted')), 10);
    await expect(playing).rejects.toThrow('interrupted');
    await stage.envs.close();
  });
});

describe('expert agent', () => {
  it('replays the planner’s actions', async () => {
    const { source } = await corridorStage();
    const trajectory = await play(createExpertAgent({ kind: 'planner', experts: source.experts }), {
      slip: 0,
    });
    expect(isSolved(trajectory)).toBe(true);
    expect(trajectory.agent).toBe('planner');
    expect(trajectory.steps).toHaveLength(2);
  });

  it('blames the env when its plan ends before the episode', async () => {
    const { source } = await corridorStage();
    const { stop } = await play(createExpertAgent({ kind: 'planner', experts: source.experts }), { slip: 1 });
    expect(stop).toMatchObject({ kind: 'faulted', fault: { kind: 'env-crashed', where: 'experts.planner' } });
  });

  it('plays the searcher, and blames the env for the searcher’s failure', async () => {
    const { source } = await corridorStage();
    expect(isSolved(await play(createExpertAgent({ kind: 'searcher', experts: source.experts })))).toBe(true);
    const broken = {
      searcher: () => ({
        act: (): never => {
          throw new Error('lost');
        },
      }),
    };
    const { stop } = await play(createExpertAgent({ kind: 'searcher', experts: broken }));
    expect(stop).toEqual({
      kind: 'faulted',
      fault: { kind: 'env-crashed', where: 'experts.searcher', message: 'lost' },
    });
  });

  it('records its action as a choice when it has the words, and no decision when the action is not listed', async () => {
    const { source } = await corridorStage();
    const { steps } = await play(
      createExpertAgent({ kind: 'planner', experts: source.experts, text: corridorText }),
      { slip: 0 },
    );
    expect(steps[0]?.decision).toEqual({
      kind: 'choice',
      candidates: ['go left', 'go right', 'go wait'],
      index: 1,
      logprob: 0,
    });
    const unlisted = createExpertAgent({
      kind: 'planner',
      experts: { planner: () => ['right' as const] },
      text: { ...corridorText, action: (move) => `${move} ${Math.random()}` },
    });
    expect((await play(unlisted, { slip: 1, turns: 1 })).steps[0]?.decision).toBeUndefined();
  });

  it('refuses an env without the requested expert, and names the experts it has', () => {
    expect(() => createExpertAgent({ kind: 'searcher', experts: undefined })).toThrow('It has no experts');
    expect(() => createExpertAgent({ kind: 'searcher', experts: { planner: () => [] } })).toThrow(
      'Use its planner',
    );
  });
});

describe('scripted agent', () => {
  const goRight = { kind: 'action', action: 'right' } as const;
  const verdicts = ({ steps }: Trajectory): readonly string[] => steps.map(({ verdict }) => verdict);

  it('starts over in every episode, and gives malformed replies after its script', async () => {
    const agent: CorridorAgent = createScriptedAgent({ replies: [goRight] });
    for (const _episode of [1, 2]) {
      const played = await play(agent, { slip: 1, turns: 9 });
      expect(verdicts(played)).toEqual(['admissible', 'malformed', 'malformed', 'malformed']);
      expect(played.stop).toEqual({ kind: 'terminated', outcome: 'failed', limit: 'malformed-cap' });
    }
  });

  it('calls a function for each turn, and gives malformed replies once it returns nothing', async () => {
    const told: unknown[] = [];
    const agent: CorridorAgent = createScriptedAgent({
      replies: async ({ observation }, { path }, feedback) => {
        told.push([observation.at, path, feedback]);
        return observation.at < 2 ? goRight : undefined;
      },
    });
    const played = await play(agent, { slip: 0 });
    expect(verdicts(played)).toEqual(['admissible', 'malformed', 'malformed', 'malformed']);
    expect(told.slice(0, 3)).toEqual([
      [1, 'train/0/test/member-0', undefined],
      [2, 'train/0/test/member-0', undefined],
      [2, 'train/0/test/member-0', 'The script is over.'],
    ]);
  });
});

describe('random agent with an empty list of actions', () => {
  it('throws a UsageError that suggests npx cairn-gym check', async () => {
    const stage = await corridorStage();
    const agent: CorridorAgent = {
      id: 'unavailablePanels',
      begin: (episode, context) => {
        const player = createRandomAgent<{ at: number; last: number }, 'left' | 'right' | 'wait'>().begin(
          episode,
          context,
        );
        return { act: (turn, luck) => player.act({ ...turn, admissible: [] }, luck) };
      },
    };
    const played = runEpisode(episodePlan(stage, { agent }), testContext());
    await expect(played).rejects.toThrow(
      /^agent random: it chooses among admissible actions, and the list is empty\. .*`npx cairn-gym check`/,
    );
    await expect(played).rejects.toBeInstanceOf(UsageError);
  });
});
