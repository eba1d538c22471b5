import type { Reward } from '../core/step.ts';
import type { Score } from './reward/score.ts';

/** The reward of a step without a purchase. */
export const noReward: Reward = Object.freeze({ total: 0, terms: Object.freeze({}) });

/**
 * The reward of a purchase, type · (attributes + options + price) / asked, as terms that sum to it.
 * `attributes`, `options` and `price` are what each would earn for a product of the right type. `type` is the
 * loss because the type is not quite right.
 */
export function purchaseReward(score: Score): Reward {
  const attributes = score.attributesMatched / score.asked;
  const options = score.optionsMatched / score.asked;
  const price = (score.priceFits ? 1 : 0) / score.asked;
  const type = score.total - (attributes + options + price);
  return { total: score.total, terms: { attributes, options, price, type: score.type === 1 ? 0 : type } };
}

/** The parts of a score as numbers, for people. */
export function scoreMetrics(score: Score): Readonly<Record<string, number>> {
  const { total, type, titleScore, attributesMatched, optionsMatched, asked } = score;
  return {
    score: total,
    type,
    titleScore,
    queryMatches: Number(score.queryMatches),
    categoryMatches: Number(score.categoryMatches),
    attributesMatched,
    optionsMatched,
    priceFits: Number(score.priceFits),
    asked,
  };
}
