import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, RunError } from '../../core/errors.ts';
import { removeForeign } from './read-file.ts';

/** A part that nobody has written to for so long was left by a process that is no more. */
const abandonedAfterMs = 3_600_000;
const partSuffix = '.part';

/**
 * Writes a whole file, as often as anybody likes at once: after a crash at any moment `path` holds all of some writer's content or
 * is as it was. A hidden file of the writer's own, fsync, rename, fsync of the folder, which is made where it is missing. What the
 * system refuses is a `RunError`; what `write` throws stays as it is.
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
    await rm(part, { force: true }).catch(() => undefined); // the reason of the failure matters more
    throw nameWriteError(thrown, path);
  }
}

async function writePart(part: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(part, 'wx');
  try {
    await write(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes all bytes at `position`, however little the system takes at a time. */
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

/** How the parts of any file are called. */
const partName = /^\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * Removes from a folder what writers of any file left there long ago and never came back for. What cannot be removed stays, and a
 * folder that is not there has nothing: no one depends on it.
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

/** Removes parts that are much older than the one just written: by the clock of the folder, which all writers share. What cannot be removed stays, and so do folders: no writer makes any. */
async function sweepOlder(folder: string, own: string, isPart: (name: string) => boolean): Promise<void> {
  const { mtimeMs: now } = await stat(own);
  const names = await readdir(folder).catch(() => []); // it may be written and not read
  for (const name of names.filter(isPart)) {
    const other = join(folder, name);
    const age = await stat(other).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0, // its writer was faster
    );
    if (age > abandonedAfterMs) await rm(other, { force: true }).catch(() => undefined); // another's, or a folder
  }
}

/** Makes the new name last: without it a rename may be forgotten in a power cut. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r').catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'EACCES') throw thrown; // it may be written and not read
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
    return new RunError(
      { where: path, what: 'a folder stands in its place.', fix: removeForeign },
      { cause: thrown },
    );
  const full = thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT';
  return new RunError(
    {
      where: path,
      what: full
        ? 'the disk, or the share of it that you may use, is full.'
        : `it could not be written: ${messageOf(thrown)}.`,
      fix: full
        ? 'Free some space on it, or keep the cache in another folder.'
        : 'See that its folder can be written, or keep the cache in another one.',
    },
    { cause: thrown },
  );
}
