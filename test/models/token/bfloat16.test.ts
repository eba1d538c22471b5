import { tensor1d, tensor2d, type Tensor } from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { roundToBfloat16, widenBfloat16 } from '../../../models/kernels/bfloat16.ts';
import { bfloat16Rows, matrixProduct, writeRows } from '../../../models/kernels/operations.ts';
import { initialTransformerWeights } from '../../../models/token/initial-weights.ts';
import { uploadTensors } from '../../../models/token/checkpoint.ts';
import { KeyValueCache } from '../../../models/token/generate/key-value-cache.ts';
import { forward, forwardWithCache, precisionOf, type Transformer } from '../../../models/token/network.ts';
import { attention } from '../../../models/token/operations/attention.ts';
import { assertHolds, openTokenModel } from '../../../models/token/open-token-model.ts';
import { packRows, type PackedTokens } from '../../../models/token/packed-tokens.ts';
import { weightShapes, type Precision } from '../../../models/token/weight-layout.ts';
import { liveConfig } from './generate/live-model.ts';
import { closeModel, goldenFolder } from './golden-model.ts';
import { learningKinds } from './losses-on.ts';
import { batchOf, randomTraining } from './random-tokens.ts';
import { expectNear } from './tensor-checks.ts';

/** The nearest bfloat16 by search among the neighbours, in float64. */
function nearest(value: number): readonly number[] {
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, value);
  const upper = bits.getUint16(0);
  const around = [upper - 1, upper, upper + 1].map((of) => {
    bits.setUint32(0, (of & 0xffff) << 16);
    return bits.getFloat32(0);
  });
  const distances = around.map((of) => Math.abs(of - value));
  return around.filter((_, at) => distances[at] === Math.min(...distances.filter(Number.isFinite)));
}

function rounded(values: Float32Array): Float32Array {
  const wide = new Float32Array(values.length);
  widenBfloat16(roundToBfloat16(values), wide);
  return wide;
}

const uniform = (seed: number, length: number): Float32Array => {
  const rng = createRng(seed);
  return Float32Array.from({ length }, () => 2 * rng.uniform() - 1);
};

test('rounds to the nearest number, ties to even, and widens without a change', () => {
  const number = fc.float({
    noNaN: true,
    noDefaultInfinity: true,
    min: Math.fround(-1e38),
    max: Math.fround(1e38),
  });
  fc.assert(
    fc.property(number, number, (one, other) => {
      const wide = rounded(Float32Array.of(one, other));
      expect(nearest(Math.fround(one)).some((of) => Object.is(of, wide[0]))).toBe(true);
      expect(nearest(Math.fround(other)).some((of) => Object.is(of, wide[1]))).toBe(true);
      expect(rounded(wide)).toEqual(wide);
    }),
  );
  // 1 + 2^-8 lies between 1 and 1 + 2^-7, 1 + 3 * 2^-8 between 1 + 2^-7 and 1 + 2^-6: both go to the even one
  expect(rounded(Float32Array.of(1 + 2 ** -8, 1 + 3 * 2 ** -8))).toEqual(Float32Array.of(1, 1 + 2 ** -6));
});

describe.each(['wasm', 'cpu'] as const)('bfloat16 on %s', (name) => {
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend(name);
  });
  const read = async (make: () => Tensor): Promise<Float32Array> => {
    const tensor = backend.run(make);
    const values = await backend.read(tensor);
    tensor.dispose();
    return values;
  };

  test.each([
    { rows: 1, depth: 8, columns: 1 },
    { rows: 3, depth: 64, columns: 19 },
    { rows: 5, depth: 300, columns: 32 },
    { rows: 2, depth: 6, columns: 10 },
  ])('products of $rows x $depth by $columns', async ({ rows, depth, columns }) => {
    const left = uniform(1, rows * depth);
    for (const turnsRight of [true, false]) {
      const shape = turnsRight ? ([columns, depth] as const) : ([depth, columns + (columns % 2)] as const);
      const right = uniform(2, shape[0] * shape[1]);
      const turns = { turnsLeft: false, turnsRight };
      const found = await read(() =>
        matrixProduct(
          tensor2d(left, [rows, depth]),
          tensor2d(roundToBfloat16(right), [shape[0], shape[1] / 2], 'int32'),
          turns,
        ),
      );
      const wanted = await read(() =>
        matrixProduct(tensor2d(left, [rows, depth]), tensor2d(rounded(right), [...shape]), turns),
      );
      expectNear(found, wanted, 1e-5);
    }
  });

  test('a row of a product is the same beside any number of others', async () => {
    const left = uniform(3, 9 * 64);
    const right = roundToBfloat16(uniform(4, 37 * 64));
    const products = async (rows: number): Promise<Float32Array> =>
      read(() =>
        matrixProduct(tensor2d(left.subarray(0, rows * 64), [rows, 64]), tensor2d(right, [37, 32], 'int32'), {
          turnsLeft: false,
          turnsRight: true,
        }),
      );
    const all = await products(9);
    for (const rows of [1, 2, 5]) expect(await products(rows)).toEqual(all.subarray(0, rows * 37));
  });

  test.each([8, 6])('rows of %i numbers are read, and written in place', async (width) => {
    const values = uniform(5, 4 * width);
    const fresh = uniform(6, 2 * width);
    const table = backend.run(() => tensor2d(roundToBfloat16(values), [4, width / 2], 'int32'));
    const rows = (): Promise<Float32Array> => read(() => bfloat16Rows(table, Int32Array.of(3, 0, 3)));
    const row = (of: Float32Array, at: number): readonly number[] => [
      ...rounded(of).subarray(at * width, (at + 1) * width),
    ];
    expect([...(await rows())]).toEqual([...row(values, 3), ...row(values, 0), ...row(values, 3)]);
    backend.run(() => void writeRows(table, tensor2d(fresh, [2, width]), Int32Array.of(0, 2)));
    expect([...(await rows())]).toEqual([...row(values, 3), ...row(fresh, 0), ...row(values, 3)]);
    table.dispose();
  });

  test('attention over keys and values of bfloat16 is that over the rounded ones', async () => {
    const [tokens, seen, size] = [5, 12, 8];
    const sight = { from: Int32Array.of(0, 0, 4, 4, 0), until: Int32Array.of(2, 3, 4, 11, 3) };
    const [query, key, value] = [
      uniform(7, tokens * 4 * size),
      uniform(8, seen * 2 * size),
      uniform(9, seen * 2 * size),
    ];
    const attend = (halves: boolean): Promise<Float32Array> =>
      read(() => {
        const held = (of: Float32Array): ReturnType<typeof tensor2d> =>
          halves
            ? tensor2d(roundToBfloat16(of), [seen, size], 'int32')
            : tensor2d(rounded(of), [seen, 2 * size]);
        const { output, logSum } = attention({
          ...sight,
          query: tensor2d(query, [tokens, 4 * size]),
          key: held(key),
          value: held(value),
          heads: 4,
          keyValueHeads: 2,
        });
        return tensor1d([...output.dataSync(), ...logSum.dataSync()]);
      });
    expectNear(await attend(true), await attend(false), 1e-6);
  });

  /** The small model, its matrices rounded to bfloat16 and held so or as float32. */
  const openSmall = async (precision: Precision): Promise<Transformer> => {
    const shapes = weightShapes(liveConfig);
    const values = Object.entries(initialTransformerWeights(liveConfig, createRng(3))).map(
      ([path, numbers]) => [path, shapes.get(path)?.length === 2 ? rounded(numbers) : numbers] as const,
    );
    const weights = await uploadTensors(backend, shapes, values, precision);
    expect(precisionOf({ weights })).toBe(precision);
    return { config: liveConfig, weights, adapter: undefined };
  };

  test('a model is that of the rounded weights, also token by token', async () => {
    const [half, whole] = [await openSmall('bf16'), await openSmall('float32')];
    const row = [3, 1, 4, 1, 5, 9, 2, 6];
    const hidden = (model: Transformer): Promise<Float32Array> =>
      read(() => forward(model, packRows([row]), { recompute: false }).hidden);
    const wanted = await hidden(whole);
    expectNear(await hidden(half), wanted, 2e-5);
    const cache = new KeyValueCache(backend, liveConfig, { rows: 8, precision: 'bf16' });
    for (const [place, id] of row.entries()) {
      const at = Int32Array.of(place);
      const tokens: PackedTokens = {
        ids: Int32Array.of(id),
        positions: at,
        from: Int32Array.of(0),
        until: at,
      };
      const { width } = liveConfig;
      const found = await read(() =>
        forwardWithCache(half, tokens, (layer, fresh) => cache.write(layer, fresh, at)),
      );
      expectNear(found, wanted.subarray(place * width, (place + 1) * width), 0.05); // keys and values are rounded
    }
    cache.dispose();
    for (const model of [half, whole]) closeModel(model);
  });
});

describe('a token model with weights in bf16', () => {
  const { signal } = new AbortController();
  const open = async (precision: Precision, adapted: boolean) =>
    openTokenModel({
      backend: await openBackend('wasm'),
      folder: goldenFolder('qwen3-bf16'), // its weights are bfloat16 in the file: nothing is rounded
      precision,
      ...(adapted
        ? {
            adapter: {
              kind: 'new',
              config: { rank: 2, alpha: 4, targets: ['q_proj', 'down_proj'] },
              rng: createRng(5),
            },
          }
        : {}),
    });

  test('scores and trains an adapter as in float32', async () => {
    const [half, whole] = [await open('bf16', true), await open('float32', true)];
    for (let update = 0; update < 3; update += 1) {
      const training = randomTraining(update, { rows: 4, vocabulary: 300 });
      const losses: number[] = [];
      for (const model of [half, whole]) {
        losses.push((await model.accumulate(training, learningKinds.sft, signal)).loss);
        await model.apply({ learningRate: 1e-2, maxGradNorm: 1, weightDecay: 0 });
      }
      expect(losses[0]).toBeCloseTo(losses[1] ?? Number.NaN, 4);
    }
    const batch = batchOf([[5, 299, 0, 17, 17]]);
    expectNear(await half.logprobs(batch, 1), await whole.logprobs(batch, 1), 1e-3);
    for (const model of [half, whole]) await model.dispose();
  });

  test('refuses to train, save or load all weights', async () => {
    const model = await open('bf16', false);
    const training = randomTraining(1, { rows: 2, vocabulary: 300 });
    const refused = /held in bf16, and so are not trained\. Train an adapter, or open the model in float32\./;
    await expect(model.accumulate(training, learningKinds.sft, signal)).rejects.toThrow(refused);
    await expect(model.save('nowhere')).rejects.toThrow(refused);
    await expect(model.load('nowhere')).rejects.toThrow(refused);
    await model.dispose();
  });

  test('cannot be opened on other backends, or with workers', async () => {
    const backend = await openBackend('wasm');
    expect(() => assertHolds('bf16', { ...backend, name: 'webgpu' }, 0)).toThrow(
      'precision: backend webgpu computes with weights in float32 only, and bf16 was asked for. Use --backend wasm, or leave the precision out.',
    );
    expect(() => assertHolds('bf16', backend, 2)).toThrow(/Set policy\.workers to 0/);
    expect(() => assertHolds('float32', { ...backend, name: 'webgpu' }, 2)).not.toThrow();
  });
});
