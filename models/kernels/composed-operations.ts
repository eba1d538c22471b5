import {
  add,
  concat,
  div,
  gather,
  matMul,
  mul,
  sqrt,
  square,
  sub,
  sum,
  tensor1d,
  unsortedSegmentSum,
  zeros,
  type Scalar,
  type Tensor,
  type Tensor2D,
} from '@tensorflow/tfjs-core';
import { adamCoefficients } from './adam-coefficients.ts';
import { countingUp, type Bags } from './bag.ts';
import type { AdamConstants, AdamState, Turns } from './operations.ts';

/** Our operations made of those that TensorFlow.js has, for backends without kernels of ours. */

/** Takes memory for one row a member, not only for the sums. */
export function composedBagSum(table: Tensor2D, bags: Bags): Tensor2D {
  const count = bags.start.length - 1;
  if (bags.members.length === 0) return zeros([count, table.shape[1]]);
  const rows = gather(table, tensor1d(bags.members, 'int32'));
  return unsortedSegmentSum(rows, tensor1d(bagOfEach(bags), 'int32'), count);
}

/** For each member the bag that it stands in. */
function bagOfEach(bags: Bags): Int32Array {
  const places = new Int32Array(bags.members.length);
  for (let bag = 0; bag + 1 < bags.start.length; bag += 1)
    places.fill(bag, bags.start[bag], bags.start[bag + 1]);
  return places;
}

export function composedAdamStep(state: AdamState, gradient: Tensor2D, constants: AdamConstants): AdamState {
  const { gradientScale, beta1, rest1, beta2, rest2, keep, stepSize, secondScale, epsilon } =
    adamCoefficients(constants);
  const slope = mul(gradient, gradientScale);
  const first = add<Tensor2D>(mul(state.first, beta1), mul(slope, rest1));
  const second = add<Tensor2D>(mul(state.second, beta2), mul(square(slope), rest2));
  const root = add(mul(sqrt(second), secondScale), epsilon);
  return { value: sub(mul(state.value, keep), div(mul(first, stepSize), root)), first, second };
}

export function composedProduct(left: Tensor2D, right: Tensor2D, { turnsLeft, turnsRight }: Turns): Tensor2D {
  return matMul(left, right, turnsLeft, turnsRight);
}

export function composedSumOfSquares(values: Tensor): Scalar {
  return sum(square(values));
}

export function composedWriteRows(matrix: Tensor2D, fresh: Tensor2D, rows: Int32Array): Tensor2D {
  const from = countingUp(matrix.shape[0]);
  for (const [place, row] of rows.entries()) from[row] = matrix.shape[0] + place;
  return gather(concat([matrix, fresh]), tensor1d(from, 'int32'));
}
