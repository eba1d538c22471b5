import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createContext, type Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { OrderGuard } from '../../../envs/wrappers/order-guard.ts';
import { context, task, TickEnv, type Tick } from './tick-env.ts';

const guard = (inner = new TickEnv()): OrderGuard<number, Tick> => new OrderGuard(inner, 'tick-v1');

/** The message of a refusal. */
async function refusal(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (thrown) {
    if (UsageError.is(thrown)) return thrown.message;
    throw thrown;
  }
  return 'not refused';
}

/** Every call, as something to try in a phase. */
const calls = (env: OrderGuard<number, Tick>): Record<string, () => unknown> => ({
  reset: () => env.reset(task, context),
  step: () => env.step('tick', context),
  take: () => env.snapshots?.take(),
  restore: () => env.snapshots?.restore({ world: 3, episode: {}, steps: 3 }),
  close: () => env.close(),
});

/** Brings a new env into the phase, and returns a function that ends pending calls. */
const phases: Record<
  string,
  (env: OrderGuard<number, Tick>, inner: TickEnv) => Promise<() => Promise<unknown>>
> = {
  fresh: async () => async () => undefined,
  running: async (env) => {
    await env.reset(task, context);
    return async () => undefined;
  },
  busy: async (env, inner) => {
    await env.reset(task, context);
    const waiting = env.step('wait', context);
    return async () => {
      inner.release();
      await waiting;
    };
  },
  ended: async (env) => {
    await env.reset(task, context);
    await env.step('win', context);
    return async () => undefined;
  },
  closed: async (env) => {
    await env.close();
    return async () => undefined;
  },
};

const allowed: Record<string, readonly string[]> = {
  fresh: ['reset', 'restore', 'close'],
  running: ['reset', 'step', 'take', 'restore', 'close'],
  busy: ['close'],
  ended: ['reset', 'restore', 'close'],
  closed: ['close'],
};

describe('the order guard', () => {
  for (const [phase, enter] of Object.entries(phases)) {
    test(`allows ${allowed[phase]?.join(', ')} when ${phase}, and refuses the rest`, async () => {
      const passed: string[] = [];
      for (const name of ['reset', 'step', 'take', 'restore', 'close']) {
        const inner = new TickEnv();
        const env = guard(inner);
        const leave = await enter(env, inner);
        if ((await refusal(calls(env)[name] as () => unknown)) === 'not refused') passed.push(name);
        await leave();
      }
      expect(passed).toEqual(allowed[phase]);
    });
  }

  test('names the env, the call, its phase and the fix', async () => {
    const env = guard();
    expect(await refusal(() => env.step('tick', context))).toBe(
      'tick-v1.step: it was called before reset. Call reset(task, context) first.',
    );
    await env.reset(task, context);
    await env.step('cut', context);
    expect(await refusal(() => env.step('tick', context))).toBe(
      'tick-v1.step: it was called after the end of the episode. Call reset to start a new episode.',
    );
    expect(await refusal(() => env.snapshots?.take())).toMatch(
      /^tick-v1\.snapshots\.take: it was called after the end/,
    );
    await env.close();
    expect(await refusal(() => env.reset(task, context))).toBe(
      'tick-v1.reset: it was called after close. Create a new env.',
    );
  });

  test('refuses a call while another is under way, and disturbs neither', async () => {
    const inner = new TickEnv();
    const env = guard(inner);
    await env.reset(task, context);
    const waiting = env.step('wait', context);
    expect(await refusal(() => env.step('tick', context))).toMatch(
      /while another call is still running\. Await each call/,
    );
    inner.release();
    expect((await waiting).observation).toBe(1);
    expect((await env.step('tick', context)).observation).toBe(2);
  });

  test('ends an episode whose step threw, and stays fresh after a reset that threw', async () => {
    const env = guard();
    await expect(env.reset({ panel: 'train', index: 1 }, context)).rejects.toThrow('cannot be reset');
    expect(await refusal(() => env.step('tick', context))).toMatch(/before reset/);
    await env.reset(task, context);
    await expect(env.step('crash', context)).rejects.toThrow('crashed');
    expect(await refusal(() => env.step('tick', context))).toMatch(/after the end/);
    await env.reset(task, context);
    expect((await env.step('tick', context)).observation).toBe(1);
  });

  test('closes once, and stays closed when a pending call returns', async () => {
    for (const begin of [
      (env: OrderGuard<number, Tick>) => env.step('wait', context),
      (env: OrderGuard<number, Tick>) => env.reset({ panel: 'train', index: 2 }, context),
    ]) {
      const inner = new TickEnv();
      const env = guard(inner);
      await env.reset(task, context);
      const waiting = begin(env);
      await env.close();
      await env.close();
      expect(inner.closed).toBe(1);
      inner.release();
      await waiting;
      expect(await refusal(() => env.step('tick', context))).toMatch(/after close/);
      expect(await refusal(() => env.reset(task, context))).toMatch(/after close/);
    }
  });

  test('continues from a restored snapshot, even after the end and in a fresh env', async () => {
    const env = guard();
    await env.reset(task, context);
    await env.step('tick', context);
    const snapshot = env.snapshots?.take();
    expect(snapshot).toEqual({ world: 1, episode: {}, steps: 1 });
    if (snapshot === undefined) return;
    await env.step('win', context);
    for (const other of [env, guard()]) {
      expect(other.snapshots?.restore(snapshot).observation).toBe(1);
      expect((await other.step('tick', context)).observation).toBe(2);
    }
  });

  test('refuses an invalid task and leaves the episode unchanged', async () => {
    const assertTask = ({ index }: TaskRef): void => {
      if (index > 2) throw new UsageError({ where: 'task', what: 'none.', fix: 'Choose.' });
    };
    const env = new OrderGuard(new TickEnv(), 'tick-v1', { assertTask });
    await env.reset(task, context);
    await env.step('tick', context);
    expect(await refusal(() => env.reset({ panel: 'train', index: 3 }, context))).toBe('task: none. Choose.');
    expect((await env.step('tick', context)).observation).toBe(2);
  });

  describe('with heedsSignal', () => {
    const heeding = (inner: TickEnv): OrderGuard<number, Tick> =>
      new OrderGuard(inner, 'tick-v1', { heedsSignal: true });
    const aborting = (): {
      readonly own: Context;
      readonly abort: (reason: unknown) => void;
      readonly signal: AbortSignal;
    } => {
      const controller = new AbortController();
      return {
        own: createContext({ seed: 0, now: () => 0, signal: controller.signal }),
        abort: (reason) => controller.abort(reason),
        signal: controller.signal,
      };
    };
    const reason = new Error('enough');

    test('can be used again once an aborted call has returned, and drops its result', async () => {
      const inner = new TickEnv();
      const env = heeding(inner);
      const { own, abort } = aborting();
      await env.reset(task, context);
      const waiting = env.step('wait', own);
      abort(reason);
      await expect(waiting).rejects.toBe(reason);
      expect(await refusal(() => env.step('tick', context))).toMatch(
        /while an aborted call is still running/,
      );
      inner.release();
      await new Promise((resolve) => setTimeout(resolve));
      expect(await refusal(() => env.step('tick', context))).toMatch(/after the end of the episode/);
      expect((await env.reset(task, context)).observation).toBe(0);
      expect((await env.step('tick', context)).observation).toBe(1);
    });

    test('ends a call by its signal even when it was closed meanwhile', async () => {
      const env = heeding(new TickEnv());
      const { own, abort, signal } = aborting();
      await env.reset(task, context);
      const waiting = env.step('wait', own);
      await env.close();
      abort(reason);
      await expect(waiting).rejects.toBe(reason);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });

    test('stays closed when an aborted call returns', async () => {
      const inner = new TickEnv();
      const env = heeding(inner);
      const { own, abort } = aborting();
      const waiting = env.reset({ panel: 'train', index: 2 }, own);
      abort(reason);
      await expect(waiting).rejects.toBe(reason);
      await env.close();
      inner.release();
      await new Promise((resolve) => setTimeout(resolve));
      expect(await refusal(() => env.reset(task, context))).toMatch(/after close/);
    });

    test('makes no call whose signal was aborted before, and stays unchanged', async () => {
      const inner = new TickEnv();
      const env = heeding(inner);
      const { own, abort } = aborting();
      abort(reason);
      await expect(env.reset(task, own)).rejects.toBe(reason);
      await env.reset(task, context);
      await expect(env.step('tick', own)).rejects.toBe(reason);
      expect(inner.ticks).toBe(0);
      expect((await env.step('tick', context)).observation).toBe(1);
    });

    test('listens once an episode, and no longer than it lasts', async () => {
      const env = heeding(new TickEnv());
      const { own, signal } = aborting();
      const listeners = (): number => getEventListeners(signal, 'abort').length;
      for (const end of [
        () => env.step('win', own),
        () => env.step('crash', own).catch(() => undefined),
        () => env.close(),
      ]) {
        await env.reset(task, own);
        await env.step('tick', own);
        await env.step('tick', own);
        expect(listeners()).toBe(1);
        await end();
        expect(listeners()).toBe(0);
      }
    });
  });

  test('offers snapshots exactly when the inner env does', () => {
    const inner = new TickEnv();
    const without = {
      reset: inner.reset.bind(inner),
      step: inner.step.bind(inner),
      close: inner.close.bind(inner),
    };
    expect(new OrderGuard(without, 'tick-v1').snapshots).toBeUndefined();
    expect(Object.keys(guard().snapshots ?? {}).toSorted()).toEqual(['restore', 'take']);
  });
});
