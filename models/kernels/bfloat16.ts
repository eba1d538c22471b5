import type { DataType } from '@tensorflow/tfjs-core';

/**
 * Matrices of bfloat16: the upper 16 bits of a float32, two numbers of a row in each int32, the first one in the lower half. So a matrix (n, c) is an
 * int32 tensor (n, c / 2), and `c` is even.
 */
export const isBfloat16 = ({ dtype }: { readonly dtype: DataType }): boolean => dtype === 'int32';

/** The nearest bfloat16 of each number, ties to even. An even number of them. */
export function roundToBfloat16(
  values: Float32Array,
  packed: Int32Array = new Int32Array(values.length / 2),
): Int32Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const upper = (at: number): number => {
    const of = bits[at] as number;
    return (of + 0x7fff + ((of >>> 16) & 1)) >>> 16;
  };
  for (let at = 0; at < packed.length; at += 1) packed[at] = upper(2 * at) | (upper(2 * at + 1) << 16);
  return packed;
}

/** The numbers as float32. */
export function widenBfloat16(packed: Int32Array, values: Float32Array): void {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  for (let at = 0; at < packed.length; at += 1) {
    const pair = packed[at] as number;
    bits[2 * at] = pair << 16;
    bits[2 * at + 1] = pair & 0xffff_0000;
  }
}
