import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRng, drawNormal } from '../../../envs/core/rng.ts';
import { bootstrapDifference, bootstrapMean } from '../../../trainers/results/bootstrap.ts';

const table = z.array(z.array(z.number()));
const golden = z
  .object({
    bootstrapTasks: z.array(z.object({ values: z.array(z.number()), low: z.number(), high: z.number() })),
    seedsAndTasks: z.array(
      z.object({
        a: table,
        b: table,
        mean: z.tuple([z.number(), z.number()]),
        difference: z.tuple([z.number(), z.number()]),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../../golden/evaluate/intervals.json', import.meta.url), 'utf8')));

const rng = () => createRng(3).fork('bootstrap');

const tables = fc
  .record({ seeds: fc.integer({ min: 1, max: 4 }), tasks: fc.integer({ min: 1, max: 12 }) })
  .chain(({ seeds, tasks }) => {
    const rate = fc.integer({ min: 0, max: 4 }).map((solved) => solved / 4);
    const rows = fc.array(fc.array(rate, { minLength: tasks, maxLength: tasks }), {
      minLength: seeds,
      maxLength: seeds,
    });
    return fc.record({ a: rows, b: rows });
  });

describe('bootstrapMean', () => {
  it.each(golden.bootstrapTasks)('agrees with scipy over $values.length tasks', ({ values, low, high }) => {
    const interval = bootstrapMean([values], { rng: rng(), resamples: 40_000 });
    const tolerance = 0.02 * (high - low);
    expect(Math.abs(interval.low - low)).toBeLessThan(tolerance);
    expect(Math.abs(interval.high - high)).toBeLessThan(tolerance);
  });

  it.each(golden.seedsAndTasks)(
    'agrees with all resamples of $a.length seeds combined with Student’s t',
    ({ a, mean: [low, high] }) => {
      const interval = bootstrapMean(a, { rng: rng(), resamples: 60_000 });
      expect(Math.abs(interval.low - low)).toBeLessThan(0.03 * (high - low));
      expect(Math.abs(interval.high - high)).toBeLessThan(0.03 * (high - low));
    },
  );

  it.each([3, 5, 10])('covers the truth with %i seeds as often as stated', (seeds) => {
    const chance = createRng(seeds).fork('coverage');
    const rounds = 300;
    let held = 0;
    for (let round = 0; round < rounds; round += 1) {
      const tasks = Array.from({ length: 40 }, () => drawNormal(chance, 0.1));
      const values = Array.from({ length: seeds }, () => {
        const luck = drawNormal(chance, 0.1);
        return tasks.map((task) => task + luck + drawNormal(chance, 0.2));
      });
      const { low, high } = bootstrapMean(values, { rng: chance, resamples: 300 });
      if (low <= 0 && high >= 0) held += 1;
    }
    expect(held / rounds).toBeGreaterThan(0.92); // drawing seeds with replacement, too, holds it in 87, 87 and 94 %
  });

  it('returns the same interval for the same stream, includes its mean, and for one seed stays within the values', () => {
    fc.assert(
      fc.property(tables, ({ a }) => {
        const interval = bootstrapMean(a, { rng: rng(), resamples: 200 });
        expect(bootstrapMean(a, { rng: rng(), resamples: 200 })).toEqual(interval);
        expect(interval.low).toBeLessThanOrEqual(interval.mean);
        expect(interval.high).toBeGreaterThanOrEqual(interval.mean);
        const [first = []] = a;
        const ofOne = bootstrapMean([first], { rng: rng(), resamples: 200 });
        expect(ofOne.low).toBeGreaterThanOrEqual(Math.min(...first) - 1e-12);
        expect(ofOne.high).toBeLessThanOrEqual(Math.max(...first) + 1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('shrinks with the number of tasks', () => {
    const width = (times: number): number => {
      const values = Array.from({ length: times }, () => [0, 1, 1, 0.5, 0.25]).flat();
      const { low, high } = bootstrapMean([values], { rng: rng(), resamples: 2000 });
      return high - low;
    };
    expect(width(4)).toBeLessThan(width(1));
    expect(width(16)).toBeLessThan(width(4));
  });

  it('keeps the variance of tasks however many seeds there are', () => {
    const tasks = Array.from({ length: 20 }, (_, task) => (task % 2 === 0 ? 1 : 0));
    const width = (seeds: number): number => {
      const { low, high } = bootstrapMean(
        Array.from({ length: seeds }, () => tasks),
        { rng: rng(), resamples: 4000 },
      );
      return high - low;
    };
    expect(width(10)).toBeGreaterThan(0.9 * width(1));
  });

  it('refuses a ragged or empty table', () => {
    expect(() => bootstrapMean([], { rng: rng() })).toThrow(/same tasks for every seed/);
    expect(() => bootstrapMean([[]], { rng: rng() })).toThrow(RangeError);
    expect(() => bootstrapMean([[1, 2], [1]], { rng: rng() })).toThrow(/2, 1/);
  });
});

describe('bootstrapDifference', () => {
  it.each(golden.seedsAndTasks)(
    'agrees with all resamples of $a.length and $b.length seeds combined with Student’s t',
    ({ a, b, difference: [low, high] }) => {
      const interval = bootstrapDifference(a, b, { rng: rng(), resamples: 60_000 });
      expect(Math.abs(interval.low - low)).toBeLessThan(0.03 * (high - low));
      expect(Math.abs(interval.high - high)).toBeLessThan(0.03 * (high - low));
    },
  );

  it('changes sign when the agents swap, up to resampling noise', () => {
    fc.assert(
      fc.property(tables, ({ a, b }) => {
        const there = bootstrapDifference(a, b, { rng: rng(), resamples: 2000 });
        const back = bootstrapDifference(b, a, { rng: rng(), resamples: 2000 });
        expect(back.mean).toBeCloseTo(-there.mean, 12);
        // Of few cells the resampled means are few as well: a bound may fall on the next one, at most half the range away.
        const differences = a.flatMap((row, seed) =>
          row.map((value, task) => value - (b[seed]?.[task] ?? 0)),
        );
        const slack = Math.max(
          0.15,
          (Math.max(...differences) - Math.min(...differences)) / 2,
          0.4 * (there.high - there.low),
        );
        expect(Math.abs(back.low + there.high)).toBeLessThanOrEqual(slack);
        expect(Math.abs(back.high + there.low)).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 25 },
    );
  });

  it('narrows for correlated pairs', () => {
    const a = Array.from({ length: 40 }, (_, task) => (task % 2 === 0 ? 1 : 0));
    const shifted = [...a.slice(1), 1];
    const width = (b: readonly number[]): number => {
      const { low, high } = bootstrapDifference([a], [b], { rng: rng(), resamples: 2000 });
      return high - low;
    };
    expect(width(a)).toBe(0);
    expect(width(shifted)).toBeGreaterThan(0.2);
  });

  it('refuses different numbers of tasks', () => {
    expect(() => bootstrapDifference([[1, 0]], [[1]], { rng: rng() })).toThrow(/2 and 1/);
  });
});
