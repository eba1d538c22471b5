import { add, tidy, type Tensor2D } from '@tensorflow/tfjs-core';
import { isBfloat16 } from '../kernels/bfloat16.ts';
import {
  layerBackward,
  layerForward,
  type KeysAndValues,
  type LayerActivations,
  type LayerContext,
} from './layer.ts';
import type { Parameters } from './linear.ts';
import { embed, embedGradient } from './operations/embed.ts';
import { rmsNorm, rmsNormGradient } from './operations/rms-norm.ts';
import type { Rotation } from './operations/rotate.ts';
import { assertTokensFit, type PackedTokens } from './packed-tokens.ts';
import { rotationAt } from './rope.ts';
import type { TransformerConfig } from './transformer-config.ts';
import {
  embeddingName,
  lastNormName,
  outputName,
  tensorNamed,
  type NamedTensors,
  type Precision,
} from './weight-layout.ts';

/** A decoder-only transformer on its backend. */
export interface Transformer extends Parameters {
  readonly config: TransformerConfig;
}

/** What the weights are held in. */
export const precisionOf = ({ weights }: Pick<Transformer, 'weights'>): Precision =>
  isBfloat16(tensorNamed(weights, embeddingName)) ? 'bf16' : 'float32';

/** What the backward pass needs of the forward pass. */
export type Activations = {
  readonly rotation: Rotation;
  /** Each layer's input; what else it computed, unless that is recomputed. */
  readonly layers: { readonly input: Tensor2D; readonly kept: LayerActivations | undefined }[];
  /** Of the last norm. */
  readonly last: Tensor2D; // (T, width)
};

export interface ForwardOptions {
  /** Keep only the layers' inputs and compute each layer again in the backward pass: less memory, a third more work. */
  readonly recompute: boolean;
}

/**
 * Hidden states after the last norm, (T, width), and what {@link backward} needs. To be called within the backend's `run`, as
 * all functions here. Throws a `UsageError` for tokens that do not fit the model.
 */
export function forward(
  model: Transformer,
  tokens: PackedTokens,
  options: ForwardOptions,
): { readonly hidden: Tensor2D; readonly activations: Activations } {
  assertTokensFit(tokens, model.config);
  const rotation = rotationAt(tokens.positions, model.config);
  const layers: Activations['layers'] = [];
  let last = embed(tensorNamed(model.weights, embeddingName), tokens.ids);
  for (let layer = 0; layer < model.config.layers; layer += 1) {
    const input = last;
    const made = tidy(() => {
      const { output, activations } = layerForward(contextOf(model, layer, rotation, tokens), input);
      return { output, kept: options.recompute ? undefined : activations };
    });
    layers.push({ input, kept: made.kept });
    last = made.output;
  }
  return {
    hidden: rmsNorm(last, tensorNamed(model.weights, lastNormName), model.config.normEpsilon),
    activations: { rotation, layers, last },
  };
}

/**
 * Hidden states after the last norm of tokens that see what came before them in a cache: nothing is kept for a backward pass.
 * @param seen puts a layer's fresh keys and values into the cache and returns all of it, with tensors that outlive the scope; `from` and
 * `until` are places in it
 */
export function forwardWithCache(
  model: Transformer,
  tokens: PackedTokens,
  seen: (layer: number, fresh: KeysAndValues) => KeysAndValues,
): Tensor2D {
  assertTokensFit(tokens, model.config);
  const rotation = rotationAt(tokens.positions, model.config);
  let hidden = embed(tensorNamed(model.weights, embeddingName), tokens.ids);
  for (let layer = 0; layer < model.config.layers; layer += 1) {
    const input = hidden;
    hidden = tidy(
      () =>
        layerForward(contextOf(model, layer, rotation, tokens), input, (fresh) => seen(layer, fresh)).output,
    );
  }
  return rmsNorm(hidden, tensorNamed(model.weights, lastNormName), model.config.normEpsilon);
}

/** The gradient of a loss by what the head saw and, where weights are trained, by the head's table. */
export type HeadGradient = {
  readonly hidden: Tensor2D; // (T, width)
  readonly table: Tensor2D | undefined; // (V, width)
};

/** Gradients by name of what is trained: the adapter's factors where there is one, else all weights. */
export function backward(
  model: Transformer,
  tokens: PackedTokens,
  activations: Activations,
  head: HeadGradient,
): NamedTensors {
  const { config, weights, adapter } = model;
  const norm = rmsNormGradient(
    activations.last,
    tensorNamed(weights, lastNormName),
    config.normEpsilon,
    head.hidden,
  );
  let over = norm.x;
  const gradients: Record<string, Tensor2D> = adapter === undefined ? { [lastNormName]: norm.scale } : {};
  for (const [layer, { input, kept }] of [...activations.layers.entries()].reverse()) {
    const before = over;
    const made = tidy(() => {
      const context = contextOf(model, layer, activations.rotation, tokens);
      return layerBackward(
        context,
        input,
        kept ?? tidy(() => layerForward(context, input).activations),
        before,
      );
    });
    before.dispose();
    over = made.input;
    Object.assign(gradients, made.trained);
  }
  if (adapter !== undefined) return gradients;
  gradients[embeddingName] = embedGradient(over, tokens.ids, config.vocabulary);
  if (head.table === undefined)
    throw new TypeError('all weights are trained, but the gradient of the head is missing');
  const output = outputName(config);
  const sofar = gradients[output];
  gradients[output] = sofar === undefined ? head.table : add<Tensor2D>(sofar, head.table);
  return gradients;
}

function contextOf(
  { config, weights, adapter, turned }: Transformer,
  layer: number,
  rotation: Rotation,
  { from, until }: PackedTokens,
): LayerContext {
  return { config, weights, adapter, turned, layer, rotation, sight: { from, until } };
}
