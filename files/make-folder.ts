import { mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf, UsageError } from '../envs/core/errors.ts';
import { isDiskFull, nameWriteError } from './free-space.ts';

/**
 * Creates a folder and its parents one by one, because Node's recursive `mkdir` never returns below `/proc`.
 * Returns the created folders, the deepest last.
 * @throws UsageError if no folder can be created there
 * @throws RunError if the disk is full; in both cases no folder remains
 */
export async function makeFolder(folder: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    for (const path of await missingFolders(resolve(folder)))
      if (await makeOne(path, folder)) made.push(path);
    return made;
  } catch (error) {
    await removeMade(made);
    throw error;
  }
}

/** Removes folders that {@link makeFolder} created, if they are empty. */
export async function removeMade(made: readonly string[]): Promise<void> {
  // another process may use it by now
  for (const path of made.toReversed()) await rmdir(path).catch(() => undefined);
}

/** The missing folders of a path, the highest first. */
async function missingFolders(path: string): Promise<readonly string[]> {
  if (await isFolder(path)) return [];
  const above = dirname(path) === path ? [] : await missingFolders(dirname(path));
  return [...above, path];
}

/** False if another process created it first. */
async function makeOne(path: string, wanted: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (thrown) {
    if (await isFolder(path)) return false;
    if (isDiskFull(thrown)) throw nameWriteError(thrown, wanted);
    if (codeOf(thrown) === 'EEXIST') {
      throw new UsageError(
        {
          where: wanted,
          what: `no folder can be created there: ${path} exists and is not a folder.`,
          fix: 'Name another folder.',
        },
        { cause: thrown },
      );
    }
    throw new UsageError(
      {
        where: wanted,
        what: `no folder can be created there (${messageOf(thrown)}).`,
        fix: 'Use a folder on a disk that you may write to.',
      },
      { cause: thrown },
    );
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
