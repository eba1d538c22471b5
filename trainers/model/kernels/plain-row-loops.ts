import type { RowLoops, Rows, Vector } from './kernel-loops.ts';

/** The loops over rows in plain JavaScript, with sums in float64. */
export const plainRowLoops: RowLoops = { dots, exponentials, weightedSum, addScaled };

function dots({ values: vector, at }: Vector, { values, at: first, stride, count, width }: Rows, scale: number, out: Float32Array): void {
  for (let row = 0; row < count; row += 1) {
    const place = first + row * stride;
    let sum = 0;
    for (let column = 0; column < width; column += 1) sum += (vector[at + column] as number) * (values[place + column] as number);
    out[row] = scale * sum;
  }
}

function exponentials(values: Float32Array, count: number, shift?: number): { readonly sum: number; readonly shift: number } {
  let most = shift ?? Number.NEGATIVE_INFINITY;
  if (shift === undefined) for (let at = 0; at < count; at += 1) most = Math.max(most, values[at] as number);
  let sum = 0;
  for (let at = 0; at < count; at += 1) {
    const value = Math.exp((values[at] as number) - most);
    values[at] = value;
    sum += value;
  }
  return { sum, shift: most };
}

function weightedSum(weights: Float32Array, { values, at: first, stride, count, width }: Rows, factor: number, { values: vector, at }: Vector): void {
  for (let column = 0; column < width; column += 1) {
    let sum = 0;
    for (let row = 0; row < count; row += 1) sum += (weights[row] as number) * (values[first + row * stride + column] as number);
    vector[at + column] = factor * sum;
  }
}

function addScaled(weights: Float32Array, { values: vector, at }: Vector, { values, at: first, stride, count, width }: Rows): void {
  for (let row = 0; row < count; row += 1) {
    const place = first + row * stride;
    const weight = weights[row] as number;
    for (let column = 0; column < width; column += 1) values[place + column]! += weight * (vector[at + column] as number);
  }
}
