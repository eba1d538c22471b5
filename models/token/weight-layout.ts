import type { Tensor2D } from '@tensorflow/tfjs-core';
import type { TransformerConfig } from './transformer-config.ts';

/** Tensors by the names that Hugging Face gives them; what is a vector in a file is one row here. Frozen matrices may be bfloat16. */
export type NamedTensors = Readonly<Record<string, Tensor2D>>;
/** The same on the processor's side. */
export type NamedValues = Readonly<Record<string, Float32Array>>;

/** What frozen weights and a cache of keys and values are held in. bfloat16 has the upper 16 bits of a float32. */
export const precisions = ['float32', 'bf16'] as const;
export type Precision = (typeof precisions)[number];
/** What all weights of those shapes take: bfloat16 applies to matrices alone, biases and norms stay float32. */
export function bytesOfShapes(shapes: Iterable<StoredShape>, precision: Precision = 'float32'): number {
  let bytes = 0;
  for (const shape of shapes) {
    const each = isHeldIn(precision, shape) ? 2 : Float32Array.BYTES_PER_ELEMENT;
    bytes += each * shape.reduce((product, size) => product * size, 1);
  }
  return bytes;
}

/** Whether a weight of that shape is held in bfloat16. */
export const isHeldIn = (precision: Precision, [, columns]: StoredShape): boolean =>
  precision === 'bf16' && columns !== undefined && columns % 2 === 0;

/** A matrix is (out, in), as files hold it. */
export type StoredShape = readonly [length: number] | readonly [rows: number, columns: number];

export const embeddingName = 'model.embed_tokens.weight';
export const lastNormName = 'model.norm.weight';
export const headName = 'lm_head.weight';

/** The weight that turns hidden states into logits: with tied embeddings the embedding itself. */
export function outputName(config: TransformerConfig): string {
  return config.tied ? embeddingName : headName;
}

/** Projections of a layer by the names of their modules, with the path within the layer. */
export const projectionPaths = {
  q_proj: 'self_attn.q_proj',
  k_proj: 'self_attn.k_proj',
  v_proj: 'self_attn.v_proj',
  o_proj: 'self_attn.o_proj',
  gate_proj: 'mlp.gate_proj',
  up_proj: 'mlp.up_proj',
  down_proj: 'mlp.down_proj',
} as const;
export type Projection = keyof typeof projectionPaths;
export const projections = [
  'q_proj',
  'k_proj',
  'v_proj',
  'o_proj',
  'gate_proj',
  'up_proj',
  'down_proj',
] as const satisfies readonly Projection[];

/** The path of a module of one layer, such as `model.layers.0.self_attn.q_proj`. */
export function layerPath(layer: number, path: string): string {
  return `model.layers.${layer}.${path}`;
}

/** (out, in) of each projection. */
export function projectionShapes(
  config: TransformerConfig,
): Readonly<Record<Projection, readonly [rows: number, columns: number]>> {
  const { width, hiddenWidth } = config;
  const queryWidth = config.heads * config.headSize;
  const keyWidth = config.keyValueHeads * config.headSize;
  return {
    q_proj: [queryWidth, width],
    k_proj: [keyWidth, width],
    v_proj: [keyWidth, width],
    o_proj: [width, queryWidth],
    gate_proj: [hiddenWidth, width],
    up_proj: [hiddenWidth, width],
    down_proj: [width, hiddenWidth],
  };
}

/** True where the projection has a bias. */
export function hasBias(config: TransformerConfig, projection: Projection): boolean {
  switch (projection) {
    case 'q_proj':
    case 'k_proj':
    case 'v_proj':
      return config.attentionBias;
    case 'o_proj':
      return config.outputBias;
    case 'gate_proj':
    case 'up_proj':
    case 'down_proj':
      return config.feedForwardBias;
    default:
      return projection satisfies never;
  }
}

/** Every weight of the model with its shape in a file, in the order in which they are stored. */
export function weightShapes(config: TransformerConfig): ReadonlyMap<string, StoredShape> {
  const shapes = new Map<string, StoredShape>([[embeddingName, [config.vocabulary, config.width]]]);
  for (let layer = 0; layer < config.layers; layer += 1) {
    shapes.set(layerPath(layer, 'input_layernorm.weight'), [config.width]);
    for (const projection of projections) {
      const path = layerPath(layer, projectionPaths[projection]);
      const shape = projectionShapes(config)[projection];
      shapes.set(`${path}.weight`, shape);
      if (hasBias(config, projection)) shapes.set(`${path}.bias`, [shape[0]]);
    }
    if (config.queryKeyNorm)
      for (const norm of ['q_norm', 'k_norm'])
        shapes.set(layerPath(layer, `self_attn.${norm}.weight`), [config.headSize]);
    shapes.set(layerPath(layer, 'post_attention_layernorm.weight'), [config.width]);
  }
  shapes.set(lastNormName, [config.width]);
  if (!config.tied) shapes.set(headName, [config.vocabulary, config.width]);
  return shapes;
}

/** The tensor of that name. */
export function tensorNamed(tensors: NamedTensors, name: string): Tensor2D {
  const tensor = tensors[name];
  if (tensor === undefined) throw new TypeError(`the model holds no tensor ${name}`);
  return tensor;
}
