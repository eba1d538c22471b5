import type { TransformerConfig } from './transformer-config.ts';

/** Shapes of small models of our own, to be trained from nothing on a processor. */
export const modelPresets = {
  nano: {
    layers: 2,
    width: 128,
    heads: 4,
    keyValueHeads: 2,
    headSize: 32,
    hiddenWidth: 384,
    vocabulary: 1_024,
  },
  micro: {
    layers: 4,
    width: 256,
    heads: 8,
    keyValueHeads: 4,
    headSize: 32,
    hiddenWidth: 768,
    vocabulary: 2_048,
  },
  small: {
    layers: 8,
    width: 512,
    heads: 8,
    keyValueHeads: 4,
    headSize: 64,
    hiddenWidth: 1_536,
    vocabulary: 8_192,
  },
} as const;
export type ModelPreset = keyof typeof modelPresets;

/** A model of the Qwen3 family, with tied embeddings, for a tokenizer of so many ids. */
export function presetConfig(
  preset: ModelPreset,
  options: { readonly vocabulary: number; readonly longestContext: number },
): TransformerConfig {
  return {
    family: 'qwen3',
    ...modelPresets[preset],
    ...options,
    ropeTheta: 10_000,
    ropeScaling: undefined,
    normEpsilon: 1e-6,
    tied: true,
    attentionBias: false,
    outputBias: false,
    feedForwardBias: false,
    queryKeyNorm: true,
  };
}
