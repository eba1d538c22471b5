import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { checkEnv } from '../../envs/check/check-env.ts';
import { createContext, forkContext } from '../../envs/core/context.ts';
import { defineEnv, type Env } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { createMemoryLogger } from '../../envs/core/log.ts';
import { openEnv, parseEnvConfig } from '../../envs/open.ts';
import { task, TickEnv, type Tick } from './wrappers/tick-env.ts';

const context = createContext({ seed: 0, now: () => 0 });
let hostsClosed = 0;

const callsOf = (env: Env<number, Tick>): Env<number, Tick> => ({
  reset: (...given) => env.reset(...given),
  step: (...given) => env.step(...given),
  close: () => env.close(),
});

/** Records the actions that it gets. */
const recording = (env: Env<number, Tick>, steps: unknown[]): Env<number, Tick> => ({
  ...callsOf(env),
  step: (action, own) => {
    steps.push(action);
    return env.step(action, own);
  },
});

/** Ignores its signal. */
const hanging = (env: Env<number, Tick>, call: 'reset' | 'step'): Env<number, Tick> => ({
  ...callsOf(env),
  [call]: () => new Promise(() => undefined),
});

const tick = defineEnv({
  id: 'tick-v1',
  summary: 'ticks',
  config: z.strictObject({
    limit: z.int().positive().default(4),
    inner: z.strictObject({ speed: z.number().default(1) }).prefault({}),
  }),
  observation: z.number(),
  action: z.enum(['tick', 'win', 'cut', 'crash', 'wait']),
  deterministic: true,
  text: { observation: String, action: String, parse: (text) => ({ kind: 'malformed', why: 'no', text }) },
  turnLimit: ({ limit }) => limit,
  open: async () => ({
    panels: [{ name: 'train', size: 4, purpose: 'train', summary: '' }],
    describeTask: ({ index }) => ({ family: 'tick', instruction: 'tick', content: index }),
    create: async () => new TickEnv(),
    close: async () => void (hostsClosed += 1),
    experts: { planner: () => ['win'] },
  }),
});

describe('an opened env', () => {
  test('enforces the order of calls and counts turns', async () => {
    const host = await openEnv(tick, { limit: 2 }, context);
    const env = await host.create();
    await expect(env.step('tick', context)).rejects.toSatisfy((thrown) => UsageError.is(thrown));
    expect((await env.reset({ panel: 'train', index: 0 }, context)).stepsLeft).toBe(2);
    await env.step('tick', context);
    expect(await env.step('tick', context)).toMatchObject({ kind: 'terminated', limit: 'turn-limit' });
    await host.close();
    expect(hostsClosed).toBe(1);
  });

  test('refuses an invalid action before the env receives it, and goes on', async () => {
    const steps: unknown[] = [];
    const watched = defineEnv({
      ...tick,
      open: async (config, own) => {
        return { ...(await tick.open(config, own)), create: async () => recording(new TickEnv(), steps) };
      },
    });
    const env = await (await openEnv(watched, {}, context)).create();
    await env.reset(task, context);
    for (const evil of ['evil', { tool: 'evil' }, undefined, null] as never[]) {
      const refusal = await env.step(evil, context).catch((thrown: unknown) => thrown);
      expect(refusal).toSatisfy((thrown) => UsageError.is(thrown));
      expect(String(refusal)).toMatch(
        /tick-v1, step 1 of task train\/0: the action does not match the schema: .*\. Pass an action that the turn lists/,
      );
    }
    expect(steps).toEqual([]);
    await env.step('tick', context); // listed
    await env.step('cut', context); // not listed, and an action all the same
    expect(steps).toEqual(['tick', 'cut']);
  });

  test('passes listed actions without parsing them, and reports an action schema that throws', async () => {
    const throwing = defineEnv({
      ...tick,
      action: z.custom<Tick>(() => {
        throw new Error('no schema today');
      }),
    });
    const env = await (await openEnv(throwing, {}, context)).create();
    await env.reset(task, context);
    await env.step('tick', context);
    await expect(env.step('cut', context)).rejects.toThrow(
      'tick-v1, step 2 of task train/0: the schema of actions threw: no schema today.',
    );
  });

  test.each(['reset', 'step'] as const)(
    'gives up a hanging %s at its deadline or when its signal aborts',
    async (call) => {
      const stuck = defineEnv({
        ...tick,
        open: async (config, own) => {
          return { ...(await tick.open(config, own)), create: async () => hanging(new TickEnv(), call) };
        },
      });
      const host = await openEnv(stuck, {}, context);
      const controller = new AbortController();
      const cancelled = createContext({ seed: 0, now: () => 0, signal: controller.signal });
      using late = forkContext(context, 'late', { deadlineMs: 5 });
      for (const [own, reason] of [
        [late, 'late did not finish within 5 ms'],
        [cancelled, 'enough'],
      ] as const) {
        const env = await host.create();
        if (call === 'step') await env.reset(task, context);
        const waiting = call === 'reset' ? env.reset(task, own) : env.step('tick', own);
        setTimeout(() => controller.abort(new Error('enough')), 20);
        await expect(waiting).rejects.toThrow(reason);
        await expect(env.reset(task, context)).rejects.toThrow(
          'it was called while an aborted call is still running. Close this env and create a new one.',
        );
        await env.close();
      }
    },
  );

  test('refuses tasks that do not exist, in describeTask and in reset', async () => {
    const host = await openEnv(tick, {}, context);
    const env = await host.create();
    for (const task of [
      { panel: 'train', index: 4 },
      { panel: 'dev', index: 0 },
    ]) {
      expect(() => host.describeTask(task)).toThrow(UsageError);
      await expect(env.reset(task, context)).rejects.toSatisfy((thrown) => UsageError.is(thrown));
    }
    expect(host.describeTask({ panel: 'train', index: 3 }).content).toBe(3);
  });

  test('passes on what the host has, and adds nothing', async () => {
    const host = await openEnv(tick, {}, context);
    expect(host.experts?.planner?.({ panel: 'train', index: 0 })).toEqual(['win']);
    expect('audit' in host).toBe(false);
    expect('identity' in host).toBe(false);
    const own = await tick.open({ limit: 4, inner: { speed: 1 } }, context);
    const named = defineEnv({ ...tick, open: async () => ({ ...own, identity: 'ticks' }) });
    expect((await openEnv(named, {}, context)).identity).toBe('ticks');
  });

  test('counts no turns without a turn limit', async () => {
    const unlimited = defineEnv({ ...tick, turnLimit: undefined as never });
    const env = await (await openEnv(unlimited, {}, context)).create();
    expect((await env.reset({ panel: 'train', index: 0 }, context)).stepsLeft).toBeUndefined();
    for (let step = 0; step < 50; step += 1) expect((await env.step('tick', context)).kind).toBe('ongoing');
  });
});

describe('a wrong turn limit', () => {
  test.each([
    [20, /^tick-v1, turnLimit: it must be a function, not 20\. Fix the environment/],
    [() => Number.NaN, /^tick-v1, turnLimit: the limit must be an integer of at least 1, not NaN\./],
    [() => 0, /the limit must be an integer of at least 1, not 0/],
    [() => 1.5, /the limit must be an integer of at least 1, not 1\.5/],
    [() => null, /the limit must be an integer of at least 1, not null/],
  ])('stops opening at once, and breaks the law of definitions: %s', async (turnLimit, says) => {
    let opened = 0;
    const open: typeof tick.open = async (...given) => {
      opened += 1;
      return tick.open(...given);
    };
    const broken = { ...tick, turnLimit: turnLimit as never, open };
    await expect(openEnv(broken, {}, context)).rejects.toSatisfy(
      (thrown) => UsageError.is(thrown) && says.test(thrown.message),
    );
    const { findings } = await checkEnv(broken);
    expect(findings.map(({ law, where }) => [law, where.call])).toContainEqual(['definition', 'turnLimit']);
    expect(opened).toBe(0);
  });

  test('excludes undefined, which means no limit', async () => {
    const env = await (await openEnv({ ...tick, turnLimit: () => undefined as never }, {}, context)).create();
    expect((await env.reset({ panel: 'train', index: 0 }, context)).stepsLeft).toBeUndefined();
  });
});

describe('an env that opens slowly', () => {
  /** Opens when `arrive` is called, whatever its signal does. `closed` counts how often its host was closed. */
  function slow(): {
    readonly definition: typeof tick;
    readonly arrive: () => void;
    readonly closed: () => number;
  } {
    let arrive = (): void => undefined;
    const [before, arrived] = [hostsClosed, new Promise<void>((resolve) => (arrive = resolve))];
    return {
      definition: { ...tick, open: (...given) => arrived.then(() => tick.open(...given)) },
      arrive: () => arrive(),
      closed: () => hostsClosed - before,
    };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('rejects two seconds after the abort, and closes a host that comes later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const caller = new AbortController();
      const { definition, arrive, closed } = slow();
      const opening = openEnv(
        definition,
        {},
        createContext({ seed: 0, now: () => 0, signal: caller.signal }),
      );
      const reason = new Error('interrupted');
      const refusal = expect(opening).rejects.toBe(reason);
      caller.abort(reason);
      await vi.advanceTimersByTimeAsync(2_000);
      await refusal;
      expect(vi.getTimerCount()).toBe(0);
      arrive();
      await settled();
      expect(closed()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('may clean up before the caller who aborts gets the rejection', async () => {
    const caller = new AbortController();
    const reason = new Error('interrupted');
    let putAway = false;
    const careful: typeof tick = {
      ...tick,
      open: async (_, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        for (let turn = 0; turn < 5; turn += 1) await settled();
        putAway = true;
        throw new Error('its own words');
      },
    };
    const opening = openEnv(careful, {}, createContext({ seed: 0, now: () => 0, signal: caller.signal }));
    caller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(putAway).toBe(true);
  });

  test('faults after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { definition } = slow();
      const opening = openEnv(definition, {}, context);
      const fault = expect(opening).rejects.toMatchObject({
        fault: { kind: 'deadline-passed', where: 'tick-v1.open', afterMs: 600_000 },
      });
      await vi.advanceTimersByTimeAsync(602_000);
      await fault;
    } finally {
      vi.useRealTimers();
    }
  });

  test('gets ten minutes from its last new progress, which the fault then reports', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { definition } = slow();
      const log = createMemoryLogger();
      let tell = (_done: number): void => undefined;
      const telling: typeof tick = {
        ...definition,
        open: (config, given) => {
          tell = (done) =>
            given.log.event(given.path, {
              type: 'opening-advance',
              part: 'solutions tried',
              done,
              total: 9,
              without: 'checkSolutions=false',
            });
          return definition.open(config, given);
        },
      };
      const refused = vi.fn();
      const opening = openEnv(telling, {}, createContext({ seed: 0, now: () => 0, log })).catch(refused);
      for (const done of [1, 2, 2]) {
        await vi.advanceTimersByTimeAsync(400_000);
        tell(done);
      }
      expect(log.events).toHaveLength(3);
      await vi.advanceTimersByTimeAsync(190_000);
      expect(refused).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(12_000); // ten minutes after the second report, because the third reports no progress
      await opening;
      expect(refused.mock.calls).toMatchObject([
        [
          {
            message:
              'tick-v1.open, which last reported 2 of 9 solutions tried (checkSolutions=false skips this), did not finish within 600000 ms',
          },
        ],
      ]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('leaves no abort listener when it opens in time', async () => {
    const { definition, arrive, closed } = slow();
    const caller = new AbortController();
    const opening = openEnv(definition, {}, createContext({ seed: 0, now: () => 0, signal: caller.signal }));
    arrive();
    const host = await opening;
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
    expect(closed()).toBe(0);
    await host.close();
  });
});

describe('the config of an env', () => {
  test('fills in its defaults', () => {
    expect(parseEnvConfig(tick, {})).toEqual({ limit: 4, inner: { speed: 1 } });
  });

  test('refuses wrong keys in one paragraph that names each with its place', async () => {
    const wrong = { limit: 0, inner: { speed: 'fast', colour: 1 }, size: 3 };
    expect(() => parseEnvConfig(tick, wrong)).toThrow(UsageError);
    expect(() => parseEnvConfig(tick, wrong)).toThrow(
      /^config of tick-v1: limit: 0 is given where integer from 1 is wanted\. inner\.speed: "fast" is given .*\. unknown key "colour" in inner\. Keys: speed\. unknown key "size"\. Keys: limit, inner\. Fix these keys/,
    );
    await expect(openEnv(tick, wrong as never, context)).rejects.toSatisfy((thrown) => UsageError.is(thrown));
  });
});
