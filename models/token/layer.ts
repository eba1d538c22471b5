import { add, reshape, tidy, type Tensor2D } from '@tensorflow/tfjs-core';
import { project, projectGradient, type Parameters } from './linear.ts';
import {
  attention,
  attentionGradient,
  type AttentionInput,
  type AttentionOutput,
  type Sight,
} from './operations/attention.ts';
import { gate, gateGradient } from './operations/gate.ts';
import { rmsNorm, rmsNormGradient } from './operations/rms-norm.ts';
import { rotate, rotateGradient, type Rotation } from './operations/rotate.ts';
import type { TransformerConfig } from './transformer-config.ts';
import { layerPath, projectionPaths, tensorNamed, type NamedTensors } from './weight-layout.ts';

/** What one layer computes with. */
export interface LayerContext extends Parameters {
  readonly config: TransformerConfig;
  readonly layer: number;
  readonly rotation: Rotation;
  readonly sight: Sight;
}

/** Keys and values, rotated where they are to be: (S, keyValueHeads d) each. */
export interface KeysAndValues {
  readonly key: Tensor2D;
  readonly value: Tensor2D;
}

/** What the backward pass of a layer needs, besides its input. */
export type LayerActivations = {
  readonly normed: Tensor2D; // (T, width)
  /** Before the norm of every head, where there is one. */
  readonly unnormed: { readonly query: Tensor2D; readonly key: Tensor2D } | undefined;
  readonly query: Tensor2D; // (T, heads d)
  readonly key: Tensor2D; // (T, keyValueHeads d)
  readonly value: Tensor2D; // (T, keyValueHeads d)
  readonly attended: AttentionOutput;
  readonly middle: Tensor2D; // (T, width), between attention and feed-forward part
  readonly middleNormed: Tensor2D; // (T, width)
  readonly gating: Tensor2D; // (T, hiddenWidth)
  readonly up: Tensor2D; // (T, hiddenWidth)
};

/**
 * One layer over packed tokens: attention, then the gated feed-forward part, each added to its input after a norm of it.
 * @param seen gives the keys and values that queries look at, from those of these tokens, which a cache adds to its own
 */
export function layerForward(
  context: LayerContext,
  input: Tensor2D,
  seen: (fresh: KeysAndValues) => KeysAndValues = (fresh) => fresh,
): { readonly output: Tensor2D; readonly activations: LayerActivations } {
  const normed = norm(context, 'input_layernorm', input);
  const rawQuery = projected(context, 'q_proj', normed);
  const rawKey = projected(context, 'k_proj', normed);
  const { heads, keyValueHeads } = context.config;
  const query = rotate(headNorm(context, 'q_norm', rawQuery), context.rotation, heads);
  const key = rotate(headNorm(context, 'k_norm', rawKey), context.rotation, keyValueHeads);
  const value = projected(context, 'v_proj', normed);
  const attended = attention(attentionInput(context, query, seen({ key, value })));
  const middle = add<Tensor2D>(input, projected(context, 'o_proj', attended.output));
  const middleNormed = norm(context, 'post_attention_layernorm', middle);
  const gating = projected(context, 'gate_proj', middleNormed);
  const up = projected(context, 'up_proj', middleNormed);
  const output = add<Tensor2D>(middle, projected(context, 'down_proj', gate(gating, up)));
  const unnormed = context.config.queryKeyNorm ? { query: rawQuery, key: rawKey } : undefined;
  return {
    output,
    activations: { normed, unnormed, query, key, value, attended, middle, middleNormed, gating, up },
  };
}

/** The gradient of {@link layerForward} by its input, and by name those of what is trained. */
export function layerBackward(
  context: LayerContext,
  input: Tensor2D,
  activations: LayerActivations,
  gradient: Tensor2D, // (T, width)
): { readonly input: Tensor2D; readonly trained: NamedTensors } {
  // Each half frees what it used before the next one begins: this is where a training step holds most.
  const feedForward = tidy(() => feedForwardBackward(context, activations, gradient));
  const attended = tidy(() => attentionBackward(context, activations, feedForward.middle));
  const normed = normGradient(context, 'input_layernorm', input, attended.normed);
  return {
    input: add(feedForward.middle, normed.x),
    trained: { ...feedForward.trained, ...attended.trained, ...normed.trained },
  };
}

function feedForwardBackward(
  context: LayerContext,
  { middle, middleNormed, gating, up }: LayerActivations,
  gradient: Tensor2D,
): { readonly middle: Tensor2D; readonly trained: NamedTensors } {
  const down = projectedGradient(context, 'down_proj', gate(gating, up), gradient);
  const gated = gateGradient(gating, up, down.x);
  const throughGate = projectedGradient(context, 'gate_proj', middleNormed, gated.gating);
  const throughUp = projectedGradient(context, 'up_proj', middleNormed, gated.up);
  const normed = normGradient(context, 'post_attention_layernorm', middle, add(throughGate.x, throughUp.x));
  return {
    middle: add(gradient, normed.x),
    trained: { ...down.trained, ...throughGate.trained, ...throughUp.trained, ...normed.trained },
  };
}

function attentionBackward(
  context: LayerContext,
  activations: LayerActivations,
  gradient: Tensor2D,
): { readonly normed: Tensor2D; readonly trained: NamedTensors } {
  const { normed, unnormed, query, attended } = activations;
  const { heads, keyValueHeads } = context.config;
  const output = projectedGradient(context, 'o_proj', attended.output, gradient);
  const over = attentionGradient(attentionInput(context, query, activations), attended, output.x);
  const queryNorm = headNormGradient(
    context,
    'q_norm',
    unnormed?.query,
    rotateGradient(over.query, context.rotation, heads),
  );
  const keyNorm = headNormGradient(
    context,
    'k_norm',
    unnormed?.key,
    rotateGradient(over.key, context.rotation, keyValueHeads),
  );
  const throughQuery = projectedGradient(context, 'q_proj', normed, queryNorm.x);
  const throughKey = projectedGradient(context, 'k_proj', normed, keyNorm.x);
  const throughValue = projectedGradient(context, 'v_proj', normed, over.value);
  return {
    normed: add(add<Tensor2D>(throughQuery.x, throughKey.x), throughValue.x),
    trained: {
      ...output.trained,
      ...queryNorm.trained,
      ...keyNorm.trained,
      ...throughQuery.trained,
      ...throughKey.trained,
      ...throughValue.trained,
    },
  };
}

function attentionInput(
  { config, sight }: LayerContext,
  query: Tensor2D,
  { key, value }: KeysAndValues,
): AttentionInput {
  return { ...sight, query, key, value, heads: config.heads, keyValueHeads: config.keyValueHeads };
}

function projected(context: LayerContext, projection: keyof typeof projectionPaths, x: Tensor2D): Tensor2D {
  return project(context, layerPath(context.layer, projectionPaths[projection]), x);
}

function projectedGradient(
  context: LayerContext,
  projection: keyof typeof projectionPaths,
  x: Tensor2D,
  gradient: Tensor2D,
): ReturnType<typeof projectGradient> {
  return projectGradient(context, layerPath(context.layer, projectionPaths[projection]), x, gradient);
}

type NormName = 'input_layernorm' | 'post_attention_layernorm' | 'self_attn.q_norm' | 'self_attn.k_norm';

function norm({ config, weights, layer }: LayerContext, name: NormName, x: Tensor2D): Tensor2D {
  return rmsNorm(x, tensorNamed(weights, layerPath(layer, `${name}.weight`)), config.normEpsilon);
}

function normGradient(
  context: LayerContext,
  name: NormName,
  x: Tensor2D,
  gradient: Tensor2D,
): { readonly x: Tensor2D; readonly trained: NamedTensors } {
  const path = layerPath(context.layer, `${name}.weight`);
  const over = rmsNormGradient(x, tensorNamed(context.weights, path), context.config.normEpsilon, gradient);
  return { x: over.x, trained: context.adapter === undefined ? { [path]: over.scale } : {} };
}

/** Each head normed by itself, in families that do so. */
function headNorm(context: LayerContext, name: 'q_norm' | 'k_norm', x: Tensor2D): Tensor2D {
  if (!context.config.queryKeyNorm) return x;
  return reshape(norm(context, `self_attn.${name}`, byHead(context, x)), x.shape);
}

function headNormGradient(
  context: LayerContext,
  name: 'q_norm' | 'k_norm',
  x: Tensor2D | undefined,
  gradient: Tensor2D,
): { readonly x: Tensor2D; readonly trained: NamedTensors } {
  if (x === undefined) return { x: gradient, trained: {} };
  const over = normGradient(context, `self_attn.${name}`, byHead(context, x), byHead(context, gradient));
  return { x: reshape(over.x, x.shape), trained: over.trained };
}

/** (T, heads d) to (T heads, d). */
function byHead({ config }: LayerContext, x: Tensor2D): Tensor2D {
  return reshape(x, [-1, config.headSize]);
}
