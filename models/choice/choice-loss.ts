import { UsageError } from '../../envs/core/errors.ts';
import { policyTerm, surrogateOf } from '../objectives/policy-term.ts';
import { k3, type Surrogate, type SurrogateFacts } from '../objectives/surrogate.ts';
import { figuresOf, LossTotals, type LossTerm } from '../loss-totals.ts';
import { notFinite } from '../not-finite.ts';
import type { PolicyObjective, ImitateObjective, Objective } from '../objectives/objective.ts';
import type { UpdateFigures } from '../policy-model.ts';
import type { ChoiceTraining } from './choice-batch.ts';
import { rowLogSoftmax } from './row-softmax.ts';

export interface ChoiceLoss {
  readonly figures: UpdateFigures;
  /** Of the loss, by the logits. */
  readonly gradient: Float32Array; // (R)
}

/**
 * Loss and its gradient by the logits, worked out on the processor in float64: R numbers are few beside the network, and so
 * every backend shares one objective, exact on ragged sets. Log-probabilities are rounded to float32 as they are stored, so
 * that unchanged weights give ratios of exactly 1 and a KL of exactly 0.
 */
export function choiceLoss(
  logits: Float32Array,
  training: ChoiceTraining,
  objective: Objective,
  name: string,
): ChoiceLoss {
  if (objective.kind === 'policy' && objective.klWeight > 0 && training.referenceLogprobs === undefined)
    throw withoutReference(name);
  const termOf = termsOf(objective, training);
  const logprobs = rowLogSoftmax(logits, training.rowStart, objective.temperature);
  const gradient = new Float32Array(logits.length);
  const totals = new LossTotals();
  let agreement = 0;
  const decisions = training.rowStart.length - 1;
  const weightSum = sum(training.weight);
  const normaliser = training.normaliser ?? weightSum;
  for (let decision = 0; decision < decisions; decision += 1) {
    const weight = training.weight[decision] as number;
    if (weight === 0) continue;
    const rows = rowsOfDecision(logprobs, training, decision);
    if (!Number.isFinite(rows.chosenLogprob))
      throw notFinite(name, `logprobs of decision ${decision}`, rows.chosenLogprob);
    const term = termOf(rows, decision);
    if (!Number.isFinite(term.loss)) throw notFinite(name, `loss of decision ${decision}`, term.loss);
    totals.add(term, weight);
    agreement += rows.logprobs.every((logprob) => logprob <= rows.chosenLogprob) ? weight : 0;
    writeGradient(gradient, rows, term, weight / normaliser / objective.temperature);
  }
  const figures = {
    ...figuresOf([totals.sums], weightSum, normaliser),
    agreement: weightSum === 0 ? 0 : agreement / weightSum,
  };
  return { figures, gradient };
}

/** One decision's distribution. */
interface DecisionRows {
  readonly from: number;
  readonly logprobs: Float32Array; // (candidates)
  readonly reference: Float32Array | undefined; // (candidates)
  readonly chosen: number;
  readonly chosenLogprob: number;
  readonly entropy: number;
  readonly referenceKl: number;
}

/** One decision's loss and how it depends on the distribution p over its candidates. */
interface DecisionTerm extends LossTerm {
  /** The loss's derivative by the log-probability of the chosen candidate. */
  readonly slope: number;
  /** The same by the mean log-probability of all candidates. */
  readonly smoothSlope: number;
  readonly entropyWeight: number;
  readonly klWeight: number;
}

function rowsOfDecision(all: Float32Array, training: ChoiceTraining, decision: number): DecisionRows {
  const from = training.rowStart[decision] as number;
  const to = training.rowStart[decision + 1] as number;
  const logprobs = all.subarray(from, to);
  const reference = training.referenceLogprobs?.subarray(from, to);
  const chosen = training.chosen[decision] as number;
  let entropy = 0;
  let referenceKl = 0;
  for (let row = 0; row < logprobs.length; row += 1) {
    const logprob = logprobs[row] as number;
    const probability = Math.exp(logprob);
    entropy -= probability * logprob;
    if (reference !== undefined) referenceKl += probability * (logprob - (reference[row] as number));
  }
  return {
    from,
    logprobs,
    reference,
    chosen,
    chosenLogprob: logprobs[chosen] as number,
    entropy,
    referenceKl,
  };
}

/** The loss of one decision under an objective. */
function termsOf(
  objective: Objective,
  training: ChoiceTraining,
): (rows: DecisionRows, decision: number) => DecisionTerm {
  if (objective.kind === 'imitate') return (rows) => imitateTerm(rows, objective);
  const surrogate = surrogateOf(objective);
  return (rows, decision) => policyDecision(rows, training, decision, { objective, surrogate });
}

function imitateTerm(
  { chosenLogprob, logprobs, entropy, referenceKl }: DecisionRows,
  { labelSmoothing, entropyWeight }: ImitateObjective,
): DecisionTerm {
  const crossEntropy =
    -(1 - labelSmoothing) * chosenLogprob - labelSmoothing * (sum(logprobs) / logprobs.length);
  return {
    loss: crossEntropy - entropyWeight * entropy,
    policyLoss: crossEntropy,
    slope: labelSmoothing - 1,
    smoothSlope: -labelSmoothing,
    entropy,
    entropyWeight,
    referenceKl,
    klWeight: 0,
    approximateKl: 0,
    ratio: 1,
    importance: 1,
    clipped: false,
  };
}

function policyDecision(
  { chosenLogprob, entropy, referenceKl }: DecisionRows,
  training: ChoiceTraining,
  decision: number,
  {
    objective,
    surrogate,
  }: {
    readonly objective: PolicyObjective;
    readonly surrogate: (facts: SurrogateFacts) => Surrogate;
  },
): DecisionTerm {
  const { klWeight, entropyWeight } = objective;
  const proximal = training.proximalLogprob[decision] as number;
  const logRatio = chosenLogprob - proximal;
  const { loss, ...term } = policyTerm(surrogate, objective.importanceCap, {
    advantage: training.advantage[decision] as number,
    logRatio,
    proximal,
    behaviour: training.behaviourLogprob[decision] as number,
  });
  return {
    ...term,
    loss: loss + klWeight * referenceKl - entropyWeight * entropy,
    policyLoss: loss,
    smoothSlope: 0,
    entropy,
    entropyWeight,
    referenceKl,
    klWeight,
    approximateKl: k3(logRatio),
  };
}

/**
 * By the scaled logit z of candidate j: of the chosen log-probability it is [j = chosen] - p, of the mean log-probability
 * 1/n - p, of the entropy -p (log p + H), of the KL p (log p - log q - KL).
 */
function writeGradient(gradient: Float32Array, rows: DecisionRows, term: DecisionTerm, scale: number): void {
  const { slope, smoothSlope, entropyWeight, klWeight } = term;
  const count = rows.logprobs.length;
  for (let row = 0; row < count; row += 1) {
    const logprob = rows.logprobs[row] as number;
    const probability = Math.exp(logprob);
    let value = slope * ((row === rows.chosen ? 1 : 0) - probability);
    if (smoothSlope !== 0) value += smoothSlope * (1 / count - probability);
    if (entropyWeight !== 0) value += entropyWeight * probability * (logprob + rows.entropy);
    if (klWeight !== 0 && rows.reference !== undefined) {
      value += klWeight * probability * (logprob - (rows.reference[row] as number) - rows.referenceKl);
    }
    gradient[rows.from + row] = value * scale;
  }
}

function sum(values: Float32Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] as number;
  return total;
}

function withoutReference(name: string): UsageError {
  return new UsageError({
    where: `${name}, referenceLogprobs`,
    what: 'the objective has a klWeight, but the batch has no log-probabilities of a reference policy.',
    fix: 'Give the batch referenceLogprobs of the whole admissible set, or set klWeight to 0.',
  });
}
