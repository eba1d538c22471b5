import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, RunError } from '../../core/errors.ts';
import { removeForeign } from './read-file.ts';

/**
 * A temporary file that was not written to for this time, in milliseconds, belongs to a process that has
 * ended.
 */
const abandonedAfterMs = 3_600_000;
const partSuffix = '.part';

/**
 * Writes a whole file, safely with concurrent writers. After a crash at any moment, `path` has the full
 * content of one writer or is unchanged. It writes a hidden file of its own, then fsync, rename, and fsync of
 * the folder, which is created where it is missing.
 *
 * @throws RunError for an error of the system
 * @throws what `write` throws
 */
export async function replaceFile(path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}${partSuffix}`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writePart(part, write);
    await sweepAbandoned(path, part);
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (thrown) {
    await rm(part, { force: true }).catch(() => undefined); // the cause of the failure matters more
    throw nameWriteError(thrown, path);
  }
}

async function writePart(part: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(part, 'wx+'); // a writer may read what it has written
  try {
    await write(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes all bytes at `position`, even where the system accepts only a part at a time. */
export async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.byteLength - written,
      position + written,
    );
    written += bytesWritten;
  }
}

/** The names of temporary files. */
const partName = /^\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * Removes old temporary files of any writer from a folder. Files that cannot be removed stay. A missing
 * folder is no failure, because nobody depends on the result.
 */
export async function sweepFolder(folder: string): Promise<void> {
  try {
    if (!(await readdir(folder)).some((name) => partName.test(name))) return;
    const own = join(folder, `.clock.${randomUUID()}${partSuffix}`);
    try {
      await writePart(own, () => Promise.resolve());
      await sweepOlder(folder, own, (name) => partName.test(name));
    } finally {
      await rm(own, { force: true });
    }
  } catch (thrown) {
    if (codeOf(thrown) === undefined) throw thrown;
  }
}

const sweepAbandoned = (path: string, own: string): Promise<void> =>
  sweepOlder(
    dirname(path),
    own,
    (name) => name.startsWith(`.${basename(path)}.`) && name.endsWith(partSuffix),
  );

/**
 * Removes temporary files that are much older than the one just written, by the clock of the folder's file
 * system, which all writers share. Files that cannot be removed stay. Folders stay too, because no writer
 * creates any.
 */
async function sweepOlder(folder: string, own: string, isPart: (name: string) => boolean): Promise<void> {
  const { mtimeMs: now } = await stat(own);
  const names = await readdir(folder).catch(() => []); // the folder may be writable but not readable
  for (const name of names.filter(isPart)) {
    const other = join(folder, name);
    const age = await stat(other).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0, // its writer removed it first
    );
    // it belongs to another user, or is a folder
    if (age > abandonedAfterMs) await rm(other, { force: true }).catch(() => undefined);
  }
}

/** Makes the rename durable. Without it a power cut may undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r').catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'EACCES') throw thrown; // the folder may be writable but not readable
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

function nameWriteError(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof Error && 'code' in thrown && 'syscall' in thrown)) return thrown;
  if (thrown.code === 'EISDIR')
    return new RunError({ where: path, what: 'it is a folder.', fix: removeForeign }, { cause: thrown });
  const full = thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT';
  return new RunError(
    {
      where: path,
      what: full ? 'the disk or your quota is full.' : `it could not be written: ${messageOf(thrown)}.`,
      fix: full
        ? 'Free some space, or write to a folder on another disk.'
        : 'Check that its folder is writable, or write to another one.',
    },
    { cause: thrown },
  );
}
