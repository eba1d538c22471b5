import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import { assertFreeSpace } from '../../files/free-space.ts';
import { makeFolder, removeMade } from '../../files/make-folder.ts';
import { encodeEventFile } from './event-file.ts';
import { assertWhole } from './rows.ts';
import { readRun } from '../read/read-run.ts';
import { runScalars } from './scalars.ts';

/** TensorBoard looks for "tfevents" in the name and shows the newest file last, by the number. */
const eventFile = 'events.out.tfevents.0000000000.cairn';

/**
 * Writes the metrics of a run as one TensorBoard event file into `into`, which is made where it is missing, and returns its
 * path. A folder that has one already is a `UsageError`: it may be of another run. Where the file cannot be written, no folder is left.
 */
export async function exportTensorBoard(
  folder: string,
  { into }: { readonly into: string },
): Promise<string> {
  const path = join(into, eventFile);
  await assertFree(into);
  const run = await readRun(folder);
  assertWhole(run, 'metrics');
  assertWhole(run, 'timings');
  const { metrics, timings } = run;
  const events = encodeEventFile(runScalars(metrics, timings));
  await assertFreeSpace(into, events.byteLength);
  const made = await makeFolder(into);
  try {
    await writeFileAtomically(path, events);
  } catch (error) {
    await removeMade(made);
    throw error;
  }
  return path;
}

async function assertFree(folder: string): Promise<void> {
  const [found] = (await readdir(folder).catch(() => [])).filter((name) => name.includes('tfevents'));
  if (found === undefined) return;
  throw new UsageError({
    where: join(folder, found),
    what: 'it is there already: TensorBoard would take both for one run.',
    fix: 'Name another folder: each one is a run of its own.',
  });
}
