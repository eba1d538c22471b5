import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../trainers/results/compare.ts';
import { adjustByHolm, adjustComparisons } from '../../../trainers/results/holm.ts';

describe('adjustByHolm', () => {
  it('returns the values of p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") in R', () => {
    const adjusted = adjustByHolm([0.01, 0.04, 0.03, 0.005]);
    for (const [index, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[index]).toBeCloseTo(p, 12);
    expect(adjustByHolm([0.9, 0.6])).toEqual([1, 1]);
    expect(adjustByHolm([0.2])).toEqual([0.2]);
    expect(adjustByHolm([])).toEqual([]);
  });

  it('adds adjusted values to the tests of several comparisons, and to no others', () => {
    const common = {
      first: 'a',
      second: 'b',
      panel: { name: 'dev', fingerprint: `sha256:${'0'.repeat(64)}`, tasks: 9 },
      success: { mean: 0, low: 0, high: 0 },
      score: { mean: 0 },
      trainings: { first: 1, second: 1 },
    };
    const tested = (p: number): Comparison => ({
      ...common,
      pairs: { kind: 'mcnemar', p, both: 0, onlyFirst: 1, onlySecond: 0, neither: 0 },
    });
    const resampled: Comparison = { ...common, pairs: { kind: 'bootstrap' } };
    expect(
      adjustComparisons([tested(0.02), resampled, tested(0.5)]).map(({ pairs }) =>
        pairs.kind === 'mcnemar' ? pairs.adjusted : undefined,
      ),
    ).toEqual([0.04, undefined, 0.5]);
    expect(adjustComparisons([tested(0.02), resampled])).toEqual([tested(0.02), resampled]);
  });
});
