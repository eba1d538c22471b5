import type { KernelLoops } from '../kernel-loops.ts';
import { plainBfloat16 } from '../plain-bfloat16.ts';
import { widenedRows } from './bfloat16.ts';
import { panelWidth } from './panel-product.ts';
import { depthAtATime, type ProductFunctions } from './simd-product.ts';

/** The functions of `bfloat16.ts`, once they are instantiated. */
export type Bfloat16Functions = Readonly<
  Record<'widen' | 'packWidened' | 'multiplyByRows', (...values: number[]) => number>
>;

/** bfloat16 that one vector has. */
const lanes = 8;

/** Products with matrices of bfloat16, in float32. What does not fill vectors is left to the plain loops. */
export function simdBfloat16(
  { widen, packWidened, multiplyByRows, multiplyPanel }: Bfloat16Functions & ProductFunctions,
  addressOf: (array: Float32Array | Int32Array) => number,
): Pick<KernelLoops, 'widen' | 'bfloat16Product' | 'bfloat16Room'> {
  return {
    widen: (packed, out) => {
      if (out.length % lanes !== 0) return plainBfloat16.widen(packed, out);
      widen(addressOf(packed), addressOf(packed) + 4 * packed.length, addressOf(out));
    },
    bfloat16Room: ({ depth, turnsRight }) => (turnsRight ? widenedRows * depth : panelWidth * depthAtATime),
    bfloat16Product: (arrays, shape) => {
      const { rows, depth, columns, turnsRight } = shape;
      const isWhole = turnsRight ? depth % lanes === 0 : columns % panelWidth === 0;
      if (!isWhole) return plainBfloat16.bfloat16Product(arrays, shape);
      const [left, right, out, room] = [arrays.left, arrays.right, arrays.out, arrays.room].map(
        addressOf,
      ) as [number, number, number, number];
      if (turnsRight) {
        multiplyByRows(left, left + 4 * rows * depth, 4 * depth, right, columns, out, 4 * columns, room);
        return;
      }
      for (let from = 0; from < depth; from += depthAtATime) {
        const deep = Math.min(depthAtATime, depth - from);
        for (let column = 0; column < columns; column += panelWidth) {
          packWidened(right + 2 * (from * columns + column), 2 * columns, deep, room);
          const [leftAt, outAt] = [left + 4 * from, out + 4 * column];
          multiplyPanel(leftAt, 4 * depth, 4, rows, room, deep, outAt, 4 * columns, from === 0 ? 0 : -1);
        }
      }
    },
  };
}
