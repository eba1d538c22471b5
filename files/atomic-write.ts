import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { assertFreeSpace, nameWriteError } from './free-space.ts';

/** Suffix of temporary names for files and folders that are being written. */
export const partSuffix = '.part';

/** The hidden temporary name for `path`. The folder has only one writer, the holder of its lock. */
export function partOf(path: string): string {
  return join(dirname(path), `.${basename(path)}${partSuffix}`);
}

/**
 * Writes a file atomically: after a crash at any moment `path` has either the whole old content or the whole
 * new content. Steps: temporary name, fsync, rename, fsync of the folder.
 * @param data text, bytes, or pieces of bytes in order
 * @throws RunError if the disk is full, leaving the old content; `goOn` says how to continue once there is
 * space, if not in another folder
 */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array | readonly Uint8Array[],
  goOn?: string,
): Promise<void> {
  const pieces = piecesOf(data);
  const part = partOf(path);
  try {
    await assertFreeSpace(
      dirname(path),
      pieces.reduce((sum, { byteLength }) => sum + byteLength, 0),
      goOn,
    );
    const handle = await open(part, 'w');
    try {
      let position = 0;
      for (const piece of pieces) {
        await writeFully(handle, piece, position);
        position += piece.byteLength;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true });
    throw nameWriteError(error, path, goOn);
  }
}

function piecesOf(data: string | Uint8Array | readonly Uint8Array[]): readonly Uint8Array[] {
  if (typeof data === 'string') return [Buffer.from(data)];
  return data instanceof Uint8Array ? [data] : data;
}

/** Writes all bytes at `position`, even if the system accepts few at a time. */
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

/** Flushes the names in a folder: otherwise a power cut may undo a rename. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened on Windows
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what a killed writer left unfinished in `folder`. Only for the holder of the lock. */
export async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('.') && name.endsWith(partSuffix))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
