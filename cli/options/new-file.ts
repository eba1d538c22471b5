import { lstat, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf, messageOf, RunError, UsageError } from '../../envs/core/errors.ts';
import { writeFully } from '../../files/atomic-write.ts';
import { assertFreeSpace, isDiskFull, nameWriteError } from '../../files/free-space.ts';
import { linkNew } from '../../files/link-new.ts';

/** The least that a disk must have room for before a file is worth working for. */
const leastBytes = 64 * 2 ** 10;

/**
 * Refuses, before the work is done, a file that could not be written after it: one that is there already, in a folder that is
 * missing or takes no files, or on a disk without room for `bytes`. Nothing is left of the trial.
 */
export async function assertNew(file: string, bytes = leastBytes): Promise<void> {
  const path = resolve(file);
  await assertFree(file, path);
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new UsageError({
      where: file,
      what: `there is no folder ${folder}.`,
      fix: 'Make it first, or name a file in another one.',
    });
  }
  await assertFreeSpace(folder, bytes);
  const draft = draftIn(folder);
  try {
    await (await open(draft, 'wx')).close();
  } catch (thrown) {
    if (isDiskFull(thrown)) throw nameWriteError(thrown, file);
    throw new UsageError(
      {
        where: file,
        what: `no file can be made in ${folder} (${messageOf(thrown)}).`,
        fix: 'Name one in a folder that you may write to.',
      },
      { cause: thrown },
    );
  } finally {
    await rm(draft, { force: true });
  }
}

async function assertFree(file: string, path: string): Promise<void> {
  const missing = await lstat(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (missing === undefined)
    throw new UsageError({
      where: file,
      what: 'it is there already, and nothing is written over.',
      fix: 'Name a new file.',
    });
  if (codeOf(missing) === 'ENOENT' || codeOf(missing) === 'ENOTDIR') return;
  throw new UsageError(
    {
      where: file.slice(0, 200),
      what: `it can be no file (${messageOf(missing).slice(0, 200)}).`,
      fix: 'Name another one.',
    },
    { cause: missing },
  );
}

/**
 * Writes a file that must not be there yet. It appears whole or not at all: a full disk is a `RunError` and leaves nothing.
 * @param content a text, or its parts as they come
 */
export async function writeNew(file: string, content: string | AsyncIterable<string>): Promise<void> {
  const path = resolve(file);
  const draft = draftIn(dirname(path));
  try {
    const handle = await open(draft, 'wx');
    try {
      let written = 0;
      for await (const part of typeof content === 'string' ? [content] : content) {
        const bytes = Buffer.from(part);
        await writeFully(handle, bytes, written);
        written += bytes.byteLength;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (await linkNew(draft, path)) return;
  } catch (thrown) {
    throw nameWriteError(thrown, file);
  } finally {
    await rm(draft, { force: true });
  }
  throw new RunError({
    where: file,
    what: 'it has come to be there in the meantime, and nothing is written over.',
    fix: 'Do it again with the name of a new file.',
  });
}

let drafts = 0;

/** A hidden name that no other process uses: what is written goes by it until it is whole. */
function draftIn(folder: string): string {
  drafts += 1;
  return join(folder, `.cairn-${process.pid}-${drafts}.part`);
}
