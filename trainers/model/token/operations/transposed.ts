import { mul, transpose, type Tensor } from '@tensorflow/tfjs-core';

/**
 * The transpose, with data of its own. Where a length is 1, `wasm` gives a view of the same data in another shape, and a
 * product there remembers its second operand, packed, by the data: a later product with the untransposed one gives garbage.
 */
export function transposed<T extends Tensor>(tensor: T, order?: number[]): T {
  const turned = transpose(tensor, order);
  return tensor.shape.includes(1) ? mul<T>(turned, 1) : turned;
}
