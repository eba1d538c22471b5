// Slow: a software driver takes the place of a GPU.
import { softwareVulkanDriver } from '../../../cli/doctor/system-parts.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { attentionContract } from './attention-contract.ts';
import { networkContract } from './network-contract.ts';
import { operationsContract } from './operations-contract.ts';

const parts = ['vulkan-loader', 'software-vulkan'];
process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

await describeWithParts(parts, 'transformer operations on webgpu through a software driver', () =>
  operationsContract({ backend: 'webgpu', runs: 3 }),
);
await describeWithParts(parts, 'transformer on webgpu through a software driver', () =>
  networkContract({ backend: 'webgpu', runs: 2, adapted: ['llama'] }),
);
await describeWithParts(parts, 'attention on webgpu through a software driver', () =>
  attentionContract({ backend: 'webgpu', runs: 2, differentiatesCaches: true, directions: 1 }),
);
