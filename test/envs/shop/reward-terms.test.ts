import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsSumUp } from '../../../envs/core/step.ts';
import { purchaseReward, scoreMetrics } from '../../../envs/shop/reward-terms.ts';
import type { Score } from '../../../envs/shop/reward/score.ts';

const scoreOf = (of: {
  readonly type: number;
  readonly attributes: number;
  readonly options: number;
  readonly fits: boolean;
  readonly asked: number;
}): Score => ({
  total: of.type * ((of.attributes + of.options + Number(of.fits)) / of.asked),
  type: of.type,
  titleScore: 0.5,
  queryMatches: true,
  categoryMatches: false,
  attributesMatched: of.attributes,
  optionsMatched: of.options,
  priceFits: of.fits,
  asked: of.asked,
});

describe('the terms of a reward', () => {
  it('state what each part is worth, and what the type takes away', () => {
    expect(purchaseReward(scoreOf({ type: 1, attributes: 2, options: 1, fits: true, asked: 5 }))).toEqual({
      total: 0.8,
      terms: { attributes: 0.4, options: 0.2, price: 0.2, type: 0 },
    });
    expect(purchaseReward(scoreOf({ type: 0.5, attributes: 2, options: 0, fits: true, asked: 4 }))).toEqual({
      total: 0.375,
      terms: { attributes: 0.5, options: 0, price: 0.25, type: -0.375 },
    });
    expect(purchaseReward(scoreOf({ type: 0, attributes: 1, options: 0, fits: false, asked: 2 }))).toEqual({
      total: 0,
      terms: { attributes: 0.5, options: 0, price: 0, type: -0.5 },
    });
  });

  it('sum to the score, whatever it is', () => {
    const anyScore = fc
      .record({
        type: fc.constantFrom(0, 0.1, 0.5, 1),
        attributes: fc.nat(9),
        options: fc.nat(9),
        fits: fc.boolean(),
        more: fc.nat(5),
      })
      .map(({ more, ...of }) => scoreOf({ ...of, asked: of.attributes + of.options + 1 + more }));
    fc.assert(
      fc.property(anyScore, (score) => {
        const reward = purchaseReward(score);
        expect(reward.total).toBe(score.total);
        expect(termsSumUp(reward)).toBe(true);
        expect(reward.terms['type']).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('come with metrics for each part of the score', () => {
    expect(scoreMetrics(scoreOf({ type: 0.5, attributes: 2, options: 1, fits: false, asked: 6 }))).toEqual({
      score: 0.25,
      type: 0.5,
      titleScore: 0.5,
      queryMatches: 1,
      categoryMatches: 0,
      attributesMatched: 2,
      optionsMatched: 1,
      priceFits: 0,
      asked: 6,
    });
  });
});
