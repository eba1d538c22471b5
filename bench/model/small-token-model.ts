import { createRng } from '../../envs/core/rng.ts';
import type { TensorBackend } from '../../models/backend/backend.ts';
import { uploadTensors } from '../../models/token/checkpoint.ts';
import { initialTransformerWeights } from '../../models/token/initial-weights.ts';
import { factorShapes, initialFactors, loraConfigSchema, type Adapter } from '../../models/token/lora.ts';
import type { TokenTraining } from '../../models/token/token-batch.ts';
import { TokenModel, type TokenModelSettingsInput } from '../../models/token/token-model.ts';
import type { TokenObjectiveInput } from '../../models/token/token-objective.ts';
import type { TransformerConfig } from '../../models/token/transformer-config.ts';
import { weightShapes } from '../../models/token/weight-layout.ts';

export const config: TransformerConfig = {
  family: 'llama',
  vocabulary: 512,
  width: 128,
  layers: 2,
  heads: 4,
  keyValueHeads: 4,
  headSize: 32,
  hiddenWidth: 344,
  ropeTheta: 10_000,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: true,
  attentionBias: false,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: false,
  longestContext: 256,
};
const smallBatch = { rows: 16, length: 128 };
export const { rows, length } = smallBatch;
export const lora = loraConfigSchema.parse({
  rank: 8,
  alpha: 16,
  targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
});

const objective: TokenObjectiveInput = { kind: 'policy', low: 0.2, high: 0.28 };
const step = { learningRate: 1e-4, maxGradNorm: 1, weightDecay: 0.01 };
const { signal } = new AbortController();

/** Whole rows of random tokens, all but the first of each written by the policy. */
export function randomTraining(
  { rows, length, vocabulary } = { ...smallBatch, vocabulary: config.vocabulary },
): TokenTraining {
  const rng = createRng(1).fork('tokens');
  const tokens = Int32Array.from({ length: rows * length }, () => Math.floor(vocabulary * rng.uniform()));
  const scored = Int32Array.from(tokens.keys()).filter((place) => place % length > 0);
  const values = (make: () => number): Float32Array => Float32Array.from(scored, make);
  const logprob = values(() => -Math.log(vocabulary));
  return {
    tokens,
    rowStart: Int32Array.from({ length: rows + 1 }, (_, row) => row * length),
    scored,
    advantage: values(() => 2 * rng.uniform() - 1),
    weight: values(() => 1),
    behaviourLogprob: logprob,
    proximalLogprob: logprob,
  };
}

/** With random weights, and an adapter in place of them where that is asked for. */
export async function openSmallModel(
  backend: TensorBackend,
  withAdapter: boolean,
  settings: TokenModelSettingsInput,
): Promise<TokenModel> {
  const weights = await uploadTensors(
    backend,
    weightShapes(config),
    Object.entries(initialTransformerWeights(config, createRng(1))),
  );
  const factors = withAdapter
    ? await uploadTensors(
        backend,
        factorShapes(config, lora),
        Object.entries(initialFactors(config, lora, createRng(2))),
      )
    : {};
  const adapter: Adapter | undefined = withAdapter ? { config: lora, factors } : undefined;
  return new TokenModel({
    backend,
    transformer: { config, weights, adapter },
    baseModel: { name: 'none' },
    settings,
  });
}

/** A whole step: forward, backward, AdamW. */
export async function update(model: TokenModel, batch: TokenTraining): Promise<void> {
  await model.accumulate(batch, objective, signal);
  await model.apply(step);
}

export const median = (of: readonly number[]): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN;
export const rounded = (value: number): number => Math.round(value * 10) / 10;
