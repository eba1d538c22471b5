import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createContext, StepContext, type Context } from '../../../envs/core/context.ts';
import { CallDeadline } from '../../../envs/wrappers/call-deadline.ts';
import { context, task, TickEnv, type Tick } from './tick-env.ts';

const late = (call: string) => ({
  fault: { kind: 'deadline-passed', where: `tick-v1.${call}`, afterMs: 10 },
});

describe('CallDeadline', () => {
  test('passes on calls in time, with the random stream and the path of their step', async () => {
    const seen: Context[] = [];
    const inner = new TickEnv();
    const step = inner.step.bind(inner);
    const listen = (action: Tick, own: Context): ReturnType<typeof step> => {
      seen.push(own);
      return step(action);
    };
    const env = new CallDeadline(Object.assign(inner, { step: listen }), 'tick-v1', 60_000);
    expect((await env.reset(task, context)).observation).toBe(0);
    const luck = new StepContext(createContext({ seed: 3, now: () => 0, path: 'here' }));
    luck.advance(5);
    expect((await env.step('tick', luck)).observation).toBe(1);
    expect(seen[0]?.path).toBe('here');
    expect(seen[0]?.rng.uniform()).toBe(
      createContext({ seed: 3, now: () => 0 })
        .rng.fork(5)
        .uniform(),
    );
    expect(env.snapshots?.take()).toEqual(inner.snapshots.take());
    await env.close();
    expect(inner.closed).toBe(1);
  });

  test('faults with the name of the late call, whose signal aborts', async () => {
    const signals: AbortSignal[] = [];
    const inner = new TickEnv();
    const step = inner.step.bind(inner);
    const listen = (action: Tick, own: Context): ReturnType<typeof step> => {
      signals.push(own.signal);
      return step(action);
    };
    const env = new CallDeadline(Object.assign(inner, { step: listen }), 'tick-v1', 10);
    await expect(env.reset({ ...task, index: 2 }, context)).rejects.toMatchObject(late('reset'));
    await env.reset(task, context);
    await expect(env.step('wait', context)).rejects.toMatchObject(late('step'));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('passes on the abort of the caller, and leaves no listener on its signal', async () => {
    const caller = new AbortController();
    const own = createContext({ seed: 0, now: () => 0, signal: caller.signal });
    const env = new CallDeadline(new TickEnv(), 'tick-v1', 60_000);
    await env.reset(task, own);
    await env.step('tick', own);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
    const waiting = env.step('wait', own);
    const reason = new Error('interrupted');
    caller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
