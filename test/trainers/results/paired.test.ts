import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRng } from '../../../envs/core/rng.ts';
import { countPairs, mcnemarProbability, pairedDifference } from '../../../trainers/results/paired.ts';

const golden = z
  .object({ mcnemar: z.array(z.object({ onlyFirst: z.number(), onlySecond: z.number(), p: z.number() })) })
  .parse(JSON.parse(readFileSync(new URL('../../golden/evaluate/intervals.json', import.meta.url), 'utf8')));

const cells = fc.record({
  both: fc.nat(300),
  onlyFirst: fc.nat(60),
  onlySecond: fc.nat(60),
  neither: fc.integer({ min: 1, max: 300 }),
});

describe('countPairs', () => {
  it('counts each cell once', () => {
    const first = [true, true, false, false, true];
    const second = [true, false, true, false, false];
    expect(countPairs(first, second)).toEqual({ both: 1, onlyFirst: 2, onlySecond: 1, neither: 1 });
    expect(() => countPairs([true], [])).toThrow(RangeError);
  });
});

describe('mcnemarProbability', () => {
  it.each(golden.mcnemar)(
    'agrees with statsmodels for $onlyFirst against $onlySecond',
    ({ onlyFirst, onlySecond, p }) => {
      expect(mcnemarProbability({ onlyFirst, onlySecond })).toBeCloseTo(p, 10);
    },
  );

  it('returns a probability that is symmetric and falls as the split grows uneven', () => {
    fc.assert(
      fc.property(cells, ({ onlyFirst, onlySecond }) => {
        const p = mcnemarProbability({ onlyFirst, onlySecond });
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(mcnemarProbability({ onlyFirst: onlySecond, onlySecond: onlyFirst })).toBe(p);
        if (onlyFirst >= onlySecond)
          expect(mcnemarProbability({ onlyFirst: onlyFirst + 1, onlySecond })).toBeLessThanOrEqual(p + 1e-12);
      }),
    );
  });
});

describe('pairedDifference', () => {
  it('contains the difference, stays in [-1, 1] and changes sign when the agents swap', () => {
    fc.assert(
      fc.property(cells, (counts) => {
        const { mean, low, high } = pairedDifference(counts);
        const swapped = pairedDifference({
          ...counts,
          onlyFirst: counts.onlySecond,
          onlySecond: counts.onlyFirst,
        });
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(low).toBeLessThanOrEqual(mean);
        expect(high).toBeGreaterThanOrEqual(mean);
        expect(high).toBeLessThanOrEqual(1);
        expect(swapped.low).toBeCloseTo(-high, 12);
        expect(swapped.high).toBeCloseTo(-low, 12);
      }),
    );
  });

  it('contains the difference for every count of up to 24 tasks, and stays in [-1, 1]', () => {
    for (let tasks = 1; tasks <= 24; tasks += 1) {
      for (let onlyFirst = 0; onlyFirst <= tasks; onlyFirst += 1) {
        for (let onlySecond = 0; onlyFirst + onlySecond <= tasks; onlySecond += 1) {
          const { mean, low, high } = pairedDifference({
            both: 0,
            onlyFirst,
            onlySecond,
            neither: tasks - onlyFirst - onlySecond,
          });
          expect(
            low >= -1 && low <= mean && mean <= high && high <= 1,
            `${onlyFirst} against ${onlySecond} of ${tasks}`,
          ).toBe(true);
        }
      }
    }
  });

  it('agrees with the published formula computed by hand', () => {
    // 20 both, 12 and 2 discordant, 16 neither: p12 = 13/52, p21 = 3/52, z = 1.96.
    const margin = 1.959963984540054 * Math.sqrt((16 / 52 - (10 / 52) ** 2) / 52);
    const { low, high } = pairedDifference({ both: 20, onlyFirst: 12, onlySecond: 2, neither: 16 });
    expect(low).toBeCloseTo(10 / 52 - margin, 10);
    expect(high).toBeCloseTo(10 / 52 + margin, 10);
  });

  it.each([
    { both: 0.85, onlyFirst: 0.08, onlySecond: 0.02, tasks: 134 },
    { both: 0.3, onlyFirst: 0.3, onlySecond: 0.1, tasks: 40 },
    { both: 0.95, onlyFirst: 0.02, onlySecond: 0.01, tasks: 100 },
  ])(
    'covers the true difference about as often as stated ($tasks tasks, $onlyFirst against $onlySecond)',
    (truth) => {
      const rng = createRng(17);
      const trials = 2000;
      let held = 0;
      for (let trial = 0; trial < trials; trial += 1) {
        const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
        for (let task = 0; task < truth.tasks; task += 1) {
          const draw = rng.uniform();
          if (draw < truth.both) counts.both += 1;
          else if (draw < truth.both + truth.onlyFirst) counts.onlyFirst += 1;
          else if (draw < truth.both + truth.onlyFirst + truth.onlySecond) counts.onlySecond += 1;
          else counts.neither += 1;
        }
        const { low, high } = pairedDifference(counts);
        if (low <= truth.onlyFirst - truth.onlySecond && truth.onlyFirst - truth.onlySecond <= high)
          held += 1;
      }
      expect(held / trials).toBeGreaterThan(0.935);
    },
  );

  it('refuses a count of no tasks', () => {
    expect(() => pairedDifference({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 })).toThrow(RangeError);
  });
});
