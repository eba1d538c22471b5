// A process of its own for the tests of locks and crashes: `node child.mjs MODE FOLDER`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRng } from '../../../envs/core/rng.ts';
import { listCheckpoints, markBest, pruneCheckpoints } from '../../../trainers/run/checkpoint-store.ts';
import { acquireLock } from '../../../files/lock.ts';
import { createRun, resumeRun } from '../../../trainers/run/open-run.ts';
import { fingerprint, makeRunFacts } from './make-run.ts';

const [mode, folder = ''] = process.argv.slice(2);

/** Tries for the lock, says how it went, and holds it until it is killed or its input ends. */
async function contend(): Promise<void> {
  try {
    await using _lock = await acquireLock(folder);
    console.log('held');
    for await (const _ of process.stdin); // until the parent lets go
  } catch (error) {
    console.log(`refused: ${String(error)}`);
  }
}

/** Writes lines and checkpoints as fast as it can until it is killed. */
async function write(seed: number): Promise<void> {
  const rng = createRng(seed);
  const run = seed === 0 ? await createRun(folder, makeRunFacts()) : await resumeRun(folder);
  const last = (await listCheckpoints(run.paths.checkpoints)).at(-1);
  await run.rewindTo(last?.manifest);
  console.log('ready');
  for (let iteration = 1 + (last?.manifest.iteration ?? 0); ; iteration += 1) {
    await run.metrics.append({
      kind: 'iteration',
      iteration,
      environmentSteps: iteration,
      episodes: iteration,
      figures: {},
    });
    await run.timings.append({ kind: 'iteration', iteration, seconds: 1, phases: {} });
    const name = `iteration-${rng.int(6)}`; // often one that is there already
    await run.saveCheckpoint(name, {
      facts: { iteration, seed, counters: {}, states: {}, trajectories: {} },
      fill: async (into) => {
        await writeFile(join(into, 'weights.bin'), Buffer.alloc(1 + rng.int(4_000_000), iteration));
        await writeFile(join(into, 'notes.txt'), `iteration ${iteration}`);
      },
    });
    if (rng.int(3) === 0)
      await markBest(run.paths.checkpoints, { name, panel: 'dev', fingerprint, rate: rng.uniform() });
    await pruneCheckpoints(run.paths.checkpoints, 2);
  }
}

await (mode === 'contend' ? contend() : write(Number(mode)));
