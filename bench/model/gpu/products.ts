import { performance } from 'node:perf_hooks';
import { dispose, slice, tensor2d, type Tensor2D } from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { matrixProduct, type Turns } from '../../../models/kernels/operations.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';

/** The product of a (rows, depth) and a (depth, columns) matrix, either of them stored transposed. */
export interface ProductCase extends Turns {
  readonly rows: number;
  readonly depth: number;
  readonly columns: number;
}

/** The products of a feed-forward part: forward, and its gradients by the input and by the weight. */
export function productCases(
  { width, hiddenWidth }: Pick<TransformerConfig, 'width' | 'hiddenWidth'>,
  tokens: number,
): readonly ProductCase[] {
  return [
    { rows: tokens, depth: width, columns: hiddenWidth, turnsLeft: false, turnsRight: true },
    { rows: tokens, depth: hiddenWidth, columns: width, turnsLeft: false, turnsRight: true },
    { rows: tokens, depth: hiddenWidth, columns: width, turnsLeft: false, turnsRight: false },
    { rows: hiddenWidth, depth: tokens, columns: width, turnsLeft: true, turnsRight: false },
  ];
}

const [warmUp, repeats] = [2, 10];

/** Billions of operations a second of each, the best of some rounds. */
export async function measureProducts(
  backend: TensorBackend,
  cases: readonly ProductCase[],
  rounds: number,
): Promise<readonly (ProductCase & { readonly gflops: number })[]> {
  const measured: (ProductCase & { readonly gflops: number })[] = [];
  for (const of of cases) {
    const { rows, depth, columns, turnsLeft, turnsRight } = of;
    const [left, right] = [matrixOf(rows, depth, turnsLeft), matrixOf(depth, columns, turnsRight)];
    let best = Number.POSITIVE_INFINITY;
    for (let round = -warmUp; round < rounds; round += 1) {
      const from = performance.now();
      const last = backend.run(() => {
        let product = matrixProduct(left, right, of);
        for (let again = 1; again < repeats; again += 1) {
          product.dispose();
          product = matrixProduct(left, right, of);
        }
        return slice(product, [0, 0], [1, 1]);
      });
      await backend.read(last); // once it is there, all are
      last.dispose();
      if (round >= 0) best = Math.min(best, performance.now() - from);
    }
    dispose([left, right]);
    measured.push({ ...of, gflops: Math.round((2 * rows * depth * columns * repeats) / best / 1e6) });
  }
  return measured;
}

function matrixOf(rows: number, columns: number, isTurned: boolean): Tensor2D {
  const values = Float32Array.from({ length: rows * columns }, (_, at) => ((at * 7919) % 1009) / 1009 - 0.5);
  return tensor2d(values, isTurned ? [columns, rows] : [rows, columns]);
}
