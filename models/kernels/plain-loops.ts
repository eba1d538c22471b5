import type { Bags } from './bag.ts';
import { adamCoefficients } from './adam-coefficients.ts';
import type { AdamArrays, KernelLoops } from './kernel-loops.ts';
import { plainAttention } from './plain-attention.ts';
import { plainBfloat16 } from './plain-bfloat16.ts';
import { plainProduct } from './plain-product.ts';
import { plainTokenLoops } from './plain-token-loops.ts';
import type { AdamConstants } from './operations.ts';

/** The loops in plain JavaScript, with sums in float64. */
export const plainLoops: KernelLoops = {
  ...plainAttention,
  ...plainTokenLoops,
  ...plainBfloat16,
  bagSum,
  adam,
  product: plainProduct,
  productRoom: () => 0,
  sumOfSquares,
};

/** Eight columns at a time stay in registers, so that nothing but the sums is written. */
function bagSum(table: Float32Array, bags: Bags, width: number, out: Float32Array): void {
  const { members, start } = bags;
  const blocked = width - (width % 8);
  for (let bag = 0; bag + 1 < start.length; bag += 1) {
    const from = start[bag] as number;
    const to = start[bag + 1] as number;
    for (let column = 0; column < blocked; column += 8) {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let s4 = 0;
      let s5 = 0;
      let s6 = 0;
      let s7 = 0;
      for (let at = from; at < to; at += 1) {
        const place = (members[at] as number) * width + column;
        s0 += table[place] as number;
        s1 += table[place + 1] as number;
        s2 += table[place + 2] as number;
        s3 += table[place + 3] as number;
        s4 += table[place + 4] as number;
        s5 += table[place + 5] as number;
        s6 += table[place + 6] as number;
        s7 += table[place + 7] as number;
      }
      const place = bag * width + column;
      out[place] = s0;
      out[place + 1] = s1;
      out[place + 2] = s2;
      out[place + 3] = s3;
      out[place + 4] = s4;
      out[place + 5] = s5;
      out[place + 6] = s6;
      out[place + 7] = s7;
    }
    for (let column = blocked; column < width; column += 1) {
      let sum = 0;
      for (let at = from; at < to; at += 1) sum += table[(members[at] as number) * width + column] as number;
      out[bag * width + column] = sum;
    }
  }
}

function adam(from: AdamArrays, gradient: Float32Array, constants: AdamConstants, to: AdamArrays): void {
  const { gradientScale, beta1, rest1, beta2, rest2, keep, stepSize, secondScale, epsilon } =
    adamCoefficients(constants);
  for (let at = 0; at < gradient.length; at += 1) {
    const slope = (gradient[at] as number) * gradientScale;
    const first = beta1 * (from.first[at] as number) + rest1 * slope;
    const second = beta2 * (from.second[at] as number) + rest2 * slope * slope;
    to.first[at] = first;
    to.second[at] = second;
    to.value[at] =
      keep * (from.value[at] as number) - (stepSize * first) / (Math.sqrt(second) * secondScale + epsilon);
  }
}

function sumOfSquares(values: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += (values[at] as number) * (values[at] as number);
  return sum;
}
