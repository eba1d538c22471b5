import type { Tensor2D } from '@tensorflow/tfjs-core';
import { oneBag } from '../../kernels/bag.ts';
import { bagSum } from '../../kernels/operations.ts';

/** The sum of all rows: (T, width) to (1, width). */
export function columnSums(values: Tensor2D): Tensor2D {
  return bagSum(values, oneBag(values.shape[0]));
}
