import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf, UsageError } from '../../../core/errors.ts';

const folderPrefix = 'cairn-browser-';

/**
 * Creates the folder of a browser, and removes folders of browsers whose owner was killed.
 *
 * @throws UsageError where there is no room for one
 */
export async function makeBrowserFolder(): Promise<string> {
  const place = tmpdir();
  try {
    await sweepFolders(place);
    return await mkdtemp(join(place, `${folderPrefix}${process.pid}-`));
  } catch (thrown) {
    throw new UsageError(
      {
        where: `the folder for temporary files, ${place}`,
        what: `the folder of the browser cannot be created there: ${messageOf(thrown)}.`,
        fix: 'Set TMPDIR to a folder that can be written to.',
      },
      { cause: thrown },
    );
  }
}

export const removeBrowserFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Folders of other users stay, because they cannot be removed. */
async function sweepFolders(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const holder = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1];
    if (holder === undefined || isAlive(Number(holder))) continue;
    await rm(join(place, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== 'ESRCH';
  }
}
