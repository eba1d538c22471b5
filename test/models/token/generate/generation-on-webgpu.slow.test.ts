// Slow: a software driver takes the place of a GPU.
import { softwareVulkanDriver } from '../../../../cli/doctor/system-parts.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { generationContract } from './generation-contract.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

await describeWithParts(
  ['vulkan-loader', 'software-vulkan'],
  'generation on webgpu through a software driver',
  () => generationContract({ backend: 'webgpu', episodes: 2, turns: 2, maxTokens: 4, isExact: false }),
);
