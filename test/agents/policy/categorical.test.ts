import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawCategorical, greatestIndex, otherItems } from '../../../agents/policy/categorical.ts';
import { createRng } from '../../../envs/core/rng.ts';

const logits = fc.array(fc.float({ min: -1000, max: 1000, noNaN: true }), { minLength: 1, maxLength: 40 });
const temperature = fc.double({ min: 0.01, max: 100, noNaN: true });
const uniform = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('drawCategorical', () => {
  it('returns the log-probabilities of a softmax: golden numbers', () => {
    // softmax([1, 2, 3]) = 0.09003057, 0.24472847, 0.66524096; at temperature 2 of [2, 4, 6] the same.
    const cases = [
      { uniform: 0, index: 0, probability: 0.09003057317038046 },
      { uniform: 0.0901, index: 1, probability: 0.24472847105479764 },
      { uniform: 0.3347, index: 1, probability: 0.24472847105479764 },
      { uniform: 0.3348, index: 2, probability: 0.6652409557748218 },
      { uniform: 0.9999999999999999, index: 2, probability: 0.6652409557748218 },
    ];
    for (const { uniform: at, index, probability } of cases) {
      const draw = drawCategorical([1, 2, 3], 1, at);
      expect(draw.index).toBe(index);
      expect(Math.exp(draw.logprob)).toBeCloseTo(probability, 14);
      expect(drawCategorical([2, 4, 6], 2, at)).toEqual(draw);
    }
  });

  it('draws each item for a share of the uniforms equal to its probability', () => {
    fc.assert(
      fc.property(logits, temperature, uniform, (numbers, heat, at) => {
        const { index, logprob } = drawCategorical(numbers, heat, at);
        const weights = numbers.map((logit) => Math.exp((logit - Math.max(...numbers)) / heat));
        const sum = weights.reduce((a, b) => a + b, 0);
        const below = weights.slice(0, index).reduce((a, b) => a + b, 0) / sum;
        const probability = (weights[index] as number) / sum;
        expect(probability).toBeGreaterThan(0);
        expect(Math.exp(logprob)).toBeCloseTo(probability, 12);
        expect(at).toBeGreaterThanOrEqual(below - 1e-12);
        expect(at).toBeLessThan(below + probability + 1e-12);
      }),
    );
  });

  it('ignores a constant added to all logits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1 }),
        fc.integer({ min: -1000, max: 1000 }),
        uniform,
        (numbers, constant, at) => {
          const moved = numbers.map((logit) => logit + constant);
          expect(drawCategorical(moved, 1, at)).toEqual(drawCategorical(numbers, 1, at));
        },
      ),
    );
  });

  it('stays finite at the ends of the range, and never draws an item of probability 0', () => {
    for (const at of [0, 0.5, 1 - 2 ** -53]) {
      expect(drawCategorical([3e38, -3e38], 1, at)).toEqual({ index: 0, logprob: 0 });
      expect(drawCategorical([-3e38, 3e38, -3e38], 1e-300, at)).toEqual({ index: 1, logprob: 0 });
      expect(drawCategorical([0], 1, at)).toEqual({ index: 0, logprob: 0 });
    }
    expect(drawCategorical([0, -3e38], 1, 1).index).toBe(0); // beyond what is asked for, and still never that
  });

  it('draws items in proportion to their probabilities', () => {
    const rng = createRng(11);
    const counts = [0, 0, 0];
    for (let draw = 0; draw < 20_000; draw += 1) {
      const { index } = drawCategorical([1, 2, 3], 1, rng.uniform());
      counts[index] = (counts[index] as number) + 1;
    }
    for (const [index, expected] of [1800.6, 4894.6, 13304.8].entries()) {
      expect(Math.abs((counts[index] as number) - expected)).toBeLessThan(270); // 4 standard deviations
    }
  });
});

describe('greatestIndex', () => {
  it('returns the first of equals', () => {
    expect(greatestIndex([1, 3, 3, 2])).toBe(1);
    expect(greatestIndex(new Float32Array([-1, -1]))).toBe(0);
  });
});

describe('otherItems', () => {
  it('returns the most probable items but the chosen one, rounded to four decimals', () => {
    const of = { chosen: 2, temperature: 1, count: 2 };
    expect(otherItems([1, 2, 3], of)).toEqual([
      { index: 1, probability: 0.2447 },
      { index: 0, probability: 0.09 },
    ]);
    expect(otherItems([2, 4, 6], { ...of, temperature: 2, count: 1 })).toEqual([
      { index: 1, probability: 0.2447 },
    ]);
    expect(otherItems([7], { ...of, chosen: 0 })).toEqual([]);
    expect(otherItems([3e38, -3e38], { ...of, chosen: 0 })).toEqual([{ index: 1, probability: 0 }]);
  });

  it('equals a sort of all probabilities, and keeps the order of equal ones', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 20 }),
        fc.nat(19),
        fc.integer({ min: 1, max: 6 }),
        (numbers, at, count) => {
          const chosen = at % numbers.length;
          const sum = numbers.reduce((total, logit) => total + Math.exp(logit), 0);
          const expected = numbers
            .map((logit, index) => ({ index, probability: Math.exp(logit) / sum }))
            .filter(({ index }) => index !== chosen)
            .toSorted((a, b) => b.probability - a.probability || a.index - b.index)
            .slice(0, count);
          const others = otherItems(numbers, { chosen, temperature: 1, count });
          expect(others.map(({ index }) => index)).toEqual(expected.map(({ index }) => index));
          for (const [place, { probability }] of others.entries())
            expect(probability).toBeCloseTo(expected[place]?.probability ?? Number.NaN, 4);
        },
      ),
    );
  });
});
