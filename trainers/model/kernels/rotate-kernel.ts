import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core';
import { kernelInput } from './kernel-input.ts';
import type { TypedArrayAccess } from './typed-array-kernels.ts';

/** Turns the pairs of every head in one pass, where slices, products and a concatenation would each write all of it. */
export function rotateKernel(inputs: NamedTensorInfoMap, access: TypedArrayAccess, attributes: NamedAttrMap | undefined): TensorInfo {
  const { heads } = attributes ?? {};
  if (typeof heads !== 'number') throw new TypeError('the kernel of rotations needs the number of heads');
  const made = access.make(kernelInput(inputs, 'x').shape);
  const read = (name: string): Float32Array => access.floats(kernelInput(inputs, name));
  turn({ x: read('x'), cos: read('cos'), sin: read('sin') }, kernelInput(inputs, 'cos').shape as [number, number], heads, access.floats(made));
  return made;
}

interface RotateArrays {
  readonly x: Float32Array; // (T, heads 2 pairs)
  readonly cos: Float32Array; // (T, pairs)
  readonly sin: Float32Array; // (T, pairs)
}

function turn({ x, cos, sin }: RotateArrays, [tokens, pairs]: readonly [tokens: number, pairs: number], heads: number, out: Float32Array): void {
  for (let token = 0; token < tokens; token += 1) {
    for (let head = 0; head < heads; head += 1) {
      const first = (token * heads + head) * 2 * pairs;
      for (let pair = 0; pair < pairs; pair += 1) {
        const across = cos[token * pairs + pair] as number;
        const up = sin[token * pairs + pair] as number;
        const left = x[first + pair] as number;
        const right = x[first + pairs + pair] as number;
        out[first + pair] = left * across - right * up;
        out[first + pairs + pair] = right * across + left * up;
      }
    }
  }
}
