import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  incompleteBeta,
  normalQuantile,
  studentUpperQuantile,
} from '../../../trainers/results/distributions.ts';
import { medianToThreshold, studentInterval, wilsonInterval } from '../../../trainers/results/intervals.ts';

const numbers = z.array(z.number());
const golden = z
  .object({
    wilson: z.array(
      z.object({
        successes: z.number(),
        trials: z.number(),
        level: z.number(),
        low: z.number(),
        high: z.number(),
      }),
    ),
    student: z.array(z.object({ values: numbers, low: z.number(), high: z.number() })),
    normalQuantiles: z.array(z.object({ p: z.number(), normal: z.number() })),
    studentQuantiles: z.array(z.object({ degrees: z.number(), tail: z.number(), t: z.number() })),
    incompleteBeta: z.array(z.object({ x: z.number(), a: z.number(), b: z.number(), value: z.number() })),
    medians: z.array(z.object({ values: numbers, median: z.number(), low: z.number(), high: z.number() })),
  })
  .parse(JSON.parse(readFileSync(new URL('../../golden/evaluate/intervals.json', import.meta.url), 'utf8')));

const counts = fc
  .integer({ min: 1, max: 2000 })
  .chain((trials) =>
    fc.record({ trials: fc.constant(trials), successes: fc.integer({ min: 0, max: trials }) }),
  );

describe('distribution functions against scipy', () => {
  it.each(golden.incompleteBeta)(
    'compute the incomplete beta at $x with a = $a and b = $b',
    ({ x, a, b, value }) => {
      expect(Math.abs(incompleteBeta(x, a, b) - value)).toBeLessThan(1e-11 * Math.max(value, 1e-3));
    },
  );

  it.each(golden.normalQuantiles)('compute the normal quantile of $p', ({ p, normal }) => {
    expect(normalQuantile(p)).toBeCloseTo(normal, 11);
    expect(normalQuantile(1 - p)).toBeCloseTo(-normal, 9); // 1 - p itself is rounded
  });

  it.each(golden.studentQuantiles)(
    'compute Student’s t with $degrees degrees above tail $tail',
    ({ degrees, tail, t }) => {
      expect(Math.abs(studentUpperQuantile(tail, degrees) / t - 1)).toBeLessThan(1e-10);
    },
  );

  it('refuse arguments outside their domain', () => {
    expect(() => normalQuantile(1)).toThrow(RangeError);
    expect(() => studentUpperQuantile(0, 3)).toThrow(RangeError);
    expect(() => studentUpperQuantile(0.1, 0)).toThrow(RangeError);
  });
});

describe('wilsonInterval', () => {
  it.each(golden.wilson)(
    'agrees with statsmodels for $successes of $trials at $level',
    ({ successes, trials, level, low, high }) => {
      const interval = wilsonInterval(successes, trials, level);
      expect(interval.low).toBeCloseTo(low, 12);
      expect(interval.high).toBeCloseTo(high, 12);
    },
  );

  it('stays in [0, 1] and contains the rate', () => {
    fc.assert(
      fc.property(counts, ({ successes, trials }) => {
        const { rate, low, high } = wilsonInterval(successes, trials);
        expect(rate).toBe(successes / trials);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(rate);
        expect(high).toBeGreaterThanOrEqual(rate);
        expect(high).toBeLessThanOrEqual(1);
        expect(high - low).toBeGreaterThan(0); // no number of trials makes it certain
      }),
    );
  });

  it('mirrors when successes and failures swap', () => {
    fc.assert(
      fc.property(counts, ({ successes, trials }) => {
        const mirrored = wilsonInterval(trials - successes, trials);
        const { low, high } = wilsonInterval(successes, trials);
        expect(low).toBeCloseTo(1 - mirrored.high, 12);
        expect(high).toBeCloseTo(1 - mirrored.low, 12);
      }),
    );
  });

  it('shrinks with the number of trials and widens with the level', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 9 }), ({ successes, trials }, times) => {
        const width = (interval: { low: number; high: number }): number => interval.high - interval.low;
        expect(width(wilsonInterval(successes * times, trials * times))).toBeLessThan(
          width(wilsonInterval(successes, trials)),
        );
        expect(width(wilsonInterval(successes, trials, 0.99))).toBeGreaterThan(
          width(wilsonInterval(successes, trials, 0.9)),
        );
      }),
    );
  });

  it.each([
    [1, 0],
    [-1, 5],
    [6, 5],
    [0.5, 2],
    [Number.NaN, 3],
  ])('refuses %d of %d', (successes, trials) => {
    expect(() => wilsonInterval(successes, trials)).toThrow(/successes <= trials/);
  });
});

describe('studentInterval', () => {
  it.each(golden.student)('agrees with statsmodels for $values', ({ values, low, high }) => {
    const interval = studentInterval(values);
    expect(interval.low).toBeCloseTo(low, 10);
    expect(interval.high).toBeCloseTo(high, 10);
  });

  it('returns an infinite interval for one value, and refuses none', () => {
    expect(studentInterval([3])).toEqual({ mean: 3, low: -Infinity, high: Infinity });
    expect(() => studentInterval([])).toThrow(RangeError);
  });
});

describe('medianToThreshold', () => {
  it.each(golden.medians)('agrees with scipy for $values.length runs', ({ values, median, low, high }) => {
    expect(medianToThreshold(values)).toMatchObject({
      median,
      low,
      high,
      reached: values.length,
      runs: values.length,
    });
  });

  it('sorts runs that never reached the threshold after all others', () => {
    expect(medianToThreshold([300, undefined, 100, 200, undefined])).toEqual({
      median: 300,
      low: 100,
      high: undefined,
      coverage: expect.closeTo(1 - 2 / 32, 12) as unknown,
      reached: 3,
      runs: 5,
    });
    expect(medianToThreshold([100, undefined]).median).toBeUndefined();
    expect(medianToThreshold([undefined, undefined, undefined])).toMatchObject({
      median: undefined,
      low: undefined,
      reached: 0,
    });
  });

  it('contains its median, whatever was censored, and covers 95 % from 6 runs on', () => {
    const runs = fc.array(fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(runs, (steps) => {
        const order = (value: number | undefined): number => value ?? Infinity;
        const { median, low, high, coverage } = medianToThreshold(steps);
        expect(order(low)).toBeLessThanOrEqual(order(median));
        expect(order(median)).toBeLessThanOrEqual(order(high));
        if (steps.length >= 6) expect(coverage).toBeGreaterThanOrEqual(0.95);
        expect(medianToThreshold(steps.toReversed())).toEqual(medianToThreshold(steps));
      }),
    );
  });

  it('refuses an empty list of runs', () => {
    expect(() => medianToThreshold([])).toThrow(RangeError);
  });
});
