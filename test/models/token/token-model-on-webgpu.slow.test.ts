// Slow: a software driver takes the place of a GPU.
import { test } from 'vitest';
import { softwareVulkanDriver } from '../../../cli/doctor/system-parts.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { lossesOn } from './losses-on.ts';
import { expectNear } from './tensor-checks.ts';
import { tokenModelContract } from './token-model-contract.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

await describeWithParts(
  ['vulkan-loader', 'software-vulkan'],
  'token model on webgpu through a software driver',
  () => {
    tokenModelContract({ backend: 'webgpu', exact: false, families: ['qwen3'], updates: 4, thorough: false });

    test.each(['sft', 'rl'] as const)('agrees with cpu on every loss of 5 updates: %s', async (kind) => {
      expectNear(await lossesOn('webgpu', kind, 5), await lossesOn('cpu', kind, 5), 1e-3);
    });
  },
);
