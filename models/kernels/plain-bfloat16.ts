import { widenBfloat16 } from './bfloat16.ts';
import type { Bfloat16Loops } from './kernel-loops.ts';
import { plainProduct } from './plain-product.ts';

/** Products with matrices of bfloat16 in plain JavaScript, with sums in float64. */
export const plainBfloat16: Bfloat16Loops = {
  widen: widenBfloat16,
  bfloat16Room: ({ depth, turnsRight }) => (turnsRight ? depth : 0),
  bfloat16Product: ({ left, right, out, room }, shape) => {
    const wide = new Float32Array(2 * right.length);
    widenBfloat16(right, wide);
    plainProduct({ left, right: wide, out, room }, { ...shape, turnsLeft: false });
  },
};
