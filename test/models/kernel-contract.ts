import { tensor2d, type Tensor, type Tensor2D } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { createRng } from '../../envs/core/rng.ts';
import type { BackendName, TensorBackend } from '../../models/backend/backend.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { oneBag, transposeBags, type Bags } from '../../models/kernels/bag.ts';
import {
  composedAdamStep,
  composedBagSum,
  composedProduct,
  composedSumOfSquares,
  composedWriteRows,
} from '../../models/kernels/composed-operations.ts';
import {
  adamStep,
  bagSum,
  matrixProduct,
  sumOfSquares,
  writeRows,
  type AdamConstants,
} from '../../models/kernels/operations.ts';

const ownKernels = { bagSum, adamStep, matrixProduct, sumOfSquares, writeRows };
export const composedKernels = {
  bagSum: composedBagSum,
  adamStep: composedAdamStep,
  matrixProduct: composedProduct,
  sumOfSquares: composedSumOfSquares,
  writeRows: composedWriteRows,
};

const widths = [1, 2, 3, 4, 7, 8, 19, 32, 36, 64, 68, 100];
const constants: AdamConstants = {
  learningRate: 0.02,
  beta1: 0.8,
  beta2: 0.95,
  epsilon: 1e-4,
  weightDecay: 0.3,
  gradientScale: 0.7,
  step: 3,
};

/** What our kernels must give on a backend, checked against float64 sums written out here. */
export function kernelContract(options: {
  readonly backend: BackendName;
  readonly kernels?: typeof ownKernels;
}): void {
  const kernels = options.kernels ?? ownKernels;
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend(options.backend);
  });
  const read = async (make: () => Tensor): Promise<Float32Array> => {
    const tensor = backend.run(make);
    const values = await backend.read(tensor);
    tensor.dispose();
    return values;
  };

  test.each(widths)('sums bags of rows of %i numbers', async (width) => {
    for (const bags of [
      raggedBags(width, 11),
      { members: new Int32Array(0), start: new Int32Array(4) },
      oneBag(11),
    ]) {
      const table = uniform(width, 11 * width);
      const sums = await read(() => kernels.bagSum(tensor2d(table, [11, width]), bags));
      expectNear(sums, bagSumByHand(table, bags, width));
    }
  });

  test('sums transposed bags so that the inner product with a gradient stays the same', async () => {
    const [width, count] = [12, 30];
    const bags = raggedBags(3, count);
    const table = uniform(1, count * width);
    const slopes = uniform(2, (bags.start.length - 1) * width);
    const forth = await read(() => kernels.bagSum(tensor2d(table, [count, width]), bags));
    const back = await read(() =>
      kernels.bagSum(tensor2d(slopes, [bags.start.length - 1, width]), transposeBags(bags, count)),
    );
    expect(innerProduct(forth, slopes)).toBeCloseTo(innerProduct(table, back), 4);
  });

  test.each([1, 3, 4, 5, 64, 131])('takes an AdamW step over %i numbers', async (size) => {
    const arrays = {
      value: uniform(1, size),
      first: uniform(2, size),
      second: uniform(3, size).map((value) => value * value),
      gradient: uniform(4, size),
    };
    const expected = adamByHand(arrays);
    for (const part of ['value', 'first', 'second'] as const) {
      const actual = await read(() => {
        const on = (values: Float32Array): Tensor2D => tensor2d(values, [1, size]);
        const state = { value: on(arrays.value), first: on(arrays.first), second: on(arrays.second) };
        return kernels.adamStep(state, on(arrays.gradient), constants)[part];
      });
      expectNear(actual, expected[part]);
    }
  });

  // Rows of the left matrix, numbers that are summed, columns of the right one.
  const sizes = [
    [1, 1, 4],
    [3, 5, 8],
    [4, 127, 36],
    [2, 128, 32],
    [7, 300, 12],
    [5, 129, 3],
    [1, 260, 68],
    [33, 17, 16],
    [2, 1, 1],
    [68, 36, 132],
    [72, 300, 40],
    [8, 1040, 164],
  ] as const;
  const turns = [false, true].flatMap((turnsLeft) =>
    [false, true].map((turnsRight) => ({ turnsLeft, turnsRight })),
  );
  test.each(sizes.flatMap((size) => turns.map((turn) => ({ size, ...turn }))))(
    'multiplies $size with the left matrix transposed: $turnsLeft, the right one: $turnsRight',
    async ({ size, turnsLeft, turnsRight }) => {
      const [rows, depth, columns] = size;
      const [left, right] = [uniform(1, rows * depth), uniform(2, depth * columns)];
      const product = await read(() =>
        kernels.matrixProduct(
          tensor2d(turnsLeft ? turned(left, rows, depth) : left, turnsLeft ? [depth, rows] : [rows, depth]),
          tensor2d(
            turnsRight ? turned(right, depth, columns) : right,
            turnsRight ? [columns, depth] : [depth, columns],
          ),
          { turnsLeft, turnsRight },
        ),
      );
      const row = (values: Float32Array, length: number, index: number): readonly number[] => [
        ...values.subarray(index * length, (index + 1) * length),
      ];
      const sums = Array.from({ length: rows * columns }, () => 0);
      for (let index = 0; index < rows; index += 1) {
        for (const [inner, factor] of row(left, depth, index).entries()) {
          for (const [column, value] of row(right, columns, inner).entries())
            sums[index * columns + column]! += factor * value;
        }
      }
      expectNear(product, sums);
    },
  );

  test.each([
    [1, 3],
    [4, 4],
    [7, 5],
    [36, 2],
    [3, 300],
  ] as const)(
    'writes rows of %i numbers, %i of them, and leaves the others unchanged',
    async (width, count) => {
      const rows = createRng(width)
        .shuffle(Array.from({ length: count + 4 }, (_, row) => row))
        .slice(0, count);
      const [before, fresh] = [uniform(1, (count + 4) * width), uniform(2, count * width)];
      const after = await read(() =>
        kernels
          .writeRows(
            tensor2d(before.slice(), [count + 4, width]),
            tensor2d(fresh, [count, width]),
            Int32Array.from(rows),
          )
          .clone(),
      );
      const expected = before.slice();
      for (const [place, row] of rows.entries())
        expected.set(fresh.subarray(place * width, (place + 1) * width), row * width);
      expect(after).toEqual(expected);
    },
  );

  test.each([1, 3, 4, 9, 1000, 20_003])('sums %i squares', async (size) => {
    const values = uniform(size, size);
    const [sum = Number.NaN] = await read(() => kernels.sumOfSquares(tensor2d(values, [size, 1])));
    expect(sum / innerProduct(values, values)).toBeCloseTo(1, 5);
  });
}

function raggedBags(seed: number, count: number): Bags {
  const rng = createRng(seed).fork('bags');
  const sizes = [0, 1, 5, 0, 17, 2, 3];
  const start = Int32Array.from([
    0,
    ...sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0)),
  ]);
  return { members: Int32Array.from({ length: 28 }, () => rng.int(count)), start };
}

function bagSumByHand(table: Float32Array, bags: Bags, width: number): readonly number[] {
  const sums: number[] = [];
  for (let bag = 0; bag + 1 < bags.start.length; bag += 1) {
    const members = bags.members.subarray(bags.start[bag], bags.start[bag + 1]);
    for (let column = 0; column < width; column += 1)
      sums.push(members.reduce((sum, member) => sum + (table[member * width + column] as number), 0));
  }
  return sums;
}

function adamByHand(
  arrays: Readonly<Record<'value' | 'first' | 'second' | 'gradient', Float32Array>>,
): Readonly<Record<'value' | 'first' | 'second', readonly number[]>> {
  const { learningRate, beta1, beta2, epsilon, weightDecay, gradientScale, step } = constants;
  const slopes = Array.from(arrays.gradient, (slope) => slope * gradientScale);
  const first = slopes.map((slope, at) => beta1 * (arrays.first[at] as number) + (1 - beta1) * slope);
  const second = slopes.map((slope, at) => beta2 * (arrays.second[at] as number) + (1 - beta2) * slope ** 2);
  const value = slopes.map((_, at) => {
    const direction =
      (first[at] as number) /
      (1 - beta1 ** step) /
      (Math.sqrt((second[at] as number) / (1 - beta2 ** step)) + epsilon);
    return (arrays.value[at] as number) * (1 - learningRate * weightDecay) - learningRate * direction;
  });
  return { value, first, second };
}

/** (rows, columns) to (columns, rows). */
function turned(values: Float32Array, rows: number, columns: number): Float32Array {
  return values.map((_, at) => values[(at % rows) * columns + Math.floor(at / rows)] as number);
}

function uniform(seed: number, size: number): Float32Array {
  const rng = createRng(seed).fork('values');
  return Float32Array.from({ length: size }, () => 2 * rng.uniform() - 1);
}

function innerProduct(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] as number), 0);
}

function expectNear(actual: Float32Array, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  const reach = Math.max(1, ...expected.map(Math.abs)); // sums that all but cancel keep the rounding of their terms
  const worst = Math.max(
    0,
    ...expected.map((value, at) => Math.abs(value - (actual[at] ?? Number.NaN)) / reach),
  );
  expect(worst).toBeLessThan(2e-6);
}
