import { engine, tensor1d, type Tensor2D } from '@tensorflow/tfjs-core';
import { hasKernel, kernelNames } from '../../kernels/operations.ts';
import { queryTiles } from '../../kernels/query-tiles.ts';
import { composedAttention, composedAttentionGradient } from './composed-attention.ts';

/** Which keys each query sees: rows `from[t]` to `until[t]` of them, both included. */
export interface Sight {
  readonly from: Int32Array; // (T)
  readonly until: Int32Array; // (T)
}

export interface AttentionInput extends Sight {
  readonly query: Tensor2D; // (T, heads d)
  readonly key: Tensor2D; // (S, keyValueHeads d)
  readonly value: Tensor2D; // (S, keyValueHeads d)
  readonly heads: number;
  readonly keyValueHeads: number;
}

export type AttentionOutput = {
  readonly output: Tensor2D; // (T, heads d)
  /** Log of the sum of the exponentials of the scaled scores. */
  readonly logSum: Tensor2D; // (T, heads)
};

export type AttentionGradient = {
  readonly query: Tensor2D; // (T, heads d)
  readonly key: Tensor2D; // (S, keyValueHeads d)
  readonly value: Tensor2D; // (S, keyValueHeads d)
};

/**
 * Softmax attention (Vaswani et al. 2017, eq. 1) of heads that share keys and values in groups (Ainslie et al. 2023). Every
 * query sees at least one key.
 */
export function attention(input: AttentionInput): AttentionOutput {
  if (!hasKernel(kernelNames.attention)) return composedAttention(input);
  const [output, logSum, scores] = run(kernelNames.attention, input, {});
  if (output === undefined || logSum === undefined)
    throw new TypeError('the attention kernel returns output and logarithms');
  scores?.dispose();
  return { output, logSum };
}

/**
 * The gradient of {@link attention}, which recomputes the probabilities. On backends without a kernel it
 * accepts only packed rows that attend to themselves.
 */
export function attentionGradient(
  input: AttentionInput,
  { output, logSum }: AttentionOutput,
  gradient: Tensor2D, // (T, heads d)
): AttentionGradient {
  if (!hasKernel(kernelNames.attentionGradient))
    return composedAttentionGradient(input, { output, logSum }, gradient);
  const [query, key, value, ...scratch] = run(kernelNames.attentionGradient, input, {
    output,
    logSum,
    gradient,
  });
  if (query === undefined || key === undefined || value === undefined)
    throw new TypeError('the gradient of attention is three tensors');
  for (const tensor of scratch) tensor.dispose();
  return { query, key, value };
}

function run(
  kernelName: string,
  { query, key, value, from, until, heads, keyValueHeads }: AttentionInput,
  more: Readonly<Record<string, Tensor2D>>,
): Tensor2D[] {
  const tiles = queryTiles(from);
  const sight = tensor1d(joined(from, until, tiles), 'int32');
  const made = engine().runKernel<Tensor2D[]>(
    kernelName,
    { query, key, value, sight, ...more },
    { heads, keyValueHeads, tiles: tiles.length - 1 },
  );
  sight.dispose();
  return made;
}

/** One array, as a GPU takes only so many. */
function joined(...parts: readonly Int32Array[]): Int32Array {
  const whole = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
