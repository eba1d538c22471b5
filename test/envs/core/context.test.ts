import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  abortable,
  createContext,
  forkContext,
  StepContext,
  type Context,
} from '../../../envs/core/context.ts';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';

const rootContext = (signal?: AbortSignal): Context =>
  createContext({ seed: 1, now: () => 0, ...(signal === undefined ? {} : { signal }) });
const listeners = (context: Context): number => getEventListeners(context.signal, 'abort').length;
const aborted = (context: Context): Promise<unknown> =>
  new Promise((resolve) => {
    context.signal.addEventListener('abort', () => resolve(context.signal.reason), { once: true });
  });

test('a context without a clock or a seed, as without types there can be, is refused at once', () => {
  const untyped = createContext as (options: unknown) => Context;
  expect(() => untyped({ seed: 0 })).toThrow(/createContext: `now` is no function/);
  expect(() => untyped({ now: () => 0 })).toThrow(UsageError);
});

describe('a forked context', () => {
  test('has the path of its labels and the stream of its path', () => {
    const root = rootContext();
    const child = forkContext(forkContext(root, 'train'), 3);
    expect(child.path).toBe('train/3');
    expect(child.rng.int(1000)).toBe(root.rng.fork('train').fork(3).int(1000));
  });

  test('aborts with its parent and with the reason of its parent', () => {
    const caller = new AbortController();
    const grandchild = forkContext(forkContext(rootContext(caller.signal), 'a'), 'b');
    caller.abort(new Error('interrupted'));
    expect(grandchild.signal.aborted).toBe(true);
    expect((grandchild.signal.reason as Error).message).toBe('interrupted');
    expect(forkContext(grandchild, 'late').signal.reason).toBe(grandchild.signal.reason);
  });

  test('aborts at its deadline with a fault that names it, and its parent does not', async () => {
    const root = rootContext();
    const child = forkContext(root, 'slow', { deadlineMs: 5 });
    const reason = await aborted(child);
    expect(FaultError.is(reason) && reason.fault).toEqual({
      kind: 'deadline-passed',
      where: 'slow',
      afterMs: 5,
    });
    expect(root.signal.aborted).toBe(false);
    child[Symbol.dispose]();
  });

  test('keeps the deadline of its parent where that comes first', async () => {
    const parent = forkContext(rootContext(), 'parent', { deadlineMs: 5 });
    const child = forkContext(parent, 'child', { deadlineMs: 60_000 });
    const reason = await aborted(child);
    expect(FaultError.is(reason) && reason.fault).toMatchObject({ where: 'parent', afterMs: 5 });
    child[Symbol.dispose]();
    parent[Symbol.dispose]();
  });

  test('does nothing any more once it is disposed', async () => {
    const caller = new AbortController();
    const root = rootContext(caller.signal);
    const child = forkContext(root, 'child', { deadlineMs: 1 });
    child[Symbol.dispose]();
    child[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, 10));
    caller.abort(new Error('too late'));
    expect(child.signal.aborted).toBe(false);
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 31])(
    'refuses a deadline of %d ms, which no timer can keep',
    (deadlineMs) => {
      expect(() => forkContext(rootContext(), 'child', { deadlineMs })).toThrow(UsageError);
    },
  );
});

describe('the signal of a run', () => {
  test('bears 100 children without a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const root = rootContext(new AbortController().signal);
    const children = Array.from({ length: 100 }, (_, index) => forkContext(root, index));
    const deep = children.map((child) => Array.from({ length: 20 }, (_, index) => forkContext(child, index)));
    await new Promise((resolve) => setImmediate(resolve)); // warnings are emitted later
    process.off('warning', listen);
    expect(warnings).toEqual([]);
    expect(listeners(root)).toBe(100);
    expect(deep.flat().every((child) => !child.signal.aborted)).toBe(true);
  });

  test('holds nothing of 100,000 children that came and went', () => {
    const root = rootContext();
    for (let index = 0; index < 100_000; index += 1) {
      const child = forkContext(root, index, { deadlineMs: 1_000_000 });
      child[Symbol.dispose]();
    }
    expect(listeners(root)).toBe(0);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(100);
  });
});

describe('the context of steps', () => {
  test('gives each step a stream of its own, whatever the others drew', () => {
    const episode = forkContext(rootContext(), 'episode');
    const draw = (steps: readonly number[], greedy: boolean): readonly number[] => {
      const context = new StepContext(episode);
      return steps.map((step) => {
        context.advance(step);
        const first = context.rng.int(1_000_000);
        if (greedy) for (let more = 0; more < step; more += 1) context.rng.uniform();
        return first;
      });
    };
    const inOrder = draw([0, 1, 2, 3], false);
    expect(new Set(inOrder).size).toBe(4);
    expect(draw([0, 1, 2, 3], true)).toEqual(inOrder);
    expect(draw([3, 2, 1, 0], false)).toEqual(inOrder.toReversed());
    expect(inOrder[2]).toBe(episode.rng.fork(2).int(1_000_000));
  });

  test('goes on drawing from one stream within a step', () => {
    const context = new StepContext(forkContext(rootContext(), 'episode'));
    context.advance(1);
    expect(context.rng.uniform()).not.toBe(context.rng.uniform());
  });
});

describe('abortable', () => {
  test('settles as the work does and leaves no listener behind', async () => {
    const root = rootContext();
    await expect(abortable(root.signal, Promise.resolve(7))).resolves.toBe(7);
    await expect(abortable(root.signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await Promise.resolve();
    expect(listeners(root)).toBe(0);
  });

  test('rejects with the reason as soon as the signal aborts, before the work', async () => {
    const caller = new AbortController();
    const waiting = abortable(caller.signal, new Promise(() => undefined));
    caller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
  });

  test('rejects at once when it comes too late, and swallows what the work then throws', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const signal = AbortSignal.abort(new Error('over'));
    await expect(abortable(signal, Promise.reject(new Error('unheard')))).rejects.toThrow('over');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
});
