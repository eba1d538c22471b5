import { describe, expect, it } from 'vitest';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import { Outbox } from '../../../agents/rollout/outbox.ts';
import { LoopClock, EventLoopYield } from '../../../agents/rollout/event-loop-yield.ts';
import { BoundedWait } from '../../../agents/rollout/bounded-wait.ts';
import { SignalShards, openContextScope } from '../../../agents/rollout/scope.ts';
import { testContext } from '../../support/rollout.ts';

const crashed = (message: string) => ({ kind: 'env-crashed', where: 'here', message }) as const;
const settled = async (work: Promise<unknown>): Promise<boolean> => {
  let done = false;
  void work.finally(() => (done = true));
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe('outbox', () => {
  it('limits the items that are started and not yet taken', async () => {
    const outbox = new Outbox<{ readonly name: string }>(2);
    await outbox.start();
    await outbox.start();
    const third = outbox.start();
    outbox.put(1, { name: 'one' });
    expect(await settled(third)).toBe(false);
    expect(await outbox.take(1)).toEqual({ name: 'one' });
    expect(await settled(third)).toBe(true);
  });

  it('hands items over by number, or the first available', async () => {
    const outbox = new Outbox<{ readonly name: string }>(9);
    const zero = outbox.take(0);
    outbox.put(2, { name: 'two' });
    expect(await settled(zero)).toBe(false);
    outbox.put(0, { name: 'zero' });
    expect(await zero).toEqual({ name: 'zero' });
    expect(await outbox.take(undefined)).toEqual({ name: 'two' });
  });
});

describe('EventLoopYield', () => {
  it('lets one step per turn of the event loop pass without waiting', async () => {
    const pace = new EventLoopYield(new LoopClock(() => 0));
    for (let step = 0; step < 200; step += 1) {
      expect(pace.maybeYield()).toBeUndefined();
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('yields after many steps in one turn, by count and by time', async () => {
    let now = 0;
    const clock = new LoopClock(() => now);
    const pace = new EventLoopYield(clock);
    let steps = 0;
    while (pace.maybeYield() === undefined) steps += 1;
    expect(steps).toBe(64);
    await pace.maybeYield();
    expect(pace.maybeYield()).toBeUndefined();
    now += 8;
    expect(pace.maybeYield()).toBeInstanceOf(Promise);
    expect(new EventLoopYield(clock).maybeYield()).toBeUndefined(); // another episode has its own count
  });
});

describe('BoundedWait', () => {
  it('turns a foreign error into a fault, and passes on errors of this package', async () => {
    const patience = new BoundedWait(new AbortController().signal);
    expect(await patience.await(crashed, async () => 5)).toBe(5);
    await expect(patience.await(crashed, () => Promise.reject(new Error('broken')))).rejects.toEqual(
      new FaultError(crashed('broken')),
    );
    const usage = new UsageError({ where: 'a', what: 'b', fix: 'c' });
    const throwing = (): never => {
      throw usage;
    };
    await expect(patience.await(crashed, throwing)).rejects.toBe(usage);
  });

  it('rejects the present and all later waits with the signal’s reason, and ignores a late answer', async () => {
    const controller = new AbortController();
    const patience = new BoundedWait(controller.signal);
    await patience.await(crashed, async () => undefined);
    let late: ((thrown: Error) => void) | undefined;
    const waiting = patience.await(crashed, () => new Promise((_, reject) => (late = reject)));
    const reason = new Error('interrupted');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    late?.(new Error('too late')); // an unhandled rejection would fail this run
    await expect(patience.await(crashed, async () => 1)).rejects.toBe(reason);
  });
});

describe('context scopes and signal shards', () => {
  it('abort with their parent but not the parent with them, and can leave its signal', () => {
    const controller = new AbortController();
    const parent = testContext({ signal: controller.signal });
    const scope = openContextScope(parent);
    const lanes = new SignalShards(scope.context, 10);
    const signals = Array.from({ length: 4 }, () => lanes.next().signal);
    expect(new Set(signals).size).toBe(4);
    expect(lanes.next().signal).toBe(signals[0]);
    expect(scope.context.rng.uniform()).toBe(testContext().rng.uniform());
    scope.abort(new Error('enough'));
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(parent.signal.aborted).toBe(false);
    const other = openContextScope(parent);
    other[Symbol.dispose]();
    controller.abort(new Error('interrupted'));
    expect(other.context.signal.aborted).toBe(false);
    expect(openContextScope(parent).context.signal.reason).toEqual(new Error('interrupted'));
  });
});
