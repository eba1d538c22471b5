import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  createContext,
  deriveContext,
  forkContext,
  StepContext,
  type Context,
} from '../../../envs/core/context.ts';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { openContextScope } from '../../../agents/rollout/scope.ts';

const rootContext = (signal?: AbortSignal): Context =>
  createContext({ seed: 1, now: () => 0, ...(signal === undefined ? {} : { signal }) });
const listeners = (context: Context): number => getEventListeners(context.signal, 'abort').length;
const aborted = (context: Context): Promise<unknown> =>
  new Promise((resolve) => {
    context.signal.addEventListener('abort', () => resolve(context.signal.reason), { once: true });
  });

test('createContext refuses options without a clock or a seed', () => {
  const untyped = createContext as (options: unknown) => Context;
  expect(() => untyped({ seed: 0 })).toThrow(/createContext: `now` must be a function/);
  expect(() => untyped({ now: () => 0 })).toThrow(UsageError);
});

describe('a forked context', () => {
  test('takes its path from its labels, and its stream from its path', () => {
    const root = rootContext();
    const child = forkContext(forkContext(root, 'train'), 3);
    expect(child.path).toBe('train/3');
    expect(child.rng.int(1000)).toBe(root.rng.fork('train').fork(3).int(1000));
  });

  test('aborts with its parent, for the same reason', () => {
    const caller = new AbortController();
    const grandchild = forkContext(forkContext(rootContext(caller.signal), 'a'), 'b');
    caller.abort(new Error('interrupted'));
    expect(grandchild.signal.aborted).toBe(true);
    expect((grandchild.signal.reason as Error).message).toBe('interrupted');
    expect(forkContext(grandchild, 'late').signal.reason).toBe(grandchild.signal.reason);
  });

  test('aborts at its deadline with a fault that names it, without its parent', async () => {
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

  test('keeps the deadline of its parent when that is earlier', async () => {
    const parent = forkContext(rootContext(), 'parent', { deadlineMs: 5 });
    const child = forkContext(parent, 'child', { deadlineMs: 60_000 });
    const reason = await aborted(child);
    expect(FaultError.is(reason) && reason.fault).toMatchObject({ where: 'parent', afterMs: 5 });
    child[Symbol.dispose]();
    parent[Symbol.dispose]();
  });

  test('stays inactive once disposed', async () => {
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
  test('supports 100 children without a warning', async () => {
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

  test('keeps nothing of 100,000 children that were disposed', () => {
    const root = rootContext();
    for (let index = 0; index < 100_000; index += 1) {
      const child = forkContext(root, index, { deadlineMs: 1_000_000 });
      child[Symbol.dispose]();
    }
    expect(listeners(root)).toBe(0);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(100);
  });
});

describe('StepContext', () => {
  test('gives each step its own stream, whatever the other steps drew', () => {
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

  test('continues one stream within a step', () => {
    const context = new StepContext(forkContext(rootContext(), 'episode'));
    context.advance(1);
    expect(context.rng.uniform()).not.toBe(context.rng.uniform());
  });
});

describe('a derived context', () => {
  const parent: Required<Context> = {
    path: 'parent',
    signal: new AbortController().signal,
    now: () => 7,
    log: createMemoryLogger(),
    system: { DOCKER_HOST: 'unix:///here' },
    progress: 0.5,
    rng: createRng(3),
    askAgent: () => Promise.resolve('written'),
  };
  const members = Object.keys(parent) as readonly (keyof Context)[];
  const signal = new AbortController().signal;
  const rng = createRng(4);

  test.each<[string, () => Context, readonly (keyof Context)[]]>([
    ['deriveContext without changes', () => deriveContext(parent, {}), []],
    ['deriveContext with a path', () => deriveContext(parent, { path: 'own' }), ['path']],
    ['deriveContext with a signal', () => deriveContext(parent, { signal }), ['signal']],
    ['deriveContext with a stream', () => deriveContext(parent, { rng: () => rng }), ['rng']],
    ['forkContext', () => forkContext(parent, 'child'), ['path', 'signal', 'rng']],
    ['StepContext', () => new StepContext(parent), ['rng']],
    ['openContextScope', () => openContextScope(parent).context, ['signal']],
    ['createContext', () => createContext({ ...parent, seed: 0 }), ['rng']],
  ])('%s keeps every member of its parent except those that change', (_name, derive, changed) => {
    const derived = derive();
    for (const member of members) {
      if (changed.includes(member)) expect(derived[member], member).not.toBe(parent[member]);
      else expect(derived[member], member).toBe(parent[member]);
    }
  });

  test('creates its stream once, when first asked for', () => {
    let made = 0;
    const derived = deriveContext(parent, { rng: () => ((made += 1), createRng(made)) });
    expect(made).toBe(0);
    expect(derived.rng).toBe(derived.rng);
    expect(made).toBe(1);
  });

  test('draws from the current step of its parent', () => {
    const steps = new StepContext(parent);
    const derived = deriveContext(steps, { signal });
    steps.advance(1);
    const first = derived.rng;
    steps.advance(2);
    expect(derived.rng).toBe(steps.rng);
    expect(derived.rng).not.toBe(first);
  });
});
