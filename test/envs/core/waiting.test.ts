import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import {
  abortable,
  onAbort,
  openDeadline,
  openScope,
  Semaphore,
  settlesWithin,
  sleep,
  withinMs,
} from '../../../envs/core/waiting.ts';

const never = new Promise<never>(() => undefined);
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

afterEach(() => void vi.useRealTimers());

describe('onAbort', () => {
  it('calls its listener once, and immediately on an aborted signal', () => {
    const controller = new AbortController();
    let calls = 0;
    onAbort(controller.signal, () => (calls += 1));
    expect(calls).toBe(0);
    controller.abort();
    expect(calls).toBe(1);
    onAbort(controller.signal, () => (calls += 1));
    expect(calls).toBe(2);
  });

  it('calls no listener after disposal', () => {
    const controller = new AbortController();
    let calls = 0;
    onAbort(controller.signal, () => (calls += 1))[Symbol.dispose]();
    controller.abort();
    expect(calls).toBe(0);
    expect(listeners(controller.signal)).toBe(0);
  });
});

describe('abortable', () => {
  it('passes on the result of the work and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    await expect(abortable(signal, Promise.resolve(7))).resolves.toBe(7);
    await expect(abortable(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await Promise.resolve();
    expect(listeners(signal)).toBe(0);
  });

  it('rejects with the reason when the signal aborts before the work ends', async () => {
    const caller = new AbortController();
    const waiting = abortable(caller.signal, never);
    caller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
  });

  it('rejects at once on an aborted signal and ignores a later error of the work', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const signal = AbortSignal.abort(new Error('over'));
    await expect(abortable(signal, Promise.reject(new Error('unheard')))).rejects.toThrow('over');
    await nextTurn();
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
});

describe('settlesWithin and withinMs', () => {
  it('settlesWithin reports whether the work ends in time, whatever its result', async () => {
    expect(await settlesWithin(60_000, Promise.resolve())).toBe(true);
    expect(await settlesWithin(60_000, Promise.reject(new Error('broken')))).toBe(true);
    expect(await settlesWithin(1, never)).toBe(false);
  });

  it('withinMs passes on the result, or rejects with the given error when late', async () => {
    const late = (): Error => new Error('late');
    expect(await withinMs(60_000, Promise.resolve(7), late)).toBe(7);
    await expect(withinMs(60_000, Promise.reject(new Error('broken')), late)).rejects.toThrow('broken');
    await expect(withinMs(1, never, late)).rejects.toThrow('late');
  });

  it('both leave no timer behind', async () => {
    vi.useFakeTimers();
    await settlesWithin(60_000, Promise.resolve());
    await withinMs(60_000, Promise.resolve(), () => new Error('late'));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('sleep', () => {
  it('resolves when its time has passed and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    await sleep(1);
    await sleep(1, signal);
    expect(listeners(signal)).toBe(0);
  });

  it('rejects with the reason of its signal and leaves no timer behind', async () => {
    vi.useFakeTimers();
    const caller = new AbortController();
    const asleep = sleep(60_000, caller.signal);
    expect(vi.getTimerCount()).toBe(1);
    caller.abort(new Error('up'));
    await expect(asleep).rejects.toThrow('up');
    await expect(sleep(60_000, caller.signal)).rejects.toThrow('up');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a signal scope', () => {
  it('aborts with its parent, but not the other way round', () => {
    const parent = new AbortController();
    const [first, second] = [openScope(parent.signal), openScope(parent.signal)];
    first.abort('enough');
    expect([first.signal.reason, parent.signal.aborted, second.signal.aborted]).toEqual([
      'enough',
      false,
      false,
    ]);
    parent.abort('interrupted');
    expect(second.signal.reason).toBe('interrupted');
    expect(openScope(parent.signal).signal.reason).toBe('interrupted');
  });

  it('leaves its parent when disposed', () => {
    const parent = new AbortController();
    const scope = openScope(parent.signal);
    expect(listeners(parent.signal)).toBe(1);
    scope[Symbol.dispose]();
    expect(listeners(parent.signal)).toBe(0);
    parent.abort();
    expect(scope.signal.aborted).toBe(false);
  });

  it('works without a parent', () => {
    const scope = openScope();
    scope.abort('enough');
    expect(scope.signal.reason).toBe('enough');
  });
});

describe('a deadline', () => {
  const faultOf = (signal: AbortSignal): unknown => FaultError.is(signal.reason) && signal.reason.fault;

  it('aborts its signal with a fault that names the work', () => {
    vi.useFakeTimers();
    const deadline = openDeadline(undefined, { where: 'the work', ms: 100 });
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(faultOf(deadline.signal)).toEqual({ kind: 'deadline-passed', where: 'the work', afterMs: 100 });
  });

  it('restarts when renewed, with another name and limit', () => {
    vi.useFakeTimers();
    const deadline = openDeadline(undefined, { where: 'first', ms: 100 });
    vi.advanceTimersByTime(99);
    deadline.renew('second');
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    deadline.renew('third', 10);
    vi.advanceTimersByTime(10);
    expect(faultOf(deadline.signal)).toEqual({ kind: 'deadline-passed', where: 'third', afterMs: 10 });
    deadline.renew('fourth');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts with its parent, and has no timer without a limit', () => {
    vi.useFakeTimers();
    const parent = new AbortController();
    const deadline = openDeadline(parent.signal, { where: 'the work', ms: undefined });
    expect(vi.getTimerCount()).toBe(0);
    parent.abort('interrupted');
    expect(deadline.signal.reason).toBe('interrupted');
  });

  it('leaves no timer and no listener after disposal', () => {
    vi.useFakeTimers();
    const parent = new AbortController();
    openDeadline(parent.signal, { where: 'the work', ms: 100 })[Symbol.dispose]();
    expect([vi.getTimerCount(), listeners(parent.signal)]).toEqual([0, 0]);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 31])('refuses a limit of %d ms', (ms) => {
    expect(() => openDeadline(undefined, { where: 'the work', ms })).toThrow(UsageError);
  });

  /** Keeps this thread from reading any answer. */
  const block = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };
  const programEnds = (): Promise<unknown> => once(spawn('sleep', ['0.05']), 'close');

  it('does not count time in which the thread computes: an answer that came meanwhile is read', async () => {
    using deadline = openDeadline(undefined, { where: 'the work', ms: 300 });
    const [answered, settled] = [programEnds(), settlesWithin(300, programEnds())];
    await nextTurn(); // timers come next, and answers after them
    block(1500);
    await abortable(deadline.signal, answered);
    expect(await settled).toBe(true);
  });

  it('ends by the clock all the same, when the thread never pauses for long', async () => {
    using deadline = openDeadline(undefined, { where: 'the work', ms: 20 });
    const start = performance.now();
    while (!deadline.signal.aborted && performance.now() - start < 60_000) {
      block(120);
      await sleep(0);
    }
    expect(faultOf(deadline.signal)).toMatchObject({ kind: 'deadline-passed', afterMs: 20 });
  });

  it('aborts even after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    using deadline = openDeadline(new AbortController().signal, { where: 'the work', ms: 100 });
    const aborted = new Promise<void>((resolve) => void onAbort(deadline.signal, resolve));
    await sleep(5);
    for (let round = 0; round < 3; round += 1) collectGarbage();
    await aborted;
    expect(faultOf(deadline.signal)).toMatchObject({ kind: 'deadline-passed' });
  });
});

describe('a semaphore', () => {
  const { signal } = new AbortController();
  const acquireInTurn = (semaphore: Semaphore, order: string[], names: readonly string[]) =>
    names.map(async (name) => {
      await semaphore.acquire(signal);
      order.push(name);
    });

  it('gives out its permits, then serves waiters in order of arrival', async () => {
    const semaphore = new Semaphore(2);
    expect([semaphore.tryAcquire(), semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([
      true,
      true,
      false,
    ]);
    const order: string[] = [];
    const waiting = acquireInTurn(semaphore, order, ['first', 'second']);
    await nextTurn();
    expect(order).toEqual([]);
    semaphore.release();
    semaphore.release();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
    semaphore.release();
    expect([semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([true, false]);
  });

  it('serves the smaller priority first, and equal ones in order of arrival', async () => {
    const semaphore = new Semaphore(0);
    const order: string[] = [];
    const waiting = [3, 1, 2, 1].map(async (priority, place) => {
      await semaphore.acquire(signal, priority);
      order.push(`${priority} of place ${place}`);
    });
    for (const _ of waiting) semaphore.release();
    await Promise.all(waiting);
    expect(order).toEqual(['1 of place 1', '1 of place 3', '2 of place 2', '3 of place 0']);
  });

  it('gives no permit to an aborted caller', async () => {
    const semaphore = new Semaphore(0);
    const impatient = new AbortController();
    const aborted = semaphore.acquire(impatient.signal);
    const next = semaphore.acquire(signal);
    const reason = new Error('no more time');
    impatient.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    semaphore.release();
    await next;
    semaphore.release();
    await expect(semaphore.acquire(impatient.signal)).rejects.toBe(reason);
    expect(semaphore.tryAcquire()).toBe(true);
    expect(listeners(signal)).toBe(0);
  });

  it('takes a permit back once even when its holder is disposed twice', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.enter(signal);
    const order: string[] = [];
    const enter = async (name: string): Promise<void> => {
      using _permit = await semaphore.enter(signal);
      order.push(name);
    };
    const others = [enter('second'), enter('third')];
    await nextTurn();
    expect(order).toEqual([]);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await Promise.all(others);
    expect(order).toEqual(['second', 'third']);
    expect([semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([true, false]);
  });
});
