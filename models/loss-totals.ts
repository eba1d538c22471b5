import type { UpdateFigures } from './policy-model.ts';

/** One decision's or token's part of a batch's loss. */
export interface LossTerm {
  /** All of it. */
  readonly loss: number;
  readonly policyLoss: number;
  readonly entropy: number;
  readonly referenceKl: number;
  readonly approximateKl: number;
  readonly ratio: number;
  readonly importance: number;
  readonly clipped: boolean;
}

/** Sums over some terms of a batch: those of all of them make its figures. Numbers alone, so that they can cross to another thread. */
export interface LossSums {
  /** Terms of weight above 0. */
  readonly count: number;
  readonly loss: number;
  readonly policyLoss: number;
  readonly entropy: number;
  readonly referenceKl: number;
  readonly approximateKl: number;
  readonly clipped: number;
  readonly ratio: number;
  readonly largestRatio: number;
  readonly importance: number;
}

const nothing: LossSums = {
  count: 0,
  loss: 0,
  policyLoss: 0,
  entropy: 0,
  referenceKl: 0,
  approximateKl: 0,
  clipped: 0,
  ratio: 0,
  largestRatio: 0,
  importance: 0,
};

/** Adds terms up, one after the other. */
export class LossTotals {
  readonly #sums: { -readonly [Name in keyof LossSums]: LossSums[Name] } = { ...nothing };

  get sums(): LossSums {
    return this.#sums;
  }

  add(term: LossTerm, weight: number): void {
    const sums = this.#sums;
    sums.count += 1;
    sums.loss += weight * term.loss;
    sums.policyLoss += weight * term.policyLoss;
    sums.entropy += weight * term.entropy;
    sums.referenceKl += weight * term.referenceKl;
    sums.approximateKl += weight * term.approximateKl;
    sums.clipped += term.clipped ? weight : 0;
    sums.ratio += weight * term.ratio;
    sums.largestRatio = Math.max(sums.largestRatio, term.ratio);
    sums.importance += weight * term.importance;
  }
}

/**
 * The figures of a batch from the sums of its parts, whose order decides how they are rounded.
 * @param weight of all terms together
 * @param normaliser what the sum of their losses is divided by
 */
export function figuresOf(
  parts: readonly LossSums[],
  weight: number,
  normaliser: number,
): Omit<UpdateFigures, 'agreement'> {
  const { count, largestRatio, ...sums } = parts.reduce(together, nothing);
  const mean = (total: number): number => (weight === 0 ? 0 : total / weight);
  return {
    count,
    weight,
    loss: weight === 0 ? 0 : sums.loss / normaliser,
    policyLoss: mean(sums.policyLoss),
    entropy: mean(sums.entropy),
    referenceKl: mean(sums.referenceKl),
    approximateKl: mean(sums.approximateKl),
    clipFraction: mean(sums.clipped),
    meanRatio: mean(sums.ratio),
    largestRatio,
    meanImportance: mean(sums.importance),
  };
}

function together(one: LossSums, other: LossSums): LossSums {
  return {
    count: one.count + other.count,
    loss: one.loss + other.loss,
    policyLoss: one.policyLoss + other.policyLoss,
    entropy: one.entropy + other.entropy,
    referenceKl: one.referenceKl + other.referenceKl,
    approximateKl: one.approximateKl + other.approximateKl,
    clipped: one.clipped + other.clipped,
    ratio: one.ratio + other.ratio,
    largestRatio: Math.max(one.largestRatio, other.largestRatio),
    importance: one.importance + other.importance,
  };
}
