// Slow: a software driver takes the place of a GPU.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { softwareVulkanDriver } from '../../../cli/doctor/system-parts.ts';
import { metricsLineSchema, type MetricsLine } from '../../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../../files/read-jsonl.ts';
import { corridor } from '../../support/corridor.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { makeTinyModel } from '../../support/tiny-model.ts';
import { temporaryFolder } from '../run/make-run.ts';
import { trainSmall } from './small-training.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

const own = temporaryFolder();
afterAll(() => own[Symbol.dispose]());

type Figure = readonly [name: string, value: number | undefined];

function figuresOf(line: MetricsLine): readonly Figure[] {
  if (line.kind === 'warm-start') return [['cloning', line.loss]];
  return line.kind === 'iteration'
    ? [
        ['update', line.figures['update/loss']],
        ['tokens', line.figures['update/tokens']],
      ]
    : [];
}

await describeWithParts(
  ['vulkan-loader', 'software-vulkan'],
  'language model on webgpu through a software driver',
  () => {
    it('reaches in cloning and a few training steps the figures of the processor', async () => {
      const model = await makeTinyModel(join(own.path, 'tiny'));
      const trained = async (backend: 'webgpu' | 'wasm'): Promise<readonly Figure[]> => {
        const folder = join(own.path, backend);
        await trainSmall(folder, {
          definition: corridor,
          config: {
            env: 'corridor-v1',
            envConfig: { turns: 3 },
            devPanel: 'train',
            backend,
            iterations: 1,
            groups: 2,
            groupSize: 3,
            policy: { kind: 'token', model, maxTokens: 12, contextLength: 512, restricted: true },
            warmStart: { episodes: 2, epochs: 2, evaluateEvery: 2 },
            evaluation: { tasks: 1 },
            update: { batchSteps: 8 },
          },
        });
        const { lines } = await readJsonl(join(folder, 'metrics.jsonl'), metricsLineSchema);
        return lines.flatMap(figuresOf);
      };
      const [ours, theirs] = [await trained('webgpu'), await trained('wasm')];
      expect(ours.map(([name]) => name)).toEqual(['cloning', 'cloning', 'update', 'tokens']);
      for (const [at, [, value]] of ours.entries()) expect(value).toBeCloseTo(theirs[at]?.[1] as number, 3);
    });
  },
);
