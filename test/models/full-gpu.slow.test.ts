// Slow: a software driver takes the place of a GPU.
import { add, fill, ones, slice } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { softwareVulkanDriver } from '../../cli/doctor/system-parts.ts';
import { isMemoryFull } from '../../models/backend/memory-full.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { describeWithParts } from '../support/system-part.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

await describeWithParts(['vulkan-loader', 'software-vulkan'], 'full GPU through a software driver', () => {
  test('reports an error in place of stale memory, and computes nothing more', async () => {
    const backend = await openBackend('webgpu');
    const beginning = backend.run(() => slice(fill([2 ** 28 - 1_000], 3), [0], [4])); // nearly 1 GiB, more than the driver gives at once
    const thrown = await backend.read(beginning).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(String(thrown)).toMatch(
      /^RunError: backend webgpu: the GPU has no room for what it was to hold, and what it holds is not to be trusted any more \(.+\)\. Use smaller batches/,
    );
    expect(isMemoryFull(thrown)).toBe(true);
    expect(() => backend.run(() => add(ones([2]), 1))).toThrow('the GPU has no room');
  });
});
