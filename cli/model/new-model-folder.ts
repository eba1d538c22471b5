import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';
import { assertFreeSpace, nameWriteError } from '../../files/free-space.ts';
import { makeFolder, removeMade } from '../../files/make-folder.ts';

/**
 * A model's folder appears whole or not at all: `fill` writes into another one, which then takes its name.
 * @param bytes about as many as will be written: a disk without room for them is refused before
 * @throws UsageError where something is there already
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
    const hidden = join(dirname(path), `.${basename(path)}-${process.pid}`);
    await mkdir(hidden);
    draft = hidden;
    await fill(draft);
    await rmdir(path).catch(() => undefined); // the empty one that was there
    await rename(draft, path);
  } catch (thrown) {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true });
    await removeMade(made);
    throw nameWriteError(thrown, folder);
  }
}

/** Refuses, before any work is done, a folder that {@link makeModelFolder} would refuse after it. */
export async function assertMissingOrEmpty(folder: string, path = resolve(folder)): Promise<void> {
  const entries = await readdir(path).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw new UsageError(
      { where: folder, what: `it can be no folder (${messageOf(thrown)}).`, fix: 'Name a new one.' },
      { cause: thrown },
    );
  });
  if (entries.length > 0)
    throw new UsageError({
      where: folder,
      what: 'something is in it already, and nothing is written over.',
      fix: 'Name a new folder.',
    });
}
