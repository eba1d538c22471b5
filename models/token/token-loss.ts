import { UsageError } from '../../envs/core/errors.ts';
import { policyTerm, surrogateOf } from '../objectives/policy-term.ts';
import { k3, type Surrogate, type SurrogateFacts } from '../objectives/surrogate.ts';
import { figuresOf, LossTotals, type LossSums, type LossTerm } from '../loss-totals.ts';
import { notFinite } from '../not-finite.ts';
import type { UpdateFigures } from '../policy-model.ts';
import { scoredStarts, type TokenTraining } from './token-batch.ts';
import type { PolicyTokenObjective, KlEstimator, TokenObjective } from './token-objective.ts';

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

/** Bound from above on the log-ratio of a sequence (GSPO, Zheng et al. 2025). */
const largestSequenceLogRatio = 10;
/** Bound on an estimate of the KL. */
const largestKl = 10;

/**
 * The loss of a batch, some rows at a time, and its derivatives by each token's log-probability and entropy. Worked out on the
 * processor in float64, so that every backend shares one objective. Log-probabilities are rounded to float32 as they are stored, so
 * that unchanged weights give ratios of exactly 1 and a KL of exactly 0.
 */
export class TokenLoss {
  readonly #training: TokenTraining;
  readonly #objective: TokenObjective;
  readonly #surrogate: ((facts: SurrogateFacts) => Surrogate) | undefined;
  readonly #name: string;
  readonly #starts: Int32Array; // (R + 1)
  readonly #weightSum: number;
  readonly #normaliser: number;

  /** @param name the batch's in errors */
  constructor(training: TokenTraining, objective: TokenObjective, name: string) {
    if (objective.kind === 'policy' && objective.klWeight > 0 && training.referenceLogprob === undefined)
      throw withoutReference(name);
    this.#training = training;
    this.#objective = objective;
    this.#surrogate = objective.kind === 'policy' ? surrogateOf(objective) : undefined;
    this.#name = name;
    this.#starts = scoredStarts(training);
    this.#weightSum = training.weight.reduce((total, weight) => total + weight, 0);
    this.#normaliser = training.normaliser ?? this.#weightSum;
  }

  /**
   * What rows add to the loss, and its derivatives by their values.
   * @param values of the scored tokens of these rows, in their order
   */
  of(
    rows: ArrayLike<number>,
    values: TokenValues,
  ): { readonly sums: LossSums; readonly slopes: TokenValues } {
    const totals = new LossTotals();
    const slopes = {
      logprob: new Float32Array(values.logprob.length),
      entropy: new Float32Array(values.entropy.length),
    };
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
        const loss =
          term.policyLoss + term.klWeight * term.referenceKl - this.#objective.entropyWeight * entropy;
        if (!Number.isFinite(loss)) throw notFinite(this.#name, `loss of scored token ${token}`, loss);
        totals.add({ ...term, loss, entropy }, weight);
        slopes.logprob[at + place] = (term.slope * weight) / this.#normaliser;
        slopes.entropy[at + place] = (-this.#objective.entropyWeight * weight) / this.#normaliser;
      }
      at += count;
    }
    return { sums: totals.sums, slopes };
  }

  /** Of parts that are the whole batch together; their order decides how sums are rounded. */
  figures(parts: readonly LossSums[]): TokenFigures {
    return figuresOf(parts, this.#weightSum, this.#normaliser);
  }

  #assertFinite(first: number, logprobs: Float32Array): void {
    const at = logprobs.findIndex(
      (logprob, place) => !Number.isFinite(logprob) && this.#training.weight[first + place] !== 0,
    );
    if (at !== -1)
      throw notFinite(this.#name, `logprobs of scored token ${first + at}`, logprobs[at] as number);
  }

  /** Mean log-ratio of the row's trained tokens, where it is the sequence's that counts. */
  #sequenceLogRatio(first: number, logprobs: Float32Array): number | undefined {
    if (this.#objective.kind !== 'policy' || this.#objective.ratio !== 'sequence') return undefined;
    let [total, count] = [0, 0];
    for (const [place, logprob] of logprobs.entries()) {
      if (this.#training.weight[first + place] === 0) continue;
      total += logprob - (this.#training.proximalLogprob[first + place] as number);
      count += 1;
    }
    return count === 0 ? 0 : total / count;
  }

  #term(token: number, logprob: number, sequenceLogRatio: number | undefined): TokenTerm {
    if (this.#objective.kind === 'imitate' || this.#surrogate === undefined) return imitateTerm(logprob);
    const { advantage, proximalLogprob, behaviourLogprob, referenceLogprob } = this.#training;
    return sampledTerm(this.#objective, this.#surrogate, {
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
interface TokenTerm extends Omit<LossTerm, 'loss' | 'entropy'> {
  readonly klWeight: number;
  /** The derivative of policy loss and weighted KL by the log-probability. */
  readonly slope: number;
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
  return {
    policyLoss: -logprob,
    referenceKl: 0,
    klWeight: 0,
    slope: -1,
    ratio: 1,
    approximateKl: 0,
    importance: 1,
    clipped: false,
  };
}

function sampledTerm(
  objective: PolicyTokenObjective,
  surrogate: (facts: SurrogateFacts) => Surrogate,
  { logprob, reference, sequenceLogRatio, ...token }: TokenFacts,
): TokenTerm {
  const ownLogRatio = logprob - token.proximal;
  const ofSequence =
    sequenceLogRatio === undefined
      ? { logRatio: ownLogRatio }
      : { logRatio: sequenceLogRatio, ceiling: largestSequenceLogRatio };
  const { loss, slope, ...term } = policyTerm(surrogate, objective.importanceCap, {
    ...token,
    ...ofSequence,
  });
  const apart = reference === undefined ? 0 : logprob - reference;
  return {
    ...term,
    policyLoss: loss,
    referenceKl: estimateKl(objective.klEstimator, apart),
    klWeight: objective.klWeight,
    slope: slope + objective.klWeight * apart, // a sequence's ratio counts as its token's own (GSPO, eq. 14); the KL has k2's derivative
    approximateKl: k3(ownLogRatio),
  };
}

/** @param apart log-probability of the current policy less that of the reference */
function estimateKl(estimator: KlEstimator, apart: number): number {
  switch (estimator) {
    case 'k1':
      return apart;
    case 'k2':
      return apart ** 2 / 2;
    case 'k3':
      return Math.min(largestKl, k3(-apart));
    default:
      return estimator satisfies never;
  }
}

function withoutReference(name: string): UsageError {
  return new UsageError({
    where: `${name}, referenceLogprob`,
    what: 'the objective has a klWeight, but the batch has no log-probabilities of a reference policy.',
    fix: 'Give the batch the referenceLogprob of its scored tokens, or set klWeight to 0.',
  });
}
