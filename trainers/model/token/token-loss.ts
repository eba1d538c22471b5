import { UsageError } from '../../../envs/core/errors.ts';
import { notFinite } from '../not-finite.ts';
import type { UpdateFigures } from '../policy-model.ts';
import { scoredStarts, type TokenTraining } from './token-batch.ts';
import type { ClippedTokenObjective, KlEstimator, TokenObjective } from './token-objective.ts';

/**
 * What one batch did, as means over its tokens by their `weight` unless said otherwise: the entropy is over the vocabulary, or over what
 * was allowed; `referenceKl` is the objective's estimate.
 */
export type TokenFigures = Omit<UpdateFigures, 'agreement'>;

/** Of scored tokens. */
export interface TokenValues {
  readonly logprob: Float32Array;
  /** In nats. */
  readonly entropy: Float32Array;
}

/** Bound on a log-ratio before it is exponentiated (F18): beyond it the ratio is constant. */
const largestLogRatio = 20;
/** The same above, for the ratio of a sequence (F19). */
const largestSequenceLogRatio = 10;
/** Bound on an estimate of the KL (F21). */
const largestKl = 10;

/** Sums over some rows of a batch: those of all of its rows make its figures. Numbers alone, so that they can cross to another thread. */
export interface LossSums {
  /** Tokens of weight above 0. */
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

/**
 * The loss of a batch, some rows at a time, and its derivatives by each token's log-probability and entropy. Worked out on the
 * processor in float64, so that every backend shares one objective. Log-probabilities are rounded to float32 as they are stored, so
 * that unchanged weights give ratios of exactly 1 and a KL of exactly 0.
 */
export class TokenLoss {
  readonly #training: TokenTraining;
  readonly #objective: TokenObjective;
  readonly #name: string;
  readonly #starts: Int32Array; // (R + 1)
  readonly #weightSum: number;
  readonly #normaliser: number;

  /** @param name the batch's in errors */
  constructor(training: TokenTraining, objective: TokenObjective, name: string) {
    if (objective.kind === 'clipped' && objective.klWeight > 0 && training.referenceLogprob === undefined) throw withoutReference(name);
    this.#training = training;
    this.#objective = objective;
    this.#name = name;
    this.#starts = scoredStarts(training);
    this.#weightSum = training.weight.reduce((total, weight) => total + weight, 0);
    this.#normaliser = training.normaliser ?? this.#weightSum;
  }

  /**
   * What rows add to the loss, and its derivatives by their values.
   * @param values of the scored tokens of these rows, in their order
   */
  of(rows: ArrayLike<number>, values: TokenValues): { readonly sums: LossSums; readonly slopes: TokenValues } {
    const totals = new Totals();
    const slopes = { logprob: new Float32Array(values.logprob.length), entropy: new Float32Array(values.entropy.length) };
    let at = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as number;
      const first = this.#starts[row] as number;
      const count = (this.#starts[row + 1] as number) - first;
      const logprobs = values.logprob.subarray(at, at + count);
      this.#assertFinite(first, logprobs);
      const sequenceLogRatio = this.#sequenceLogRatio(first, logprobs);
      for (let place = 0; place < count; place += 1) {
        const token = first + place;
        const weight = this.#training.weight[token] as number;
        if (weight === 0) continue;
        const [logprob, entropy] = [logprobs[place] as number, values.entropy[at + place] as number];
        const term = this.#term(token, logprob, sequenceLogRatio);
        const loss = term.policyLoss + term.klWeight * term.referenceKl - this.#objective.entropyWeight * entropy;
        if (!Number.isFinite(loss)) throw notFinite(this.#name, `loss of scored token ${token}`, loss);
        totals.add(term, { loss, entropy }, weight);
        slopes.logprob[at + place] = (term.slope * weight) / this.#normaliser;
        slopes.entropy[at + place] = (-this.#objective.entropyWeight * weight) / this.#normaliser;
      }
      at += count;
    }
    return { sums: totals.sums, slopes };
  }

  /** Of parts that are the whole batch together; their order decides how sums are rounded. */
  figures(parts: readonly LossSums[]): TokenFigures {
    const { count, largestRatio, ...sums } = parts.reduce(together, nothing);
    const mean = (total: number): number => (this.#weightSum === 0 ? 0 : total / this.#weightSum);
    return {
      count,
      weight: this.#weightSum,
      loss: this.#weightSum === 0 ? 0 : sums.loss / this.#normaliser,
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

  #assertFinite(first: number, logprobs: Float32Array): void {
    const at = logprobs.findIndex((logprob, place) => !Number.isFinite(logprob) && this.#training.weight[first + place] !== 0);
    if (at !== -1) throw notFinite(this.#name, `logprobs of scored token ${first + at}`, logprobs[at] as number);
  }

  /** Mean log-ratio of the row's trained tokens, where it is the sequence's that counts. */
  #sequenceLogRatio(first: number, logprobs: Float32Array): number | undefined {
    if (this.#objective.kind !== 'clipped' || this.#objective.ratio !== 'sequence') return undefined;
    let [total, count] = [0, 0];
    for (const [place, logprob] of logprobs.entries()) {
      if (this.#training.weight[first + place] === 0) continue;
      total += logprob - (this.#training.proximalLogprob[first + place] as number);
      count += 1;
    }
    return count === 0 ? 0 : total / count;
  }

  #term(token: number, logprob: number, sequenceLogRatio: number | undefined): TokenTerm {
    if (this.#objective.kind === 'imitate') return imitateTerm(logprob);
    const { advantage, proximalLogprob, behaviourLogprob, referenceLogprob } = this.#training;
    return clippedTerm(this.#objective, {
      logprob,
      advantage: advantage[token] as number,
      proximal: proximalLogprob[token] as number,
      behaviour: behaviourLogprob[token] as number,
      reference: referenceLogprob?.[token],
      sequenceLogRatio,
    });
  }
}

/** One token's loss, without its entropy. */
interface TokenTerm {
  readonly policyLoss: number;
  readonly referenceKl: number;
  readonly klWeight: number;
  /** The derivative of policy loss and weighted KL by the log-probability. */
  readonly slope: number;
  readonly ratio: number;
  readonly approximateKl: number;
  readonly importance: number;
  readonly clipped: boolean;
}

interface TokenFacts {
  readonly logprob: number;
  readonly advantage: number;
  readonly proximal: number;
  readonly behaviour: number;
  readonly reference: number | undefined;
  readonly sequenceLogRatio: number | undefined;
}

function imitateTerm(logprob: number): TokenTerm {
  return { policyLoss: -logprob, referenceKl: 0, klWeight: 0, slope: -1, ratio: 1, approximateKl: 0, importance: 1, clipped: false };
}

function clippedTerm(objective: ClippedTokenObjective, token: TokenFacts): TokenTerm {
  const { low, high, dualClip, klWeight, klEstimator, importanceCap } = objective;
  const { logprob, advantage, proximal, behaviour, reference, sequenceLogRatio } = token;
  const ownLogRatio = bounded(logprob - proximal, -largestLogRatio, largestLogRatio);
  const logRatio = sequenceLogRatio ?? logprob - proximal;
  const boundedLogRatio = bounded(logRatio, -largestLogRatio, sequenceLogRatio === undefined ? largestLogRatio : largestSequenceLogRatio);
  const ratio = Math.exp(boundedLogRatio);
  const open = -advantage * ratio;
  const held = -advantage * bounded(ratio, 1 - low, 1 + high);
  const ceiling = dualClip !== undefined && advantage < 0 ? -advantage * dualClip : Number.POSITIVE_INFINITY;
  const clipped = held > open || open > ceiling || logRatio !== boundedLogRatio;
  const importance = importanceCap === undefined ? 1 : Math.min(importanceCap, Math.exp(proximal - behaviour));
  const apart = reference === undefined ? 0 : logprob - reference;
  return {
    policyLoss: importance * Math.min(Math.max(open, held), ceiling),
    referenceKl: estimateKl(klEstimator, apart),
    klWeight,
    // The ratio is its own derivative by the log-probability; a sequence's counts as its token's own (F19). The KL has k2's (F21).
    slope: (clipped ? 0 : importance * open) + klWeight * apart,
    ratio,
    approximateKl: Math.expm1(ownLogRatio) - ownLogRatio,
    importance,
    clipped,
  };
}

/** @param apart log-probability of the current policy less that of the reference */
function estimateKl(estimator: KlEstimator, apart: number): number {
  switch (estimator) {
    case 'k1':
      return apart;
    case 'k2':
      return apart ** 2 / 2;
    case 'k3': {
      const back = bounded(-apart, -largestLogRatio, largestLogRatio);
      return Math.min(largestKl, Math.expm1(back) - back);
    }
    default:
      return estimator satisfies never;
  }
}

function bounded(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

const nothing: LossSums = { count: 0, loss: 0, policyLoss: 0, entropy: 0, referenceKl: 0, approximateKl: 0, clipped: 0, ratio: 0, largestRatio: 0, importance: 0 };

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

/** Adds up over tokens. */
class Totals {
  readonly #sums: { -readonly [Name in keyof LossSums]: LossSums[Name] } = { ...nothing };

  get sums(): LossSums {
    return this.#sums;
  }

  add(term: TokenTerm, { loss, entropy }: { readonly loss: number; readonly entropy: number }, weight: number): void {
    const sums = this.#sums;
    sums.count += 1;
    sums.loss += weight * loss;
    sums.policyLoss += weight * term.policyLoss;
    sums.entropy += weight * entropy;
    sums.referenceKl += weight * term.referenceKl;
    sums.approximateKl += weight * term.approximateKl;
    sums.clipped += term.clipped ? weight : 0;
    sums.ratio += weight * term.ratio;
    sums.largestRatio = Math.max(sums.largestRatio, term.ratio);
    sums.importance += weight * term.importance;
  }
}

function withoutReference(name: string): UsageError {
  return new UsageError({
    where: `${name}, referenceLogprob`,
    what: 'the objective has a klWeight, but the batch has no log-probabilities of a reference policy.',
    mend: 'Give the batch the referenceLogprob of its scored tokens, or set klWeight to 0.',
  });
}
