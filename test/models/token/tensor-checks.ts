import { dispose, tensor2d, type Tensor2D } from '@tensorflow/tfjs-core';
import { expect } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** Uniform within -1 and 1. */
export function randomMatrix(seed: number, rows: number, columns: number): Matrix {
  const rng = createRng(seed).fork('matrix');
  return {
    rows,
    columns,
    values: Float32Array.from({ length: rows * columns }, () => 2 * rng.uniform() - 1),
  };
}

export function toTensor({ rows, columns, values }: Matrix): Tensor2D {
  return tensor2d(values, [rows, columns]);
}

/** What an operation makes of matrices, by name. */
export async function compute(
  backend: TensorBackend,
  inputs: Readonly<Record<string, Matrix>>,
  body: (tensors: Record<string, Tensor2D>) => Readonly<Record<string, Tensor2D>>,
): Promise<Readonly<Record<string, Matrix>>> {
  const made = backend.run(() => ({
    ...body(Object.fromEntries(Object.entries(inputs).map(([name, matrix]) => [name, toTensor(matrix)]))),
  }));
  const read: Record<string, Matrix> = {};
  for (const [name, tensor] of Object.entries(made))
    read[name] = { rows: tensor.shape[0], columns: tensor.shape[1], values: await backend.read(tensor) };
  dispose(made);
  return read;
}

export function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-5): void {
  expect(actual.length).toBe(expected.length);
  const largest = Array.from(expected, Math.abs).reduce((most, value) => Math.max(most, value), 1);
  for (let at = 0; at < expected.length; at += 1) {
    const apart = Math.abs((actual[at] as number) - (expected[at] as number)) / largest;
    if (!(apart <= tolerance))
      expect.fail(
        `entry ${at} is ${actual[at]}, not ${expected[at]}: apart by ${apart} of the largest, above ${tolerance}`,
      );
  }
}

/** The length of the difference over the length of what is expected. */
export function relativeError(actual: Float32Array, expected: Float32Array): number {
  expect(actual.length).toBe(expected.length);
  const length = (values: Iterable<number>): number =>
    Math.sqrt([...values].reduce((total, value) => total + value * value, 0));
  return length(actual.map((value, at) => value - (expected[at] as number))) / length(expected);
}

interface DifferentiableOperation {
  readonly backend: TensorBackend;
  readonly inputs: Readonly<Record<string, Matrix>>;
  readonly forward: (tensors: Record<string, Tensor2D>) => Readonly<Record<string, Tensor2D>>;
  /** Gradients by name of an input, from those of the outputs under the outputs' names. */
  readonly backward: (
    tensors: Record<string, Tensor2D>,
    slopes: Record<string, Tensor2D>,
  ) => Readonly<Record<string, Tensor2D>>;
  /** Random directions for each input. Each takes two passes forward. */
  readonly directions?: number;
}

/** Compares every gradient with central differences of a random combination of the outputs, along random directions. */
export async function checkGradients({
  backend,
  inputs,
  forward,
  backward,
  directions = 3,
}: DifferentiableOperation): Promise<void> {
  const outputs = await compute(backend, inputs, forward);
  const slopes = Object.fromEntries(
    Object.entries(outputs).map(([name, { rows, columns }], index) => [
      `slope.${name}`,
      randomMatrix(100 + index, rows, columns),
    ]),
  );
  const gradients = await compute(backend, { ...inputs, ...slopes }, (tensors) =>
    backward(
      tensors,
      Object.fromEntries(Object.keys(outputs).map((name) => [name, tensors[`slope.${name}`] as Tensor2D])),
    ),
  );
  const valueAt = async (moved: Readonly<Record<string, Matrix>>): Promise<number> => {
    const made = await compute(backend, moved, forward);
    return Object.entries(made).reduce(
      (total, [name, matrix]) => total + inner(matrix, slopes[`slope.${name}`] as Matrix),
      0,
    );
  };
  for (const [name, gradient] of Object.entries(gradients)) {
    const input = inputs[name] as Matrix;
    expect([gradient.rows, gradient.columns]).toEqual([input.rows, input.columns]);
    for (let direction = 1; direction <= directions; direction += 1) {
      const way = randomMatrix(200 + direction, input.rows, input.columns);
      const moved = (by: number): Matrix => ({
        ...input,
        values: input.values.map((value, at) => value + by * (way.values[at] as number)),
      });
      const reach = 1e-2;
      const measured =
        ((await valueAt({ ...inputs, [name]: moved(reach) })) -
          (await valueAt({ ...inputs, [name]: moved(-reach) }))) /
        (2 * reach);
      const scale = Math.sqrt((inner(gradient, gradient) * inner(way, way)) / way.values.length) + 1e-3;
      expect(Math.abs(inner(gradient, way) - measured) / scale, `gradient by ${name}`).toBeLessThan(5e-3);
    }
  }
}

function inner(left: Matrix, right: Matrix): number {
  return left.values.reduce((total, value, at) => total + value * (right.values[at] as number), 0);
}
