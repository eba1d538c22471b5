import type { ProductArrays, ProductShape } from './kernel-loops.ts';

/** The left matrix times the right one, with sums in float64. */
export function plainProduct(
  { left, right, out }: ProductArrays,
  { rows, depth, columns, turnsLeft, turnsRight }: ProductShape,
): void {
  const [leftRow, leftStep] = turnsLeft ? [1, rows] : [depth, 1];
  const [rightStep, rightColumn] = turnsRight ? [1, depth] : [columns, 1];
  const sums = new Float64Array(columns);
  for (let row = 0; row < rows; row += 1) {
    sums.fill(0);
    for (let inner = 0; inner < depth; inner += 1) {
      const factor = left[row * leftRow + inner * leftStep] as number;
      for (let column = 0; column < columns; column += 1)
        sums[column]! += factor * (right[inner * rightStep + column * rightColumn] as number);
    }
    out.set(sums, row * columns);
  }
}
