import { describe, expect, it } from 'vitest';
import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import { createRandomAgent } from '../../../agents/policy/random.ts';
import { runGroup, runGroups } from '../../../agents/rollout/group.ts';
import type { GroupStrategy, RolloutProgress } from '../../../agents/rollout/rollout-plan.ts';
import type { FailureKind } from '../../support/failing-env.ts';
import {
  collect,
  corridorStage,
  groupsPlan,
  testContext,
  type CorridorAgent,
} from '../../support/rollout.ts';

const tasks = (count: number) => Array.from({ length: count }, (_, index) => ({ panel: 'train', index }));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('runGroups', () => {
  it('plays the same transcripts at concurrency 1 and 16', async () => {
    const play = async (concurrency: number): Promise<unknown> => {
      const stage = await corridorStage({ config: { delayMs: 1 } });
      const groups = await collect(
        runGroups(groupsPlan(stage, { concurrency, members: 8, tasks: tasks(4) }), testContext()),
      );
      await stage.envs.close();
      expect(stage.census.created).toBeLessThanOrEqual(concurrency);
      expect(stage.census.closes.every((count) => count === 1)).toBe(true);
      return groups;
    };
    const [alone, together] = [await play(1), await play(16)];
    expect(together).toStrictEqual(alone);
  });

  it('gives members the same start and different randomness, and names them', async () => {
    const stage = await corridorStage();
    const { group, index } = await runGroup(
      groupsPlan(stage, { members: 8 }),
      { panel: 'train', index: 3 },
      testContext(),
    );
    expect([index, group.task]).toEqual([0, { panel: 'train', index: 3 }]);
    expect(group.members.map(({ path }) => path)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `train/3/test/member-${n}`),
    );
    expect(new Set(group.members.map(({ steps }) => JSON.stringify(steps[0]?.observation))).size).toBe(1);
    expect(
      new Set(group.members.map(({ steps }) => JSON.stringify(steps.map(({ reply }) => reply)))).size,
    ).toBe(8);
    await stage.envs.close();
  });

  it('plays differently under another label', async () => {
    const stage = await corridorStage();
    const play = async (label: string): Promise<unknown> => {
      const { group } = await runGroup(
        groupsPlan(stage, { label }),
        { panel: 'train', index: 0 },
        testContext(),
      );
      return group.members.map(({ steps }) => steps);
    };
    expect(await play('iteration-1')).toEqual(await play('iteration-1'));
    expect(await play('iteration-1')).not.toEqual(await play('iteration-2'));
    await stage.envs.close();
  });

  it('yields groups in task order, or as they finish with the same numbers', async () => {
    const random: CorridorAgent = createRandomAgent();
    const slowFirst: CorridorAgent = {
      id: 'slow-first',
      begin: (episode, context) => {
        const player = random.begin(episode, context);
        return {
          act: async (...call) => {
            if (episode.task.index === 0) await pause(5);
            return player.act(...call);
          },
        };
      },
    };
    const stage = await corridorStage();
    const play = (order: 'task' | 'completion') =>
      collect(runGroups(groupsPlan(stage, { agent: slowFirst, order, concurrency: 20 }), testContext()));
    const [listed, finished] = [await play('task'), await play('completion')];
    expect(listed.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(finished.at(-1)?.index).toBe(0);
    expect(finished.toSorted((a, b) => a.index - b.index)).toStrictEqual(listed);
    await stage.envs.close();
  });

  it('reaches its concurrency across groups and never exceeds it', async () => {
    let now = 0;
    let most = 0;
    const random: CorridorAgent = createRandomAgent();
    const counting: CorridorAgent = {
      id: 'counting',
      begin: (episode, context) => {
        const player = random.begin(episode, context);
        return {
          act: async (...call) => {
            most = Math.max(most, (now += 1));
            await pause(1);
            now -= 1;
            return player.act(...call);
          },
        };
      },
    };
    const stage = await corridorStage();
    await collect(
      runGroups(
        groupsPlan(stage, { agent: counting, members: 2, concurrency: 7, tasks: tasks(9) }),
        testContext(),
      ),
    );
    expect(most).toBe(7);
    expect(stage.census.created).toBe(7);
    await stage.envs.close();
  });

  it('reports episodes and steps up to the planned number', async () => {
    const seen: RolloutProgress[] = [];
    const stage = await corridorStage();
    const groups = await collect(
      runGroups(groupsPlan(stage, { onProgress: (progress) => seen.push(progress) }), testContext()),
    );
    const steps = groups
      .flatMap(({ group }) => group.members)
      .reduce((sum, member) => sum + member.steps.length, 0);
    expect(seen.at(-1)).toEqual({ episodesDone: 20, episodesPlanned: 20, stepsDone: steps });
    expect(seen).toHaveLength(steps + 20);
    await stage.envs.close();
  });

  it('runs ahead of a slow reader, within a bound', async () => {
    const stage = await corridorStage();
    let episodes = 0;
    const plan = groupsPlan(stage, {
      members: 1,
      concurrency: 1,
      tasks: tasks(100),
      onProgress: ({ episodesDone }) => (episodes = episodesDone),
    });
    const groups = runGroups(plan, testContext());
    expect(episodes).toBe(0);
    await groups.next();
    await expect.poll(() => episodes).toBeGreaterThan(1);
    await pause(50);
    expect(episodes).toBeLessThan(20);
    expect(await collect(groups)).toHaveLength(99);
    await stage.envs.close();
  });
});

describe('runGroups left early', () => {
  it('stops the running episodes and closes their envs', async () => {
    const stage = await corridorStage({
      failure: { call: 'step', kind: 'hang', when: (count) => count > 400 },
    });
    for await (const { index } of runGroups(
      groupsPlan(stage, { order: 'completion', tasks: tasks(50) }),
      testContext(),
    )) {
      expect(index).toBeGreaterThanOrEqual(0);
      break;
    }
    await stage.envs.close();
    expect(stage.census.closes.every((count) => count === 1)).toBe(true);
  });

  it('throws the reason of the caller’s abort', async () => {
    const stage = await corridorStage({
      failure: { call: 'step', kind: 'hang-deaf', when: (count) => count > 20 },
    });
    const controller = new AbortController();
    const reason = new Error('interrupted');
    setTimeout(() => controller.abort(reason), 30);
    await expect(
      collect(runGroups(groupsPlan(stage), testContext({ signal: controller.signal }))),
    ).rejects.toBe(reason);
    await stage.envs.close();
    expect(stage.census.closes.every((count) => count === 1)).toBe(true);
  });
});

describe('fault strategies', () => {
  const play = async (
    strategy: GroupStrategy,
    when: (call: number) => boolean,
    kind: FailureKind = 'throw',
  ) => {
    const stage = await corridorStage({ failure: { call: 'reset', kind, when } });
    try {
      return await collect(
        runGroups(
          groupsPlan(stage, { strategy, concurrency: 1, members: 3, tasks: tasks(2) }),
          testContext(),
        ),
      );
    } finally {
      await stage.envs.close();
      expect(stage.census.closes.every((count) => count === 1)).toBe(true);
    }
  };

  it('fail-fast stops the rollout and names the episode', async () => {
    await expect(play({ kind: 'fail-fast' }, (call) => call === 1)).rejects.toThrow(
      /^train\/0\/test\/member-1: the environment crashed in corridor-v1.reset/,
    );
    await expect(play({ kind: 'fail-fast' }, (call) => call === 1)).rejects.toBeInstanceOf(RunError);
  });

  it('retry plays the member again under a new name and keeps the faulted tries apart', async () => {
    const [first, second] = await play({ kind: 'retry', retries: 2 }, (call) => call === 1 || call === 2);
    expect(first?.group.members.map(({ path, stop }) => [path, stop.kind])).toEqual([
      ['train/0/test/member-0', 'terminated'],
      ['train/0/test/member-1/try-2', 'terminated'],
      ['train/0/test/member-2', 'terminated'],
    ]);
    expect(first?.replaced.map(({ path, stop }) => [path, stop.kind])).toEqual([
      ['train/0/test/member-1', 'faulted'],
      ['train/0/test/member-1/try-1', 'faulted'],
    ]);
    expect(second?.replaced).toEqual([]);
  });

  it('retry keeps the member faulted when no retries are left', async () => {
    const [first] = await play({ kind: 'retry', retries: 1 }, (call) => call === 1 || call === 2);
    expect(first?.group.members.map(({ stop }) => stop.kind)).toEqual([
      'terminated',
      'faulted',
      'terminated',
    ]);
    expect(first?.replaced).toHaveLength(1);
  });

  it('retry does not repeat a fault that is not retryable', async () => {
    const stage = await corridorStage();
    const triesOf = async (retryable: boolean): Promise<number> => {
      let tries = 0;
      const act = (): Promise<never> => {
        tries += 1;
        return Promise.reject(new FaultError({ kind: 'sampler-failed', message: 'no answer', retryable }));
      };
      const plan = groupsPlan(stage, {
        agent: { id: 'lost', begin: () => ({ act }) },
        members: 1,
        strategy: { kind: 'retry', retries: 2 },
      });
      await runGroup(plan, { panel: 'train', index: 0 }, testContext());
      return tries;
    };
    expect(await triesOf(true)).toBe(3);
    expect(await triesOf(false)).toBe(1);
    await stage.envs.close();
  });
});

describe('rollout plan', () => {
  it.each([
    ['members', { members: 0 }],
    ['concurrency', { concurrency: 1.5 }],
    ['label', { label: '' }],
    ['strategy.retries', { strategy: { kind: 'retry', retries: -1 } }],
    ['tasks', { tasks: [...tasks(2), { panel: 'train', index: 1 }] }],
  ] as const)('fails before the first episode when its %s is wrong', async (name, over) => {
    const stage = await corridorStage();
    const playing = collect(runGroups(groupsPlan(stage, over), testContext()));
    await expect(playing).rejects.toBeInstanceOf(UsageError);
    await expect(collect(runGroups(groupsPlan(stage, over), testContext()))).rejects.toThrow(
      `rollout plan, ${name}`,
    );
    expect(stage.census.created).toBe(0);
    await stage.envs.close();
  });

  it('fails when a task does not exist', async () => {
    const stage = await corridorStage();
    await expect(
      collect(runGroups(groupsPlan(stage, { tasks: [{ panel: 'train', index: 100 }] }), testContext())),
    ).rejects.toBeInstanceOf(UsageError);
    await stage.envs.close();
  });

  it('fails when its pool was closed', async () => {
    const stage = await corridorStage();
    await stage.envs.close();
    await expect(collect(runGroups(groupsPlan(stage), testContext()))).rejects.toThrow('it is closed');
  });
});
