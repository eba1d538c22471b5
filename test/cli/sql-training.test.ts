import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { metricsLineSchema } from '../../trainers/run-folder/metrics-schema.ts';
import { readJsonl } from '../../trainers/run-folder/read-jsonl.ts';
import { bringBuild, spawnCairn } from '../support/command-line.ts';

/** The recipe, cut to ten iterations after half of its cloning: some 12 seconds of one core. */
const changes = ['warmStart.epochs=14', 'warmStart.evaluateEvery=14', 'evaluation.every=10', 'evaluation.tasks=69', 'trajectories.every=10', 'finalPanels=[]'];
const job = ['train', 'sql', '--backend', 'wasm', '--seed', '12', '--iterations', '10', '--quiet', ...changes.flatMap((change) => ['--with', change])];

let folder = '';
beforeAll(async () => {
  await bringBuild();
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

it('cairn train sql learns to build queries: from below half of the questions right to above it in ten iterations', async () => {
  const run = path.join(folder, 'run');
  const { code, err } = await spawnCairn([...job, '--run', run]);
  expect(code, err).toBe(0);
  const { lines } = await readJsonl(path.join(run, 'metrics.jsonl'), metricsLineSchema);
  const rates = lines.filter((line) => line.kind === 'evaluation').map(({ success }) => success.rate);
  expect(rates).toHaveLength(2);
  expect(rates[0]).toBeLessThan(0.48);
  expect(rates[1]).toBeGreaterThan(0.52);
}, 300_000);
