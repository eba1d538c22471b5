import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { trainConfigSchema } from '../../trainers/loop/config.ts';
import { recipeFor } from '../../trainers/recipes/recipes.ts';
import { metricsLineSchema } from '../../trainers/run-folder/metrics-schema.ts';
import { readJsonl } from '../../trainers/run-folder/read-jsonl.ts';
import { bringBuild, spawnCairn } from '../support/command-line.ts';

/** The recipe, cut to eight iterations and 48 tasks of `dev`: some 13 seconds of one core. */
const changes = ['evaluation.every=4', 'evaluation.tasks=48', 'warmStart.epochs=15', 'warmStart.evaluateEvery=15', 'trajectories.every=8', 'finalPanels=[]'];
const job = ['train', 'shop', '--backend', 'wasm', '--seed', '11', '--iterations', '8', '--group-size', '6', '--quiet', ...changes.flatMap((change) => ['--with', change])];

let folder = '';
beforeAll(async () => {
  await bringBuild();
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

it('cairn train shop learns to buy what is asked for: from below half of the score to above it in eight iterations', async () => {
  const run = path.join(folder, 'run');
  const { code, err } = await spawnCairn([...job, '--run', run]);
  expect(code, err).toBe(0);
  const { lines } = await readJsonl(path.join(run, 'metrics.jsonl'), metricsLineSchema);
  const scores = lines.filter((line) => line.kind === 'evaluation').map(({ score }) => score.mean);
  expect(scores).toHaveLength(3);
  expect(scores[0]).toBeLessThan(0.45);
  expect(scores[2]).toBeGreaterThan(0.55);
}, 300_000);

it('the run says with what view of pages its policy was trained, and that view is the recipe’s alone', async () => {
  const config = JSON.parse(await readFile(path.join(folder, 'run', 'config.json'), 'utf8')) as unknown;
  expect(JSON.stringify(config)).toContain('"surroundings":true');
  expect(trainConfigSchema.parse(recipeFor('shop-v1')).policy).toMatchObject({ surroundings: true });
  expect(trainConfigSchema.parse(recipeFor('household-v1')).policy).not.toHaveProperty('surroundings');
});
