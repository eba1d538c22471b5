// Slow: kills and restarts a process many times.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import { listCheckpoints, readBest } from '../../../trainers/run/checkpoint-store.ts';
import { metricsLineSchema, timingsLineSchema } from '../../../trainers/run/metrics-schema.ts';
import { resumeRun } from '../../../trainers/run/open-run.ts';
import { readCheckpoint } from '../../../trainers/run/read-checkpoint.ts';
import { readJsonl } from '../../../files/read-jsonl.ts';
import { temporaryFolder } from './make-run.ts';
import { bundleChild, startChild } from './start-child.ts';

it('a run killed at any moment can be read and resumed', async () => {
  using root = temporaryFolder();
  const program = await bundleChild(root.path);
  const folder = join(root.path, 'run');
  const rng = createRng(11);
  let halves = 0;
  let checkpoints = 0;
  for (let round = 0; round < 20; round += 1) {
    await using child = await startChild(program, String(round), folder);
    expect(child.firstLine).toBe('ready');
    await delay(20 + rng.int(120));
    await child.kill();
    expect(existsSync(join(folder, 'lock'))).toBe(true); // it died holding it
    halves += readdirSync(join(folder, 'checkpoints')).filter((name) => name.startsWith('.')).length;

    await using run = await resumeRun(folder);
    expect(readdirSync(run.paths.checkpoints).filter((name) => name.startsWith('.'))).toEqual([]);
    const listed = await listCheckpoints(run.paths.checkpoints);
    for (const checkpoint of listed)
      await readCheckpoint(checkpoint.folder, { configDigest: run.configDigest });
    checkpoints += listed.length;
    const best = await readBest(run.paths.checkpoints);
    if (best !== undefined) expect(listed.map(({ name }) => name)).toContain(best.name);

    const last = listed.at(-1);
    await run.rewindTo(last?.manifest);
    const { lines, torn } = await readJsonl(run.paths.metrics, metricsLineSchema);
    expect(torn).toBe(false);
    expect(lines).toHaveLength(last?.manifest.iteration ?? 0);
    expect((await readJsonl(run.paths.timings, timingsLineSchema)).lines).toHaveLength(lines.length);
  }
  // Kills that only ever fell between two writes would prove nothing.
  expect(halves).toBeGreaterThan(5);
  expect(checkpoints).toBeGreaterThan(20);
});
