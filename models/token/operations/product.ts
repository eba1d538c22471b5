import { matMul, type Tensor2D } from '@tensorflow/tfjs-core';
import { matrixProduct, transposedProduct } from '../../kernels/operations.ts';

/**
 * x times the transpose of a weight: (T, in) and (out, in) to (T, out).
 * @param turned the transpose, where it is at hand
 */
export function product(x: Tensor2D, weight: Tensor2D, turned?: Tensor2D): Tensor2D {
  return turned === undefined
    ? matrixProduct(x, weight, { turnsLeft: false, turnsRight: true })
    : matMul(x, turned);
}

/** The gradient of {@link product} by x: (T, out) and (out, in) to (T, in). */
export function productGradientByInput(gradient: Tensor2D, weight: Tensor2D): Tensor2D {
  return matrixProduct(gradient, weight, { turnsLeft: false, turnsRight: false });
}

/** The gradient of {@link product} by the weight: (T, out) and (T, in) to (out, in). */
export function productGradientByWeight(gradient: Tensor2D, x: Tensor2D): Tensor2D {
  return transposedProduct(gradient, x);
}
