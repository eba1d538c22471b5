import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { TaskPanel } from '../../../envs/core/task.ts';
import { tasksOf } from '../../../trainers/curriculum/passes.ts';

const panelOf = (size: number): TaskPanel => ({
  env: 'toy-v1',
  config: {},
  name: 'train',
  purpose: 'train',
  tasks: Array.from({ length: size }, (_, index) => ({ panel: 'train', index })),
  families: Array.from({ length: size }, () => 'toy'),
  fingerprint: '',
});

describe('task order', () => {
  const passes = {
    size: fc.integer({ min: 1, max: 40 }),
    count: fc.integer({ min: 1, max: 40 }),
    seed: fc.nat(),
  };
  const firstIterations = (
    size: number,
    count: number,
    seed: number,
    iterations: number,
  ): readonly (readonly number[])[] =>
    Array.from({ length: iterations }, (_, at) =>
      tasksOf(panelOf(size), at, count, createRng(seed)).map(({ index }) => index),
    );

  it('plays every task exactly once a pass, wherever the border between passes falls', () => {
    fc.assert(
      fc.property(fc.record(passes), ({ size, count, seed }) => {
        const each = Math.min(size, count);
        const met = firstIterations(size, count, seed, Math.ceil((4 * size) / each)).flat();
        for (let pass = 0; pass < 4; pass += 1)
          expect(new Set(met.slice(pass * size, (pass + 1) * size)).size).toBe(size);
      }),
    );
  });

  it('never repeats a task in an iteration, and lists the requested number or all', () => {
    fc.assert(
      fc.property(fc.record(passes), ({ size, count, seed }) => {
        for (const tasks of firstIterations(size, count, seed, 12)) {
          expect(new Set(tasks).size).toBe(Math.min(size, count));
          expect(tasks).toHaveLength(Math.min(size, count));
        }
      }),
    );
  });

  it('shuffles every pass newly, the first as the plain shuffle of its stream', () => {
    const [first, second] = [
      firstIterations(48, 16, 3, 3).flat(),
      firstIterations(48, 16, 3, 6).slice(3).flat(),
    ];
    expect(second).not.toEqual(first);
    const indices = Array.from({ length: 50 }, (_, index) => index);
    const rng = createRng(3);
    expect(firstIterations(50, 16, 3, 3).flat()).toEqual(rng.fork(0).shuffle(indices).slice(0, 48));
  });

  it('depends only on the stream and the iteration', () => {
    const order = (): unknown => tasksOf(panelOf(100), 7, 16, createRng(3));
    expect(order()).toEqual(order());
    expect(order()).not.toEqual(tasksOf(panelOf(100), 8, 16, createRng(3)));
    expect(order()).not.toEqual(tasksOf(panelOf(100), 7, 16, createRng(4)));
  });
});
