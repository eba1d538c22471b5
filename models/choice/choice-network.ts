import { add, matMul, mul, step, tensor2d, transpose, type Tensor2D } from '@tensorflow/tfjs-core';
import { oneBag, transposeBags } from '../kernels/bag.ts';
import { bagSum, transposedProduct } from '../kernels/operations.ts';
import type { ChoiceWeights } from './choice-weights.ts';
import { gatherFromRows, type DistinctRows } from './distinct-rows.ts';

/** What the backward pass needs of the forward pass. */
export type Activations = {
  readonly input: Tensor2D; // (P, width)
  /** 1 where the unit is on. */
  readonly inputMask: Tensor2D; // (P, width)
  readonly hidden: Tensor2D; // (P, hidden)
  readonly hiddenMask: Tensor2D; // (P, hidden)
  readonly logits: Tensor2D; // (P, 1)
};

/** Scores all pairs of a candidate and the state of its decision. */
export function forward(weights: ChoiceWeights<Tensor2D>, rows: DistinctRows): Activations {
  const sums = bagSum(weights.embedding, rows.features); // (U + B, width)
  const [input, inputMask] = rectify(add(bagSum(sums, rows.pairs), weights.embeddingBias));
  const [hidden, hiddenMask] = rectify(add(matMul(input, weights.hidden), weights.hiddenBias));
  return { input, inputMask, hidden, hiddenMask, logits: matMul(hidden, transpose(weights.output)) };
}

/** max(0, x) and its derivative, as a product: the `relu` of `wasm` makes 0 of some NaNs, which would hide them from the checks. */
function rectify(values: Tensor2D): readonly [rectified: Tensor2D, mask: Tensor2D] {
  const mask: Tensor2D = step(values);
  return [mul(values, mask), mask];
}

/**
 * The gradient of all weights. Two habits of `wasm` shape it. A product that transposes its operands itself is eight times
 * slower than one of explicit transposes. And a product remembers its second operand, packed, by the tensor's data: a reshaped
 * view of a weight there gives garbage.
 */
export function backward(
  weights: ChoiceWeights<Tensor2D>,
  rows: DistinctRows,
  activations: Activations,
  logitGradient: Float32Array, // (R)
): ChoiceWeights<Tensor2D> {
  const pairs = rows.pairs.start.length - 1;
  const overLogits = tensor2d(gatherFromRows(rows, logitGradient), [pairs, 1]);
  const overHidden = mul<Tensor2D>(matMul(overLogits, weights.output), activations.hiddenMask);
  const overInput = mul<Tensor2D>(matMul(overHidden, transpose(weights.hidden)), activations.inputMask);
  const overSums = bagSum(overInput, transposeBags(rows.pairs, rows.features.start.length - 1)); // (U + B, width)
  const allPairs = oneBag(pairs);
  return {
    embedding: bagSum(overSums, transposeBags(rows.features, weights.embedding.shape[0])),
    embeddingBias: bagSum(overInput, allPairs),
    hidden: transposedProduct(activations.input, overHidden),
    hiddenBias: bagSum(overHidden, allPairs),
    output: transposedProduct(overLogits, activations.hidden),
  };
}
