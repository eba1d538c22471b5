import { lstat, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf, messageOf, RunError, UsageError } from '../../envs/core/errors.ts';
import { describePathError } from '../../envs/core/user-file.ts';
import { writeFully } from '../../files/atomic-write.ts';
import { assertFreeSpace, isDiskFull, nameWriteError } from '../../files/free-space.ts';
import { linkNew } from '../../files/link-new.ts';

/** Free disk space without which it is pointless to start. */
const leastBytes = 64 * 2 ** 10;

/**
 * Refuses, before the work is done, a file that could not be written after it: one that exists, one in a
 * missing or read-only folder, or one on a disk without room for `bytes`. The test leaves nothing behind.
 */
export async function assertNew(file: string, bytes = leastBytes): Promise<void> {
  const path = resolve(file);
  await assertFree(file, path);
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new UsageError({
      where: file,
      what: `the folder ${folder} does not exist.`,
      fix: 'Create it first, or name a file in another folder.',
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
        what: `no file can be created in ${folder} (${messageOf(thrown)}).`,
        fix: 'Name a file in a folder that you may write to.',
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
      what: 'it exists already, and nothing is overwritten.',
      fix: 'Name a new file.',
    });
  if (codeOf(missing) === 'ENOENT' || codeOf(missing) === 'ENOTDIR') return;
  throw new UsageError(
    {
      where: file.slice(0, 200),
      what: `it cannot be a file: ${describePathError(missing).slice(0, 200)}.`,
      fix: 'Name another file.',
    },
    { cause: missing },
  );
}

/**
 * Writes a new file atomically: a full disk is a `RunError` and leaves nothing.
 * @param content a text, or its parts as they arrive
 * @throws UsageError if the file exists
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
    what: 'it was created by another process in the meantime, and nothing is overwritten.',
    fix: 'Repeat the command with a new file name.',
  });
}

let drafts = 0;

/** A hidden, unique temporary name for the file until it is complete. */
function draftIn(folder: string): string {
  drafts += 1;
  return join(folder, `.cairn-${process.pid}-${drafts}.part`);
}
