import { add, dispose, memory, ones } from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { softwareVulkanDriver } from '../../../cli/doctor/system-parts.ts';
import { openBackend } from '../../../trainers/model/backend/open-backend.ts';
import { bufferSize } from '../../../trainers/model/backend/reuse-buffers.ts';
import { describeWithParts } from '../../support/system-part.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

test('buffers are made in few sizes, with room for what is asked for and at most an eighth more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 30 }), (words) => {
      const made = bufferSize(4 * words);
      expect(made).toBeGreaterThanOrEqual(4 * words);
      expect(made).toBeLessThanOrEqual(4.5 * words);
      expect(made % 4).toBe(0);
      expect(bufferSize(made)).toBe(made);
    }),
  );
  expect(new Set(Array.from({ length: 100_000 }, (_, at) => bufferSize(1_000_000 + 4 * at))).size).toBeLessThan(6);
});

await describeWithParts(['vulkan-loader', 'software-vulkan'], 'buffers of webgpu, through a software driver', () => {
  test('tensors of ever new sizes take no more memory than twice what is in use, and are read whole', async () => {
    const backend = await openBackend('webgpu');
    let most = 0;
    for (let round = 0; round < 60; round += 1) {
      const numbers = 1_000_000 + round * 70_001;
      const sum = backend.run(() => add(ones([numbers]), 1));
      const values = await backend.read(sum);
      expect(values.length).toBe(numbers);
      expect([values[0], values.at(-1)]).toEqual([2, 2]);
      dispose(sum);
      const held = memory();
      most = Math.max(most, 'numBytesAllocatedInGPU' in held ? Number(held.numBytesAllocatedInGPU) : Number.NaN);
    }
    expect(most).toBeLessThan(200 * 2 ** 20); // at most three buffers of 20 MiB are in use at once; all that were made take 1.1 GiB
  });
});
