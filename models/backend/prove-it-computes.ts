import { matMul, tensor2d } from '@tensorflow/tfjs-core';
import { messageOf } from '../../envs/core/errors.ts';
import { bagSum } from '../kernels/operations.ts';
import type { TensorBackend } from './backend.ts';

/**
 * Lets a backend that has started work out something known. Drivers and libraries exist that start and then fail, or give
 * garbage. Returns what is wrong with it, or undefined.
 */
export async function whyItCannotCompute(backend: TensorBackend): Promise<string | undefined> {
  try {
    const result = backend.run(() => {
      const matrix = tensor2d([1, 2, 3, 4], [2, 2]);
      return bagSum(matMul(matrix, matrix), {
        members: Int32Array.of(1, 0, 1),
        start: Int32Array.of(0, 1, 3),
      });
    });
    const values = await backend.read(result);
    result.dispose();
    const said = [...values].join(', ');
    return said === expected
      ? undefined
      : `it started, but it works out [${said}] where [${expected}] is right.`;
  } catch (thrown) {
    return `it started, but it cannot compute (${messageOf(thrown).split('\n')[0]}).`;
  }
}

/** Of [[1, 2], [3, 4]] squared, [[7, 10], [15, 22]]: the second row, then the sum of both. */
const expected = '15, 22, 22, 32';
