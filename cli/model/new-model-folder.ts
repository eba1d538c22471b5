import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { describePathError } from '../../envs/core/user-file.ts';
import { assertFreeSpace, nameWriteError } from '../../files/free-space.ts';
import { makeFolder, removeMade } from '../../files/make-folder.ts';
import { answersSignals } from '../../files/process-identity.ts';

/**
 * Creates a model folder atomically: `fill` writes into a temporary folder, which is then renamed.
 * @param bytes approximate size; a disk without room is refused before
 * @throws UsageError if something exists there
 */
export async function makeModelFolder(
  folder: string,
  bytes: number,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const path = resolve(folder);
  await assertMissingOrEmpty(folder, path);
  const made = await makeFolder(dirname(path));
  let draft: string | undefined;
  try {
    await assertFreeSpace(dirname(path), bytes);
    await removeDeadDrafts(dirname(path), basename(path));
    const hidden = draftPath(dirname(path), basename(path));
    await mkdir(hidden);
    draft = hidden;
    await fill(draft);
    await rmdir(path).catch(() => undefined); // an empty folder of that name
    await rename(draft, path);
  } catch (thrown) {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true });
    await removeMade(made);
    throw nameWriteError(thrown, folder);
  }
}

/** A hidden folder of this process, in which something is made that later has this name. */
export const draftPath = (parent: string, name: string): string => join(parent, `.${name}-${process.pid}`);

/** Removes the hidden folders of that name whose processes were killed. */
export async function removeDeadDrafts(parent: string, name: string): Promise<void> {
  const start = `.${name}-`;
  for (const entry of await readdir(parent)) {
    const rest = entry.slice(start.length);
    if (!entry.startsWith(start) || !/^[1-9]\d{0,9}$/.test(rest) || answersSignals(Number(rest))) continue;
    await rm(join(parent, entry), { recursive: true, force: true });
  }
}

/** Refuses, before any work, a folder that {@link makeModelFolder} would refuse. */
export async function assertMissingOrEmpty(folder: string, path = resolve(folder)): Promise<void> {
  const entries = await readdir(path).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw new UsageError(
      {
        where: folder,
        what: `it cannot be a folder: ${describePathError(thrown)}.`,
        fix: 'Name a new folder.',
      },
      { cause: thrown },
    );
  });
  if (entries.length > 0)
    throw new UsageError({
      where: folder,
      what: 'the folder is not empty, and nothing is overwritten.',
      fix: 'Name a new folder.',
    });
}
