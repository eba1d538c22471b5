import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { assertFreeSpace, nameWriteError } from './free-space.ts';

/** End of the names under which things are written before they get their own. */
export const partSuffix = '.part';

/** The hidden name under which `path` is written. The folder has one writer, which holds its lock. */
export function partOf(path: string): string {
  return join(dirname(path), `.${basename(path)}${partSuffix}`);
}

/**
 * Writes a whole file: after a crash at any moment `path` holds either all of the old content or all of the new. Temporary
 * name, fsync, rename, fsync of the folder. A full disk is a `RunError` and leaves the old content; `goOn` says how to go on
 * once there is room, where that is not elsewhere.
 * @param data text, bytes, or pieces of bytes that follow one another in the file
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

/** Makes the names in a folder last: without it a rename may be forgotten in a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what a writer that was killed left half done in `folder`. Only for who holds the lock. */
export async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('.') && name.endsWith(partSuffix))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
