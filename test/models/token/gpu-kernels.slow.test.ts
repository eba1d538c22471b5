// Slow: a software driver takes the place of a GPU.
import { softwareVulkanDriver } from '../../../cli/doctor/system-parts.ts';
import { engine, tensor1d, tensor2d, unregisterKernel, type Tensor2D } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { drawRows, kernelNames } from '../../../models/kernels/operations.ts';
import { queryTiles } from '../../../models/kernels/query-tiles.ts';
import { KernelCall } from '../../../models/kernels/webgpu/kernel-call.ts';
import { findRows } from '../../../models/kernels/webgpu/span-code.ts';
import { registerWebgpuKernels } from '../../../models/kernels/webgpu/webgpu-kernels.ts';
import { drawToken } from '../../../models/token/generate/draw-token.ts';
import { attention, attentionGradient } from '../../../models/token/operations/attention.ts';
import {
  composedAttention,
  composedAttentionGradient,
} from '../../../models/token/operations/composed-attention.ts';
import { composedScoreRows, scoreRows } from '../../../models/token/operations/score-rows.ts';
import { packRows } from '../../../models/token/packed-tokens.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { attentionContract } from './attention-contract.ts';
import { expectNear, randomMatrix } from './tensor-checks.ts';

// What only a GPU runs by itself: shaders that a software driver takes long to translate, and rows as wide as the vocabularies of real models.

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

await describeWithParts(['vulkan-loader', 'software-vulkan'], 'GPU kernels through a software driver', () => {
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend('webgpu');
    const { WebGPUBackend } = await import('@tensorflow/tfjs-backend-webgpu');
    for (const name of [kernelNames.attention, kernelNames.attentionGradient])
      unregisterKernel(name, 'webgpu');
    registerWebgpuKernels(WebGPUBackend, { byTiles: true });
  });

  describe('attention by tiles', () =>
    attentionContract({ backend: 'webgpu', runs: 2, differentiatesCaches: true, directions: 1 }));

  test('handles heads of 128, which take two tiles of columns', async () => {
    const sight = packRows([new Int32Array(70)]);
    const shape = { heads: 2, keyValueHeads: 1 };
    const of = (kernels: {
      readonly attention: typeof attention;
      readonly attentionGradient: typeof attentionGradient;
    }): Promise<Float32Array[]> => {
      const made = backend.run(() => {
        const matrix = (seed: number, columns: number): Tensor2D =>
          tensor2d(randomMatrix(seed, 70, columns).values, [70, columns]);
        const input = {
          ...sight,
          query: matrix(1, 256),
          key: matrix(2, 128),
          value: matrix(3, 128),
          ...shape,
        };
        const attended = kernels.attention(input);
        return { output: attended.output, ...kernels.attentionGradient(input, attended, matrix(4, 256)) };
      });
      return Promise.all(Object.values(made).map((tensor) => backend.read(tensor)));
    };
    const [own, composed] = [
      await of({ attention, attentionGradient }),
      await of({ attention: composedAttention, attentionGradient: composedAttentionGradient }),
    ];
    for (const [at, values] of own.entries()) expectNear(values, composed[at] as Float32Array);
  });

  test('assigns thread groups the queries of their tile or its part, and none beyond the last', async () => {
    const { WebGPUBackend } = await import('@tensorflow/tfjs-backend-webgpu');
    const [queries, groups] = [5, 12]; // that see from two places: tiles of the first three and of the others
    const sight = Int32Array.of(0, 0, 0, 7, 7, 0, 1, 2, 7, 8, ...queryTiles(Int32Array.of(0, 0, 0, 7, 7)));
    const rowsOf = async (rows: number): Promise<number[]> => {
      const made = backend.run(() => {
        const gpu = engine().backend;
        if (!(gpu instanceof WebGPUBackend)) throw new TypeError('the backend is another');
        const call = new KernelCall({ sight: tensor1d(sight, 'int32') }, gpu, undefined);
        const code = `fn main(group : i32) {
          if (group < ${groups}) {
            ${findRows('group', { inTiles: true, rows, count: String(queries) })}
            setOutputAtIndex(2 * group, f32(first));
            setOutputAtIndex(2 * group + 1, f32(end));
          }
        }`;
        return engine().makeTensorFromTensorInfo(
          call.run({ name: `rows_${rows}`, variables: ['sight'], outputShape: [groups, 2], code }),
        );
      });
      return [...(await backend.read(made))];
    };
    const beyond = (from: number): number[] => Array.from({ length: 2 * (groups - from) }, () => queries);
    expect(await rowsOf(64)).toEqual([0, 3, 3, 5, ...beyond(2)]);
    expect(await rowsOf(16)).toEqual([0, 3, 16, 3, 32, 3, 48, 3, 3, 5, 19, 5, 35, 5, 51, 5, ...beyond(8)]); // no row where the first is not before the end
  });

  const logitsOf = (rows: number, vocabulary: number): Float32Array => {
    const rng = createRng(vocabulary).fork('logits');
    return Float32Array.from({ length: rows * vocabulary }, () => 6 * rng.uniform() - 3);
  };
  const draw = async (
    logits: Float32Array,
    vocabulary: number,
    how: readonly (readonly [factor: number, point: number])[],
  ): Promise<Float32Array> => {
    const drawn = backend.run(() =>
      drawRows(tensor2d(logits, [how.length, vocabulary]), tensor2d(how.flat(), [how.length, 2])),
    );
    const values = await backend.read(drawn);
    drawn.dispose();
    return values;
  };

  test.each([1, 5, 256, 491, 70_001])(
    'draw from rows of %i logits the same tokens as the processor',
    async (vocabulary) => {
      const how = Array.from(
        { length: 24 },
        (_, row) => [row % 3 === 0 ? 0 : 1 / (0.5 + row / 12), (row * 0.377) % 1] as const,
      );
      const logits = logitsOf(how.length, vocabulary);
      const drawn = await draw(logits, vocabulary, how);
      const expected = how.map(([factor, point], row) =>
        drawToken({
          logits: logits.subarray(row * vocabulary, (row + 1) * vocabulary),
          candidates: undefined,
          decoding: { temperature: factor === 0 ? 0 : 1 / factor },
          uniform: () => point,
          where: 'row',
        }),
      );
      // Points so near the border of two tokens that rounding decides are rare, and none of these rows has one.
      expect(how.map((_, row) => drawn[2 * row])).toEqual(expected.map(({ token }) => token));
      expectNear(
        how.map((_, row) => drawn[2 * row + 1] as number),
        expected.map(({ logprob }) => logprob),
      );
    },
  );

  test('draw correctly when one token has nearly all the probability, even from the many others', async () => {
    const vocabulary = 20_000;
    const run = Math.ceil(vocabulary / 256); // what one thread looks at
    const points = Array.from({ length: 40 }, (_, row) => 0.99981 + row * 4.5e-6);
    const logits = new Float32Array(points.length * vocabulary);
    for (const row of points.keys()) logits[row * vocabulary] = 18.42; // each other token has a share of 1e-8, less than float32 can add to the first one's
    const drawn = await draw(
      logits,
      vocabulary,
      points.map((point) => [1, point] as const),
    );
    const tokens = points.map((_, row) => drawn[2 * row] as number);
    expect(tokens.every((token) => token > 0)).toBe(true);
    expect(tokens.filter((token) => token % run === run - 1).length).toBeLessThan(5); // not the last of a run again and again
    for (const [row, token] of tokens.entries())
      expect(Math.abs(token - ((points[row] as number) - 0.9998) * 1e8)).toBeLessThan(150);
  });

  test('draw from finite logits whose sum is not finite', async () => {
    expect((await draw(new Float32Array(300).fill(1e37), 300, [[1, 0.5]]))[0]).toBe(150);
  });

  test('take the first of equal tokens at temperature 0, and the last when the point is the end', async () => {
    const logits = Float32Array.of(1, 3, 3, 2, -1, -1, -1, -1);
    expect(
      [
        ...(await draw(logits, 4, [
          [0, 0],
          [1, 1],
        ])),
      ].map((number) => Math.round(number * 1e4) / 1e4),
    ).toEqual([1, 0, 3, -1.3863]);
    expect((await draw(new Float32Array(1_000), 1_000, [[1, 1]]))[0]).toBe(999);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'report a row with %d as not finite, and draw from the others',
    async (odd) => {
      const drawn = await draw(Float32Array.of(0, odd, 0, 0, 9, 0), 3, [
        [1, 0.5],
        [1, 0.5],
      ]);
      expect([drawn[0], drawn[2]]).toEqual([-1, 1]);
    },
  );

  test('score rows as wide as a large vocabulary', async () => {
    const [rows, vocabulary] = [3, 5_000];
    const logits = logitsOf(rows, vocabulary);
    const of = (score: typeof scoreRows): Promise<Float32Array[]> => {
      const made = backend.run(() => ({
        ...score({
          logits: tensor2d(logits, [rows, vocabulary]),
          targets: Int32Array.of(0, 4_999, 77),
          temperature: 0.7,
        }),
      }));
      return Promise.all(Object.values(made).map(async (tensor: Tensor2D) => backend.read(tensor)));
    };
    const [own, composed] = [await of(scoreRows), await of(composedScoreRows)];
    for (const [at, values] of own.entries()) expectNear(values, composed[at] as Float32Array);
  });
});
