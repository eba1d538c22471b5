// Slow: trains until something is learnt, several times.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricsLineSchema } from '../../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../../files/read-jsonl.ts';
import { spawnCairn } from '../../support/run-program.ts';

let folder = '';
const inFolder = (...parts: readonly string[]): string => path.join(folder, ...parts);

async function train(name: string, more: readonly string[]): Promise<void> {
  const ran = await spawnCairn(['train', 'household', '--run', inFolder(name), '--quiet', ...more]);
  expect(ran.code, ran.err).toBe(0);
}

const metricsOf = (name: string): Promise<string> => readFile(inFolder(name, 'metrics.jsonl'), 'utf8');

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('training from the command line', () => {
  it('raises success on dev above 45 % and by an eighth of all tasks in 14 short iterations', async () => {
    const small = [
      '--iterations',
      '14',
      '--groups',
      '12',
      '--group-size',
      '6',
      '--seed',
      '3',
      '--backend',
      'wasm',
      '--with',
      'finalPanels=[]',
    ];
    await train('learning', [
      ...small,
      '--with',
      'evaluation.every=14',
      '--with',
      'warmStart.epochs=40',
      '--with',
      'warmStart.evaluateEvery=20',
    ]);
    const { lines } = await readJsonl(inFolder('learning', 'metrics.jsonl'), metricsLineSchema);
    const success = lines.filter((line) => line.kind === 'evaluation').map((line) => line.success.rate);
    const [before = 1, after = 0] = success;
    expect(before).toBeLessThan(0.4);
    expect(after).toBeGreaterThan(Math.max(0.45, before + 0.125));
  });

  // Small enough for `cpu`, which is slow: the parts are those of a whole run.
  const brief = ['--iterations', '2', '--groups', '2', '--group-size', '3', '--warm-start', '3'];
  const rare = [
    'warmStart.epochs=2',
    'warmStart.evaluateEvery=2',
    'evaluation.tasks=4',
    'policy.buckets=1024',
    'policy.width=16',
    'policy.hidden=16',
    'finalPanels=[]',
  ];

  it.each(['wasm', 'cpu'])(
    'writes on %s the same metrics byte for byte, at any concurrency',
    async (backend) => {
      const job = [
        ...brief,
        '--seed',
        '5',
        '--backend',
        backend,
        ...rare.flatMap((change) => ['--with', change]),
      ];
      await train(`${backend}-1`, [...job, '--concurrency', '64']);
      await train(`${backend}-2`, [...job, '--concurrency', '5']);
      const metrics = await metricsOf(`${backend}-1`);
      expect(metrics.split('\n').length).toBeGreaterThan(5);
      expect(await metricsOf(`${backend}-2`)).toBe(metrics);
    },
  );

  it('writes other metrics for another seed', async () => {
    const job = [
      ...brief,
      '--backend',
      'wasm',
      ...rare.flatMap((change) => ['--with', change]),
      '--seed',
      '6',
    ];
    await train('other', job);
    expect(await metricsOf('other')).not.toBe(await metricsOf('wasm-1'));
  });
});
