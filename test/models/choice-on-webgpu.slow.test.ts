// Slow: a software driver takes the place of a GPU.
import { expect, test } from 'vitest';
import { softwareVulkanDriver } from '../../cli/doctor/system-parts.ts';
import { describeWithParts } from '../support/system-part.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { choiceContract } from './choice-contract.ts';
import { composedKernels, kernelContract } from './kernel-contract.ts';

const parts = ['vulkan-loader', 'software-vulkan'];
process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

await describeWithParts(parts, 'kernels on webgpu through a software driver', () =>
  kernelContract({ backend: 'webgpu' }),
);
await describeWithParts(parts, 'operations composed of TensorFlow.js ones on webgpu', () =>
  kernelContract({ backend: 'webgpu', kernels: composedKernels }),
);
await describeWithParts(parts, 'choice model on webgpu through a software driver', () =>
  choiceContract({ backend: 'webgpu', tolerance: 4e-6, exact: false }),
);

await describeWithParts(parts, 'backend auto', () => {
  test('skips webgpu when it would run on a software driver', async () => {
    const backend = await openBackend('auto', { environment: process.env });
    expect(backend.name).not.toBe('webgpu');
    if (backend.name === 'wasm')
      expect(backend.notes.join()).toMatch(/webgpu was passed over: it would run on .*software driver/);
  });
});
