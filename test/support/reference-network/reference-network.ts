import type { ChoiceBatch, ChoiceTraining } from '../../../models/choice/choice-batch.ts';
import type { ChoiceConfig } from '../../../models/choice/choice-config.ts';
import { mapWeights, weightNames, type ChoiceWeights } from '../../../models/choice/choice-weights.ts';
import type { Objective } from '../../../models/objectives/objective.ts';
import type { OptimiserStep } from '../../../models/policy-model.ts';
import { referenceLoss } from './reference-loss.ts';
import { constant, differentiate, total, type Scalar } from './scalar.ts';

/** A choice network in float64, as slow and as plain as can be: what every backend is checked against. */
export class ReferenceNetwork {
  readonly #config: ChoiceConfig;
  weights: ChoiceWeights<readonly number[]>;
  #first: ChoiceWeights<readonly number[]>;
  #second: ChoiceWeights<readonly number[]>;
  #step = 0;

  constructor(config: ChoiceConfig, weights: ChoiceWeights<ArrayLike<number>>) {
    this.#config = config;
    this.weights = mapWeights((name) => Array.from(weights[name]));
    this.#first = mapWeights((name) => Array.from(weights[name], () => 0));
    this.#second = this.#first;
  }

  logits(batch: ChoiceBatch): readonly number[] {
    return scores(this.#config, this.#scalars(), batch).map(({ value }) => value);
  }

  loss(training: ChoiceTraining, objective: Objective): number {
    return referenceLoss(scores(this.#config, this.#scalars(), training), training, objective).value;
  }

  gradient(training: ChoiceTraining, objective: Objective): ChoiceWeights<readonly number[]> {
    const scalars = this.#scalars();
    const derivatives = differentiate(
      referenceLoss(scores(this.#config, scalars, training), training, objective),
    );
    return mapWeights((name) => scalars[name].map((scalar) => derivatives.get(scalar) ?? 0));
  }

  /** Clips the gradient's length and takes one AdamW step along it (Loshchilov and Hutter 2019, algorithm 2). */
  apply(gradient: ChoiceWeights<readonly number[]>, step: OptimiserStep): { readonly gradNorm: number } {
    this.#step += 1;
    const gradNorm = Math.hypot(...weightNames.map((name) => Math.hypot(...gradient[name])));
    const scale = Math.min(1, step.maxGradNorm / (gradNorm + 1e-6));
    const slopes = mapWeights((name) => gradient[name].map((slope) => slope * scale));
    const { beta1, beta2 } = step;
    this.#first = mapWeights((name) =>
      this.#first[name].map((moment, at) => beta1 * moment + (1 - beta1) * (slopes[name][at] as number)),
    );
    this.#second = mapWeights((name) =>
      this.#second[name].map(
        (moment, at) => beta2 * moment + (1 - beta2) * (slopes[name][at] as number) ** 2,
      ),
    );
    this.weights = mapWeights((name) => {
      const decay = name.endsWith('Bias') ? 0 : step.weightDecay;
      return this.weights[name].map((weight, at) => {
        const first = (this.#first[name][at] as number) / (1 - beta1 ** this.#step);
        const second = (this.#second[name][at] as number) / (1 - beta2 ** this.#step);
        return weight - step.learningRate * (first / (Math.sqrt(second) + step.epsilon) + decay * weight);
      });
    });
    return { gradNorm };
  }

  #scalars(): ChoiceWeights<readonly Scalar[]> {
    return mapWeights((name) => this.weights[name].map(constant));
  }
}

/** The score of every candidate row. */
function scores(
  config: ChoiceConfig,
  weights: ChoiceWeights<readonly Scalar[]>,
  batch: ChoiceBatch,
): readonly Scalar[] {
  const units = (count: number): readonly number[] => Array.from({ length: count }, (_, unit) => unit);
  const logits: Scalar[] = [];
  for (let decision = 0; decision + 1 < batch.rowStart.length; decision += 1) {
    const state = batch.stateFeatures.subarray(batch.stateStart[decision], batch.stateStart[decision + 1]);
    for (
      let row = batch.rowStart[decision] as number;
      row < (batch.rowStart[decision + 1] as number);
      row += 1
    ) {
      const candidate = batch.candidateFeatures.subarray(
        batch.candidateStart[row],
        batch.candidateStart[row + 1],
      );
      const features = [...state, ...candidate];
      const input = units(config.width).map((unit) =>
        relu(
          total([
            at(weights.embeddingBias, unit),
            ...features.map((feature) => at(weights.embedding, feature * config.width + unit)),
          ]),
        ),
      );
      const hidden = units(config.hidden).map((unit) =>
        relu(
          total([
            at(weights.hiddenBias, unit),
            ...input.map((value, from) => value.times(at(weights.hidden, from * config.hidden + unit))),
          ]),
        ),
      );
      logits.push(total(hidden.map((value, unit) => value.times(at(weights.output, unit)))));
    }
  }
  return logits;
}

function relu(value: Scalar): Scalar {
  return constant(0).atLeast(value);
}

function at(values: readonly Scalar[], index: number): Scalar {
  return values[index] as Scalar;
}
