import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { writeFileAtomically } from '../run-folder/atomic-write.ts';
import { assertFreeSpace } from '../run-folder/free-space.ts';
import { makeFolder, removeMade } from '../run-folder/make-folder.ts';
import { encodeEventFile } from './event-file.ts';
import { readRun } from './read-run.ts';
import { runScalars } from './scalars.ts';

/** TensorBoard looks for "tfevents" in the name and shows the newest file last, by the number. */
const eventFile = 'events.out.tfevents.0000000000.cairn';

/**
 * Writes the metrics of a run as one TensorBoard event file into `into`, which is made where it is missing, and returns its
 * path. A folder that has one already is a `UsageError`: it may be of another run. Where the file cannot be written, no folder is left.
 * `startTime`, in seconds since 1970, is when the run began, where that is known.
 */
export async function exportTensorBoard(
  folder: string,
  options: { readonly into: string; readonly startTime?: number },
): Promise<string> {
  const path = join(options.into, eventFile);
  await assertFree(path);
  const { metrics, timings } = await readRun(folder);
  const events = encodeEventFile(runScalars(metrics, timings, options.startTime));
  await assertFreeSpace(options.into, events.byteLength);
  const made = await makeFolder(options.into);
  try {
    await writeFileAtomically(path, events);
  } catch (error) {
    await removeMade(made);
    throw error;
  }
  return path;
}

async function assertFree(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  throw new UsageError({ where: path, what: 'it is there already, and nothing is written over.', mend: 'Name another folder: TensorBoard shows each one as a run of its own.' });
}
