import type { Tensor2D } from '@tensorflow/tfjs-core';
import { countingUp, transposeBags, type Bags } from '../../kernels/bag.ts';
import { isBfloat16 } from '../../kernels/bfloat16.ts';
import { bagSum, bfloat16Rows } from '../../kernels/operations.ts';

/** The table's rows of those numbers: (V, width) and (T) to (T, width). The table may be bfloat16. */
export function embed(table: Tensor2D, rows: Int32Array): Tensor2D {
  return isBfloat16(table) ? bfloat16Rows(table, rows) : bagSum(table, bagsOfOne(rows));
}

/** The gradient of {@link embed} by a table of `count` rows: (T, width) to (count, width). */
export function embedGradient(gradient: Tensor2D, rows: Int32Array, count: number): Tensor2D {
  return bagSum(gradient, transposeBags(bagsOfOne(rows), count));
}

function bagsOfOne(rows: Int32Array): Bags {
  return { members: rows, start: countingUp(rows.length + 1) };
}
