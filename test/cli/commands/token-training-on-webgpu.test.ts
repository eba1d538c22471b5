import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { softwareVulkanDriver } from '../../../cli/doctor/system-parts.ts';
import { cairn } from '../../support/command-line.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { temporaryFolder } from '../../trainers/run-folder/make-run.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

const own = temporaryFolder();
const at = (name: string): string => path.join(own.path, name);
afterAll(() => own[Symbol.dispose]());

async function succeed(words: readonly string[]): Promise<void> {
  const { code, err } = await cairn(words, { environment: { PATH: process.env['PATH'], VK_ICD_FILENAMES: softwareVulkanDriver } });
  expect(code, err).toBe(0);
}

await describeWithParts(['vulkan-loader', 'software-vulkan'], 'the three commands on webgpu, through a software driver', () => {
  it('make a model, teach it and train it for a handful of steps', async () => {
    const settings = ['evaluation.tasks=2', 'finalPanels=[]', 'policy.maxTokens=24', 'policy.contextLength=1024', 'warmStart.batchSteps=16'].flatMap((setting) => ['--with', setting]);
    const game = ['lights-out', '--set', 'size=3', '--backend', 'webgpu', '--quiet', ...settings];
    await succeed(['model', 'init', 'nano', '--out', at('nano'), '--quiet']);
    await succeed(['sft', ...game, '--model', at('nano'), '--episodes', '4', '--epochs', '2', '--run', at('taught')]);
    await succeed(['train', ...game, '--policy', 'token', '--model', at('taught'), '--iterations', '1', '--groups', '2', '--group-size', '4', '--with', 'policy.restricted=true', '--with', 'update.batchSteps=8', '--run', at('trained')]);
    const metrics = await readFile(path.join(at('trained'), 'metrics.jsonl'), 'utf8');
    expect(metrics).toMatch(/"update\/tokens":\d+/);
    expect(await readFile(path.join(at('trained'), 'config.json'), 'utf8')).toContain('"backend": "webgpu"');
  }, 240_000);
});
