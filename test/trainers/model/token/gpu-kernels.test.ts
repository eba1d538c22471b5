import { softwareVulkanDriver } from '../../../../cli/doctor/system-parts.ts';
import { tensor2d, unregisterKernel, type Tensor2D } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../../trainers/model/backend/backend.ts';
import { openBackend } from '../../../../trainers/model/backend/open-backend.ts';
import { drawRows, kernelNames } from '../../../../trainers/model/kernels/operations.ts';
import { registerWebgpuKernels } from '../../../../trainers/model/kernels/webgpu/webgpu-kernels.ts';
import { drawToken } from '../../../../trainers/model/token/generate/draw-token.ts';
import { composedScoreRows, scoreRows } from '../../../../trainers/model/token/operations/score-rows.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { attentionContract } from './attention-contract.ts';
import { expectNear } from './tensor-checks.ts';

// What only a GPU runs by itself: shaders that a software driver takes long to translate, and rows as wide as the vocabularies of real models.

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

await describeWithParts(['vulkan-loader', 'software-vulkan'], 'kernels for a GPU, through a software driver', () => {
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend('webgpu');
    const { WebGPUBackend } = await import('@tensorflow/tfjs-backend-webgpu');
    for (const name of [kernelNames.attention, kernelNames.attentionGradient]) unregisterKernel(name, 'webgpu');
    registerWebgpuKernels(WebGPUBackend, { byTiles: true });
  });

  describe('attention by tiles', () => attentionContract({ backend: 'webgpu', runs: 2, differentiatesCaches: true }));

  const logitsOf = (rows: number, vocabulary: number): Float32Array => {
    const rng = createRng(vocabulary).fork('logits');
    return Float32Array.from({ length: rows * vocabulary }, () => 6 * rng.uniform() - 3);
  };
  const draw = async (logits: Float32Array, vocabulary: number, how: readonly (readonly [factor: number, point: number])[]): Promise<Float32Array> => {
    const drawn = backend.run(() => drawRows(tensor2d(logits, [how.length, vocabulary]), tensor2d(how.flat(), [how.length, 2])));
    const values = await backend.read(drawn);
    drawn.dispose();
    return values;
  };

  test.each([1, 5, 256, 491, 70_001])('draws from rows of %i logits what is drawn from them on the processor', async (vocabulary) => {
    const how = Array.from({ length: 24 }, (_, row) => [row % 3 === 0 ? 0 : 1 / (0.5 + row / 12), (row * 0.377) % 1] as const);
    const logits = logitsOf(how.length, vocabulary);
    const drawn = await draw(logits, vocabulary, how);
    const expected = how.map(([factor, point], row) =>
      drawToken({ logits: logits.subarray(row * vocabulary, (row + 1) * vocabulary), candidates: undefined, decoding: { temperature: factor === 0 ? 0 : 1 / factor }, uniform: () => point, where: 'row' }),
    );
    // Points so near the border of two tokens that rounding decides are rare, and none of these rows has one.
    expect(how.map((_, row) => drawn[2 * row])).toEqual(expected.map(({ token }) => token));
    expectNear(how.map((_, row) => drawn[2 * row + 1] as number), expected.map(({ logprob }) => logprob));
  });

  test('takes the first of equal tokens at temperature 0, and the last where the point is the end', async () => {
    const logits = Float32Array.of(1, 3, 3, 2, -1, -1, -1, -1);
    expect([...(await draw(logits, 4, [[0, 0], [1, 1]]))].map((number) => Math.round(number * 1e4) / 1e4)).toEqual([1, 0, 3, -1.3863]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('says that a row with %d is not finite, and draws from the others', async (odd) => {
    const drawn = await draw(Float32Array.of(0, odd, 0, 0, 9, 0), 3, [[1, 0.5], [1, 0.5]]);
    expect([drawn[0], drawn[2]]).toEqual([-1, 1]);
  });

  test('scores rows as wide as a large vocabulary', async () => {
    const [rows, vocabulary] = [3, 5_000];
    const logits = logitsOf(rows, vocabulary);
    const of = (score: typeof scoreRows): Promise<Float32Array[]> => {
      const made = backend.run(() => ({ ...score({ logits: tensor2d(logits, [rows, vocabulary]), targets: Int32Array.of(0, 4_999, 77), temperature: 0.7 }) }));
      return Promise.all(Object.values(made).map(async (tensor: Tensor2D) => backend.read(tensor)));
    };
    const [own, composed] = [await of(scoreRows), await of(composedScoreRows)];
    for (const [at, values] of own.entries()) expectNear(values, composed[at] as Float32Array);
  });
});
