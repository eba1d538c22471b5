import { join } from 'node:path';
import { writeFileAtomically } from '../run-folder/atomic-write.ts';
import { assertFreeSpace } from '../run-folder/free-space.ts';
import { makeFolder, removeMade } from '../run-folder/make-folder.ts';
import { encodeEventFile } from './event-file.ts';
import { readRun } from './read-run.ts';
import { runScalars } from './scalars.ts';

/**
 * Writes the metrics of a run as one TensorBoard event file into `into`, which is made where it is missing, and returns its
 * path. Exporting again replaces the file; where it cannot be written, no folder is left. `startTime`, in seconds since 1970, is when the run began, where that is known.
 */
export async function exportTensorBoard(
  folder: string,
  options: { readonly into: string; readonly startTime?: number },
): Promise<string> {
  const { metrics, timings } = await readRun(folder);
  const events = encodeEventFile(runScalars(metrics, timings, options.startTime));
  await assertFreeSpace(options.into, events.byteLength);
  const made = await makeFolder(options.into);
  // TensorBoard looks for "tfevents" in the name and shows the newest file last, by the number.
  const path = join(options.into, 'events.out.tfevents.0000000000.cairn');
  try {
    await writeFileAtomically(path, events);
  } catch (error) {
    await removeMade(made);
    throw error;
  }
  return path;
}
