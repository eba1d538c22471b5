import type { RowLoops, Rows, Vector } from '../kernel-loops.ts';
import { plainRowLoops } from '../plain-row-loops.ts';

const lanes = 4;
const toWhole = (count: number): number => Math.ceil(count / lanes) * lanes;

/** The functions of `rows.ts`, once they are instantiated. */
export type RowFunctions = Readonly<Record<'dots' | 'largest' | 'exponentials' | 'weightedSum' | 'addScaled', (...values: number[]) => number>>;

/**
 * The loops over rows by SIMD functions, in float32. Arrays of weights have room up to the next multiple of four, which is
 * overwritten. Rows that do not fill vectors are left to the plain loops.
 */
export function simdRowLoops(functions: RowFunctions, addressOf: (array: Float32Array) => number): RowLoops {
  const { dots, largest, exponentials, weightedSum, addScaled } = functions;
  const beginning = ({ values, at }: Vector): number => addressOf(values) + 4 * at;
  const isWhole = ({ width }: Rows): boolean => width % lanes === 0;
  return {
    dots: (vector, rows, scale, out) => {
      if (!isWhole(rows)) return plainRowLoops.dots(vector, rows, scale, out);
      dots(beginning(vector), beginning(rows), 4 * rows.stride, rows.count, 4 * rows.width, scale, addressOf(out));
    },
    exponentials: (values, count, given) => {
      const whole = toWhole(count);
      values.fill(Number.NEGATIVE_INFINITY, count, whole); // which become 0 and add nothing
      const shift = given ?? largest(addressOf(values), 4 * whole);
      return { sum: exponentials(addressOf(values), 4 * whole, shift), shift };
    },
    weightedSum: (weights, rows, factor, vector) => {
      if (!isWhole(rows)) return plainRowLoops.weightedSum(weights, rows, factor, vector);
      weightedSum(addressOf(weights), beginning(rows), 4 * rows.stride, rows.count, 4 * rows.width, factor, beginning(vector));
    },
    addScaled: (weights, vector, rows) => {
      if (!isWhole(rows)) return plainRowLoops.addScaled(weights, vector, rows);
      addScaled(addressOf(weights), beginning(vector), beginning(rows), 4 * rows.stride, rows.count, 4 * rows.width);
    },
  };
}
