import { afterEach, describe, expect, it } from 'vitest';
import { forkContext } from '../../../envs/core/context.ts';
import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { createRandomAgent } from '../../../agents/policy/random.ts';
import { createEnvPool } from '../../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../../agents/rollout/limits.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import type { Failure } from '../../support/failing-env.ts';
import { probeEnv } from '../../support/probe-env.ts';
import {
  corridorStage,
  episodePlan,
  testContext,
  type CorridorAgent,
  type CorridorStage,
} from '../../support/rollout.ts';

const soon = episodeLimitsSchema.parse({ wallMs: 40 });
const stages: CorridorStage[] = [];

async function stageWith(failure?: Failure): Promise<CorridorStage> {
  const stage = await corridorStage({
    ...(failure === undefined ? {} : { failure }),
    config: { slip: 1 },
    closeMs: 40,
  });
  stages.push(stage);
  return stage;
}

afterEach(async () => {
  for (const { envs, census } of stages.splice(0)) {
    await envs.close();
    await envs.close();
    expect(census.closes.every((count) => count === 1)).toBe(true);
  }
});

describe('env that throws', () => {
  it.each(['create', 'reset', 'step'] as const)(
    'faults the trajectory at %s, and names the place',
    async (call) => {
      const stage = await stageWith({ call, kind: 'throw' });
      const { stop } = await runEpisode(episodePlan(stage), testContext());
      const where = call === 'create' ? 'create' : `corridor-v1.${call}`;
      expect(stop).toEqual({
        kind: 'faulted',
        fault: { kind: 'env-crashed', where, message: `${call} broke` },
      });
      expect(stage.census.closes).toEqual(call === 'create' ? [] : [1]);
    },
  );

  it('keeps the earlier steps and the one that threw, which has no reward', async () => {
    const stage = await stageWith({ call: 'step', kind: 'throw', when: (count) => count === 2 });
    const trajectory = await runEpisode(episodePlan(stage), testContext());
    const { steps, instruction } = trajectory;
    expect(steps.map(({ reward }) => reward?.total)).toEqual([-0.01, -0.01, undefined]);
    expect(steps.at(-1)?.reply.kind).toBe('action');
    expect(steps.at(-1)?.penalty).toBeUndefined();
    expect(trajectory).toMatchObject({
      finalObservation: undefined,
      finalStateKey: undefined,
      finalAnchorKey: undefined,
    });
    expect(instruction).toBe('Reach room 3.');
  });

  it('gets closed and never used again', async () => {
    const stage = await stageWith({ call: 'step', kind: 'throw', when: (count) => count === 0 });
    await runEpisode(episodePlan(stage), testContext());
    const next = await runEpisode(episodePlan(stage), testContext());
    expect(next.stop.kind).toBe('terminated');
    expect(stage.census.closes).toEqual([1, 0]);
  });

  it('passes a fault on unchanged', async () => {
    const fault = {
      kind: 'sandbox-failed',
      stage: 'exec',
      message: 'no more processes',
      retryable: true,
    } as const;
    const stage = await stageWith({ call: 'step', kind: 'throw', error: () => new FaultError(fault) });
    expect((await runEpisode(episodePlan(stage), testContext())).stop).toEqual({ kind: 'faulted', fault });
  });

  it('may throw at close, which is recorded and leaves the episode valid', async () => {
    const stage = await stageWith({ call: 'close', kind: 'throw' });
    expect((await runEpisode(episodePlan(stage), testContext())).stop.kind).toBe('terminated');
    await stage.envs.close();
    expect(stage.envs.closeFaults).toEqual([
      { kind: 'env-crashed', where: 'pool: close', message: 'close broke' },
    ]);
  });

  it('rejects with a UsageError or RunError unchanged', async () => {
    const parts = { where: 'here', what: 'it is wrong.', fix: 'Fix it.' };
    for (const error of [new UsageError(parts), new RunError(parts)]) {
      const stage = await stageWith({ call: 'step', kind: 'throw', error: () => error });
      await expect(runEpisode(episodePlan(stage), testContext())).rejects.toBe(error);
      expect(stage.census.closes).toEqual([1]);
    }
  });
});

describe('episode deadline', () => {
  it.each([
    ['create', 'hang-deaf'],
    ['reset', 'hang'],
    ['reset', 'hang-deaf'],
    ['step', 'hang'],
    ['step', 'hang-deaf'],
  ] as const)('ends the call of an env at %s that does %s', async (call, kind) => {
    const stage = await stageWith({ call, kind });
    const { stop, path } = await runEpisode(episodePlan(stage, { limits: soon }), testContext());
    expect(stop).toEqual({ kind: 'faulted', fault: { kind: 'deadline-passed', where: path, afterMs: 40 } });
  });

  it('ends the wait for an agent that never answers, and keeps the earlier steps', async () => {
    const stage = await stageWith();
    const random: CorridorAgent = createRandomAgent();
    let asked = 0;
    const stalling: CorridorAgent = {
      id: 'stalling',
      begin: (episode, context) => {
        const player = random.begin(episode, context);
        return { act: (...call) => (++asked > 2 ? new Promise(() => undefined) : player.act(...call)) };
      },
    };
    const { stop, steps } = await runEpisode(
      episodePlan(stage, { agent: stalling, limits: soon }),
      testContext(),
    );
    expect(stop).toMatchObject({ kind: 'faulted', fault: { kind: 'deadline-passed' } });
    expect(steps).toHaveLength(2);
  });

  it('ends an episode that never waits', async () => {
    const plan = {
      ...episodePlan(await stageWith(), { limits: soon }),
      envs: createEnvPool({ create: async () => probeEnv({ luck: [] }) }),
      agent: {
        id: 'tireless',
        begin: () => ({
          act: async () => ({
            reply: { kind: 'action' as const, action: 'go' },
            decision: undefined,
            policyVersion: undefined,
          }),
        }),
      },
    };
    const { stop, steps } = await runEpisode(plan, testContext());
    expect(stop).toMatchObject({ kind: 'faulted', fault: { kind: 'deadline-passed' } });
    expect(steps.length).toBeGreaterThan(0);
  });

  it('closes an env that is created too late, and gives up one that cannot be closed', async () => {
    let deliver: (() => void) | undefined;
    let closed = 0;
    const envs = createEnvPool({
      create: async () => {
        await new Promise<void>((resolve) => (deliver = resolve));
        return { ...probeEnv({ luck: [] }), close: async () => void (closed += 1) };
      },
    });
    const plan = {
      ...episodePlan(await stageWith(), { limits: soon }),
      envs,
      agent: createRandomAgent<number, string>(),
    };
    await runEpisode(plan, testContext());
    deliver?.();
    await envs.close();
    expect(closed).toBe(1);

    const stuck = await stageWith({ call: 'close', kind: 'hang-deaf' });
    await runEpisode(episodePlan(stuck), testContext());
    await stuck.envs.close();
    expect(stuck.envs.closeFaults).toEqual([{ kind: 'deadline-passed', where: 'pool: close', afterMs: 40 }]);
  });
});

describe('agent that throws', () => {
  const failing = (error: unknown): CorridorAgent => ({
    id: 'failing',
    begin: () => ({ act: () => Promise.reject(error) }),
  });

  it('faults the episode as a sampler failure', async () => {
    const stage = await stageWith();
    const { stop } = await runEpisode(
      episodePlan(stage, { agent: failing(new Error('connection reset')) }),
      testContext(),
    );
    expect(stop).toEqual({
      kind: 'faulted',
      fault: { kind: 'sampler-failed', message: 'connection reset', retryable: true },
    });
  });

  it('faults the episode as a sampler failure at its beginning too', async () => {
    const stage = await stageWith();
    const agent: CorridorAgent = {
      id: 'absent',
      begin: () => {
        throw new Error('no model');
      },
    };
    const { stop } = await runEpisode(episodePlan(stage, { agent }), testContext());
    expect(stop).toMatchObject({ kind: 'faulted', fault: { kind: 'sampler-failed', message: 'no model' } });
  });
});

describe('caller of runEpisode', () => {
  it('gets its abort reason thrown, before the start and during the episode', async () => {
    const reason = new Error('interrupted');
    const early = new AbortController();
    early.abort(reason);
    await expect(
      runEpisode(episodePlan(await stageWith()), testContext({ signal: early.signal })),
    ).rejects.toBe(reason);

    for (const kind of ['hang', 'hang-deaf'] as const) {
      const stage = await stageWith({ call: 'step', kind });
      const controller = new AbortController();
      const playing = runEpisode(episodePlan(stage), testContext({ signal: controller.signal }));
      setTimeout(() => controller.abort(reason), 20);
      await expect(playing).rejects.toBe(reason);
      expect(stage.census.closes).toEqual([1]);
    }
  });

  it('gets its own deadline thrown, and not as the episode’s deadline', async () => {
    const stage = await stageWith({ call: 'step', kind: 'hang' });
    const caller = forkContext(testContext(), 'caller', { deadlineMs: 20 });
    await expect(runEpisode(episodePlan(stage), caller)).rejects.toMatchObject({
      fault: { kind: 'deadline-passed', where: 'caller' },
    });
    caller[Symbol.dispose]();
  });

  it('can abort an episode that never waits', async () => {
    const reason = new Error('interrupted');
    const controller = new AbortController();
    const plan = {
      ...episodePlan(await stageWith()),
      envs: createEnvPool({ create: async () => probeEnv({ luck: [] }) }),
      agent: {
        id: 'tireless',
        begin: () => ({
          act: async () => ({
            reply: { kind: 'action' as const, action: 'go' },
            decision: undefined,
            policyVersion: undefined,
          }),
        }),
      },
    };
    setTimeout(() => controller.abort(reason), 20);
    await expect(runEpisode(plan, testContext({ signal: controller.signal }))).rejects.toBe(reason);
  });

  it('gets the error of its own callback, not a fault', async () => {
    const stage = await stageWith();
    const plan = episodePlan(stage, {
      onStep: () => {
        throw new TypeError('my own mistake');
      },
    });
    await expect(runEpisode(plan, testContext())).rejects.toThrow('my own mistake');
    expect(stage.census.closes).toEqual([1]);
  });

  it('finds no listener left on its signal', async () => {
    const controller = new AbortController();
    let listening = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...call: Parameters<typeof add>) => ((listening += 1), add(...call));
    signal.removeEventListener = (...call: Parameters<typeof remove>) => ((listening -= 1), remove(...call));
    const context = testContext({ signal });
    await runEpisode(episodePlan(await stageWith()), context);
    await runEpisode(episodePlan(await stageWith({ call: 'step', kind: 'throw' })), context);
    expect(listening).toBe(0);
  });
});

describe('episode log', () => {
  it('reports a fault between start and end', async () => {
    const log = createMemoryLogger();
    const stage = await stageWith({ call: 'step', kind: 'throw' });
    const { path, stop } = (await runEpisode(episodePlan(stage), testContext({ log }))) as Trajectory;
    expect(log.events.map(({ event }) => event.type)).toEqual([
      'episode-start',
      'fault-raise',
      'episode-end',
    ]);
    expect(log.events.every((entry) => entry.path === path)).toBe(true);
    expect(stop.kind).toBe('faulted');
  });
});
