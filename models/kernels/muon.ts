import {
  add,
  div,
  matMul,
  mul,
  sqrt,
  sub,
  sum,
  square,
  transpose,
  zerosLike,
  type Tensor2D,
} from '@tensorflow/tfjs-core';
import type { AdamState } from './operations.ts';

export interface MuonConstants {
  readonly learningRate: number;
  readonly weightDecay: number;
  /** The gradient is multiplied by it first. */
  readonly gradientScale: number;
  /** Share of the momentum that each step keeps. */
  readonly momentum: number;
}

/** Iterations and coefficients of the reference: singular values come near 1, between 0.7 and 1.2, which is close enough. */
const iterations = 5;
const [a, b, c] = [3.4445, -4.775, 2.0315] as const;
const tiny = 1e-7;
/** Root mean square of an update of AdamW, as measured by Liu et al.: with it one learning rate suits both. */
const usualSize = 0.2;

/**
 * One step of Muon for a matrix (rows, columns): the gradient with Nesterov's momentum, orthogonalised by Newton-Schulz iterations. The update is
 * as long as one of AdamW, so that learning rates carry over. The second moment stays 0. The tensors given stay as they are.
 *
 * Sources: Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks"; the length of the update: Liu et al. 2025, "Muon is
 * scalable for LLM training", section 2.2.
 */
export function muonStep(
  { value, first }: AdamState,
  gradient: Tensor2D,
  constants: MuonConstants,
): AdamState {
  const { learningRate, weightDecay, gradientScale, momentum } = constants;
  const slope = mul<Tensor2D>(gradient, gradientScale);
  const kept = add<Tensor2D>(mul(first, momentum), mul(slope, 1 - momentum));
  const ahead = add<Tensor2D>(mul(kept, momentum), mul(slope, 1 - momentum));
  const [rows, columns] = value.shape;
  const length = learningRate * usualSize * Math.sqrt(Math.max(rows, columns));
  return {
    value: sub(mul(value, 1 - learningRate * weightDecay), mul(orthogonalise(ahead), length)),
    first: kept,
    second: zerosLike(value),
  };
}

/** The matrix with its singular values brought near 1. */
export function orthogonalise(matrix: Tensor2D): Tensor2D {
  const [rows, columns] = matrix.shape;
  if (rows > columns) return transpose(orthogonalise(transpose(matrix)));
  const norm = add(sqrt(sum(square(matrix))), tiny);
  let near = div<Tensor2D>(matrix, norm);
  for (let round = 0; round < iterations; round += 1) {
    const gram = matMul(near, transpose(near));
    const factor = add<Tensor2D>(mul(gram, b), mul(matMul(gram, gram), c));
    near = add<Tensor2D>(mul(near, a), matMul(factor, near));
  }
  return near;
}
