import { mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf, UsageError } from '../envs/core/errors.ts';
import { isDiskFull, nameWriteError } from './free-space.ts';

/**
 * Makes a folder and those above it, one by one: Node's own recursive `mkdir` never returns below `/proc`. Returns those that it
 * made, the deepest last. A place where no folder can be made is a `UsageError`, a full disk a `RunError`; neither leaves a folder.
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

/** Takes folders away again that {@link makeFolder} made, as far as nothing is in them. */
export async function removeMade(made: readonly string[]): Promise<void> {
  for (const path of made.toReversed()) await rmdir(path).catch(() => undefined); // somebody else may use it by now
}

/** The folders of a path that are not there, the highest first. */
async function missingFolders(path: string): Promise<readonly string[]> {
  if (await isFolder(path)) return [];
  const above = dirname(path) === path ? [] : await missingFolders(dirname(path));
  return [...above, path];
}

/** False where somebody else was quicker. */
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
          what: `no folder can be made there: ${path} is there, and is no folder.`,
          fix: 'Name another folder.',
        },
        { cause: thrown },
      );
    }
    throw new UsageError(
      {
        where: wanted,
        what: `no folder can be made there (${messageOf(thrown)}).`,
        fix: 'Choose a folder on a disk that you may write to.',
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
