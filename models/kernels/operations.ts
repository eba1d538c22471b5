import {
  engine,
  getBackend,
  getKernel,
  keep,
  tensor1d,
  type NamedAttrMap,
  type Scalar,
  type Tensor,
  type Tensor2D,
} from '@tensorflow/tfjs-core';
import type { Bags } from './bag.ts';
import { isBfloat16 } from './bfloat16.ts';
import {
  composedAdamStep,
  composedBagSum,
  composedSumOfSquares,
  composedProduct,
  composedWriteRows,
} from './composed-operations.ts';

/**
 * Kernels of our own, under one name on every backend that has them. Reasons, compared with TensorFlow.js:
 *
 * - It has no sum over bags. Its `UnsortedSegmentSum` is missing on `wasm`.
 * - Its optimisers are chains of small operations.
 * - On `wasm` its products pack the second matrix each time and transpose matrices slowly.
 *
 * A backend without one of them gets the same result from operations that every backend has.
 */
export const kernelNames = {
  bagSum: 'CairnBagSum',
  adam: 'CairnAdamW',
  product: 'CairnProduct',
  bfloat16Product: 'CairnBfloat16Product',
  bfloat16Rows: 'CairnBfloat16Rows',
  sumOfSquares: 'CairnSumOfSquares',
  attention: 'CairnAttention',
  attentionGradient: 'CairnAttentionGradient',
  rotate: 'CairnRotate',
  rmsNorm: 'CairnRmsNorm',
  rmsNormGradient: 'CairnRmsNormGradient',
  gate: 'CairnGate',
  gateGradient: 'CairnGateGradient',
  scoreRows: 'CairnScoreRows',
  scoreRowsGradient: 'CairnScoreRowsGradient',
  writeRows: 'CairnWriteRows',
  drawRows: 'CairnDrawRows',
} as const;

/** For each bag the sum of the table's rows that it names: (V, width) to (K, width). */
export function bagSum(table: Tensor2D, bags: Bags): Tensor2D {
  if (!hasKernel(kernelNames.bagSum)) return composedBagSum(table, bags);
  // No member is never read, but a GPU refuses an empty array.
  const members = tensor1d(bags.members.length === 0 ? Int32Array.of(0) : bags.members, 'int32');
  return engine().runKernel<Tensor2D>(kernelNames.bagSum, {
    table,
    members,
    start: tensor1d(bags.start, 'int32'),
  });
}

/** Rows of a matrix of bfloat16 as float32: (V, width / 2) to (T, width). */
export function bfloat16Rows(table: Tensor2D, rows: Int32Array): Tensor2D {
  return engine().runKernel<Tensor2D>(kernelNames.bfloat16Rows, { table, rows: tensor1d(rows, 'int32') });
}

/** What AdamW keeps of one tensor. */
export type AdamState = {
  readonly value: Tensor2D;
  readonly first: Tensor2D;
  readonly second: Tensor2D;
};

export interface AdamConstants {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** The gradient is multiplied by it first. */
  readonly gradientScale: number;
  /** Number of this step, from 1. */
  readonly step: number;
}

/** One step of AdamW; the tensors given stay as they are. */
export function adamStep(state: AdamState, gradient: Tensor2D, constants: AdamConstants): AdamState {
  if (!hasKernel(kernelNames.adam)) return composedAdamStep(state, gradient, constants);
  const [value, first, second] = engine().runKernel<Tensor2D[]>(
    kernelNames.adam,
    { ...state, gradient },
    { ...constants },
  );
  if (value === undefined || first === undefined || second === undefined)
    throw new TypeError('the AdamW kernel returns three tensors');
  return { value, first, second };
}

/** Which matrices of a product are turned first. */
export type Turns = {
  readonly turnsLeft: boolean;
  readonly turnsRight: boolean;
};

/** The left matrix times the right one, either of them turned first. The right one may be bfloat16, where the left one is not turned. */
export function matrixProduct(left: Tensor2D, right: Tensor2D, turns: Turns): Tensor2D {
  if (!isBfloat16(right) && !hasKernel(kernelNames.product)) return composedProduct(left, right, turns);
  const name = isBfloat16(right) ? kernelNames.bfloat16Product : kernelNames.product;
  const [out, room] = engine().runKernel<Tensor2D[]>(name, { left, right }, turns);
  if (out === undefined) throw new TypeError('the kernel of products returns the product');
  room?.dispose();
  return out;
}

/** The transpose of the left matrix times the right one: (R, m) and (R, n) to (m, n). */
export function transposedProduct(left: Tensor2D, right: Tensor2D): Tensor2D {
  return matrixProduct(left, right, { turnsLeft: true, turnsRight: false });
}

export function sumOfSquares(values: Tensor): Scalar {
  if (!hasKernel(kernelNames.sumOfSquares)) return composedSumOfSquares(values);
  return engine().runKernel<Scalar>(kernelNames.sumOfSquares, { values });
}

/**
 * Puts fresh rows into a matrix: row t of (T, width) becomes row `rows[t]` of (S, width), each at most once. Gives the matrix to go on
 * with, which outlives the scope: the one given, changed, or a new one in its place, which is then disposed of.
 */
export function writeRows(matrix: Tensor2D, fresh: Tensor2D, rows: Int32Array): Tensor2D {
  if (!hasKernel(kernelNames.writeRows)) {
    const written = keep(composedWriteRows(matrix, fresh, rows));
    matrix.dispose();
    return written;
  }
  const places = tensor1d(rows, 'int32');
  engine().runKernel<Tensor2D[]>(kernelNames.writeRows, { matrix, fresh, rows: places });
  places.dispose();
  return matrix;
}

/**
 * For each row of logits, (R, V), draws a token and its log-probability, (R, 2), by `how`, (R, 2). Its first
 * column is one over the temperature, or 0 for the most likely token. Its second is the point in [0, 1) that
 * the cumulative shares of the tokens must reach. The token is -1 if logits are not finite. Only for backends
 * that have the kernel.
 */
export function drawRows(logits: Tensor2D, how: Tensor2D): Tensor2D {
  return engine().runKernel<Tensor2D>(kernelNames.drawRows, { logits, how });
}

/** Whether the backend of now has it. */
export function hasKernel(kernelName: string): boolean {
  return getKernel(kernelName, getBackend()) !== undefined;
}

/** The constants as a kernel gets them. */
export function readAdamConstants(attributes: NamedAttrMap | undefined): AdamConstants {
  const read = (name: keyof AdamConstants): number => {
    const value = attributes?.[name];
    if (typeof value !== 'number') throw new TypeError(`the AdamW kernel needs the number ${name}`);
    return value;
  };
  return {
    learningRate: read('learningRate'),
    beta1: read('beta1'),
    beta2: read('beta2'),
    epsilon: read('epsilon'),
    weightDecay: read('weightDecay'),
    gradientScale: read('gradientScale'),
    step: read('step'),
  };
}
