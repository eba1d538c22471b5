import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { OrderGuard } from '../../../envs/wrappers/order-guard.ts';
import { TurnLimit } from '../../../envs/wrappers/turn-limit.ts';
import { context, task, TickEnv, type Tick } from './tick-env.ts';

const limited = (limit: number, of: 'task' | 'run', inner = new TickEnv()): OrderGuard<number, Tick> =>
  new OrderGuard(inner, 'tick-v1', { stages: [new TurnLimit({ limit, of })] });

describe('a turn limit of the task', () => {
  test('counts the steps left down and ends the episode as failed', async () => {
    const env = limited(3, 'task');
    expect((await env.reset(task, context)).stepsLeft).toBe(3);
    expect(await env.step('tick', context)).toMatchObject({ kind: 'ongoing', stepsLeft: 2 });
    expect(await env.step('tick', context)).toMatchObject({ kind: 'ongoing', stepsLeft: 1 });
    expect(await env.step('tick', context)).toEqual({
      kind: 'terminated',
      outcome: 'failed',
      limit: 'turn-limit',
      observation: 3,
      stateKey: '3',
      anchorKey: 'a',
      inadmissible: false,
      reward: { total: 1, terms: { tick: 1 } },
      otherRewards: { 1: { total: -1, terms: { tick: -1 } } },
      metrics: { ticks: 3 },
    });
  });

  test('leaves an end on the last step unchanged', async () => {
    for (const [action, kind] of [
      ['win', 'terminated'],
      ['cut', 'truncated'],
    ] as const) {
      const env = limited(1, 'task');
      await env.reset(task, context);
      const end = await env.step(action, context);
      expect(end.kind).toBe(kind);
      expect('limit' in end ? end.limit : undefined).not.toBe('turn-limit');
    }
  });

  test('restarts with each reset', async () => {
    const env = limited(2, 'task');
    for (let episode = 0; episode < 2; episode += 1) {
      expect((await env.reset(task, context)).stepsLeft).toBe(2);
      expect((await env.step('tick', context)).kind).toBe('ongoing');
      expect((await env.step('tick', context)).kind).toBe('terminated');
    }
  });

  test('gives way to a nearer limit of the env', async () => {
    const near = limited(10, 'task', new TickEnv(4));
    expect((await near.reset(task, context)).stepsLeft).toBe(4);
    expect(await near.step('tick', context)).toMatchObject({ stepsLeft: 3 });
    const far = limited(2, 'task', new TickEnv(4));
    expect((await far.reset(task, context)).stepsLeft).toBe(2);
  });
});

describe('a turn limit of the run', () => {
  test('truncates, and leaves stepsLeft unchanged', async () => {
    const env = limited(2, 'run', new TickEnv(9));
    expect((await env.reset(task, context)).stepsLeft).toBe(9);
    expect(await env.step('tick', context)).toMatchObject({ kind: 'ongoing', stepsLeft: 8 });
    expect(await env.step('tick', context)).toMatchObject({
      kind: 'truncated',
      limit: 'turn-limit',
      observation: 2,
      metrics: { ticks: 2 },
    });
    expect((await limited(2, 'run').reset(task, context)).stepsLeft).toBeUndefined();
  });
});

describe('a snapshot under a turn limit', () => {
  test('carries the count and restores it, even in a fresh env', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 8 }), fc.nat(7), fc.nat(5), async (limit, before, after) => {
        const steps = before % limit;
        const env = limited(limit, 'task');
        await env.reset(task, context);
        for (let step = 0; step < steps; step += 1) await env.step('tick', context);
        const snapshot = env.snapshots?.take();
        if (snapshot === undefined) throw new Error('no snapshots');
        expect(snapshot.steps).toBe(steps);
        for (let step = 0; step < after && steps + step < limit - 1; step += 1)
          await env.step('tick', context);
        for (const other of [env, limited(limit, 'task')]) {
          expect(other.snapshots?.restore(snapshot).stepsLeft).toBe(limit - steps);
          let result = await other.step('tick', context);
          for (let left = limit - steps - 1; left > 0; left -= 1) {
            expect(result).toMatchObject({ kind: 'ongoing', stepsLeft: left });
            result = await other.step('tick', context);
          }
          expect(result).toMatchObject({ kind: 'terminated', limit: 'turn-limit' });
        }
      }),
    );
  });

  test('passes through a limit within a limit', async () => {
    const stack = (): OrderGuard<number, Tick> =>
      new OrderGuard(limited(3, 'task'), 'tick-v1', { stages: [new TurnLimit({ limit: 9, of: 'task' })] });
    const env = stack();
    await env.reset(task, context);
    await env.step('tick', context);
    const snapshot = JSON.parse(JSON.stringify(env.snapshots?.take())) as never;
    await env.step('tick', context);
    await env.step('tick', context);
    const fresh = stack();
    expect(fresh.snapshots?.restore(snapshot)).toMatchObject({ observation: 1, stepsLeft: 2 });
    expect((await fresh.step('tick', context)).kind).toBe('ongoing');
    expect((await fresh.step('tick', context)).kind).toBe('terminated');
  });
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'TurnLimit refuses a limit of %d steps',
  (limit) => {
    expect(() => limited(limit, 'task')).toThrow(UsageError);
  },
);

test('close passes through a turn limit', async () => {
  const inner = new TickEnv();
  await limited(1, 'task', inner).close();
  expect(inner.closed).toBe(1);
});
