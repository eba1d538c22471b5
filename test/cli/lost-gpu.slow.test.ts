// Slow: a software driver takes the place of a GPU.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { softwareVulkanDriver } from '../../cli/doctor/system-parts.ts';
import { spawnCairn, type Ran } from '../support/run-program.ts';
import { describeWithParts } from '../support/system-part.ts';
import { makeTinyModel } from '../support/tiny-model.ts';

let folder = '';
const inFolder = (...parts: readonly string[]): string => path.join(folder, ...parts);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Destroys the device with the work that is handed to it next, once the file or folder that `LOSE_GPU_AFTER` names is there. */
const losing = `
  import { existsSync } from 'node:fs';
  const { globals: { GPUAdapter, GPUQueue } } = await import(${JSON.stringify(import.meta.resolve('webgpu'))});
  const { requestDevice } = GPUAdapter.prototype;
  const { submit } = GPUQueue.prototype;
  let device;
  GPUAdapter.prototype.requestDevice = async function (...asked) {
    return (device = await requestDevice.apply(this, asked));
  };
  GPUQueue.prototype.submit = function (...work) {
    submit.apply(this, work);
    if (existsSync(process.env.LOSE_GPU_AFTER)) device.destroy();
  };
`;

const environment = { VK_ICD_FILENAMES: softwareVulkanDriver };
const runLosing = (words: readonly string[], after: string): Promise<Ran> =>
  spawnCairn(words, {
    environment: {
      ...environment,
      NODE_OPTIONS: `--import ${inFolder('losing.mjs')}`,
      LOSE_GPU_AFTER: after,
    },
  });

/** An episode is two short steps: a software driver takes its time over each token. */
const doors = `
  import { defineTextEnv } from 'cairn-gym/envs';
  export const environments = [defineTextEnv({
    id: 'lab/doors-v1',
    summary: 'Go left twice',
    turnLimit: 2,
    panels: { train: 16, dev: 1 },
    task: ({ panel, index }) => ({ instruction: 'Go left.', start: { place: [panel, index], seen: 0, left: 0 } }),
    observe: ({ seen }) => 'door ' + seen,
    actions: () => ['left', 'right'],
    step: ({ place, seen, left }, action) => {
      const state = { place, seen: seen + 1, left: left + (action === 'left' ? 1 : 0) };
      return { state, reward: { left: action === 'left' ? 0.5 : 0 }, ...(state.left === 2 ? { outcome: 'solved' } : {}) };
    },
    experts: { planner: () => ['left', 'left'], searcher: () => ({ act: () => 'left' }) },
  })];
`;

const backend = [
  '--backend',
  'webgpu',
  '--with',
  'evaluation.tasks=1',
  '--with',
  'finalPanels=[]',
  '--quiet',
];
const world = (): readonly string[] => ['--env-module', inFolder('doors.mjs')];
const game = (): readonly string[] => ['lab/doors', ...world(), ...backend];
const tokens = ['--with', 'policy.maxTokens=8', '--with', 'policy.contextLength=512'];
const small = ['--iterations', '2', '--groups', '1', '--group-size', '2', '--with', 'checkpoints.every=1'];

const gone =
  /^error: backend webgpu: the GPU was lost \(destroyed: .*the weights in the last checkpoint are complete\. Check the GPU.*npx cairn-gym train --resume RUN/;

await describeWithParts(['vulkan-loader', 'software-vulkan'], 'GPU lost during a run', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
    await writeFile(inFolder('losing.mjs'), losing);
    await writeFile(inFolder('doors.mjs'), doors);
    await makeTinyModel(inFolder('tiny'), 1, { layers: 1 });
  });

  it.each([
    ['of the choice policy', [...small, '--warm-start', '0', '--with', 'policy.buckets=256']],
    [
      'of the token policy',
      [...small, ...tokens, '--policy', 'token', '--model', 'MODEL', '--with', 'policy.restricted=true'],
    ],
  ])('ends the run %s with an error, and the run resumes from its checkpoint', async (_, words) => {
    const run = inFolder(`run-${words.length}`);
    const lost = await runLosing(
      [
        'train',
        ...game(),
        ...words.map((word) => (word === 'MODEL' ? inFolder('tiny') : word)),
        '--run',
        run,
      ],
      path.join(run, 'checkpoints', 'iteration-00001'),
    );
    expect(lost).toEqual({ code: 1, out: '', err: expect.stringMatching(gone) as string });
    expect(await readdir(path.join(run, 'checkpoints'))).toEqual(['iteration-00001', 'warm-start']);
    const resumed = await spawnCairn(['train', '--resume', run, ...world(), '--quiet'], { environment });
    expect(resumed.code, resumed.err).toBe(0);
    expect(
      (await readFile(path.join(run, 'metrics.jsonl'), 'utf8')).match(/"kind":"iteration"/g),
    ).toHaveLength(2);
  });

  it('ends cloning with an error, and keeps its last whole pass', async () => {
    const run = inFolder('taught');
    const lost = await runLosing(
      [
        'sft',
        ...game(),
        ...tokens,
        '--model',
        inFolder('tiny'),
        '--episodes',
        '1',
        '--epochs',
        '2',
        '--with',
        'warmStart.evaluateEvery=2',
        '--run',
        run,
      ],
      path.join(run, 'checkpoints', 'cloning'),
    );
    expect(lost).toEqual({ code: 1, out: '', err: expect.stringMatching(gone) as string });
    expect(
      await spawnCairn(['model', 'show', path.join(run, 'checkpoints', 'cloning', 'policy')]),
    ).toMatchObject({ code: 0 });
  });
});
