import type { ChoiceTraining } from '../../../models/choice/choice-batch.ts';
import type { PolicyObjective, Objective } from '../../../models/objectives/objective.ts';
import { constant, total, type Scalar } from './scalar.ts';

/** The loss of a batch as its definition reads, term by term, with nothing simplified. */
export function referenceLoss(
  logits: readonly Scalar[],
  training: ChoiceTraining,
  objective: Objective,
): Scalar {
  const terms: Scalar[] = [];
  let weightSum = 0;
  for (let decision = 0; decision + 1 < training.rowStart.length; decision += 1) {
    const weight = training.weight[decision] as number;
    weightSum += weight;
    if (weight !== 0) terms.push(decisionLoss(logits, training, objective, decision).scaled(weight));
  }
  return total(terms).scaled(1 / (training.normaliser ?? weightSum));
}

function decisionLoss(
  logits: readonly Scalar[],
  training: ChoiceTraining,
  objective: Objective,
  decision: number,
): Scalar {
  const from = training.rowStart[decision] as number;
  const to = training.rowStart[decision + 1] as number;
  const logprobs = logSoftmax(logits.slice(from, to), objective.temperature);
  const chosen = logprobs[training.chosen[decision] as number] as Scalar;
  const entropy = total(logprobs.map((logprob) => logprob.exponential().times(logprob))).scaled(-1);
  const bonus = entropy.scaled(-objective.entropyWeight);
  if (objective.kind === 'imitate') {
    const target = (at: number): number =>
      (at === training.chosen[decision] ? 1 - objective.labelSmoothing : 0) +
      objective.labelSmoothing / logprobs.length;
    return total(logprobs.map((logprob, at) => logprob.scaled(-target(at)))).plus(bonus);
  }
  const policyLoss = clippedLoss(chosen, training, objective, decision);
  const reference = training.referenceLogprobs?.subarray(from, to);
  if (reference === undefined) return policyLoss.plus(bonus);
  const kl = total(
    logprobs.map((logprob, at) =>
      logprob.exponential().times(logprob.minus(constant(reference[at] as number))),
    ),
  );
  return policyLoss.plus(bonus).plus(kl.scaled(objective.klWeight));
}

function logSoftmax(logits: readonly Scalar[], temperature: number): readonly Scalar[] {
  const scaled = logits.map((logit) => logit.scaled(1 / temperature));
  const largest = constant(Math.max(...scaled.map(({ value }) => value))); // cancels, so its gradient may be left out
  const logSum = total(scaled.map((logit) => logit.minus(largest).exponential())).logarithm();
  return scaled.map((logit) => logit.minus(largest).minus(logSum));
}

function clippedLoss(
  chosen: Scalar,
  training: ChoiceTraining,
  objective: PolicyObjective,
  decision: number,
): Scalar {
  const advantage = training.advantage[decision] as number;
  const proximal = training.proximalLogprob[decision] as number;
  const behaviour = training.behaviourLogprob[decision] as number;
  const ratio = clamp(chosen.minus(constant(proximal)), -20, 20).exponential();
  const open = ratio.scaled(-advantage);
  const bounded = clamp(ratio, 1 - objective.low, 1 + objective.high).scaled(-advantage);
  const pessimistic = open.atLeast(bounded);
  const isBoundedAgain = objective.dualClip !== undefined && advantage < 0;
  const loss = isBoundedAgain
    ? pessimistic.atMost(constant(-advantage * (objective.dualClip ?? 1)))
    : pessimistic;
  if (objective.importanceCap === undefined) return loss;
  return loss.scaled(Math.min(objective.importanceCap, Math.exp(proximal - behaviour)));
}

function clamp(value: Scalar, low: number, high: number): Scalar {
  return value.atLeast(constant(low)).atMost(constant(high));
}
