import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './atomic-write.ts';

/** Length and SHA-256 of a file. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a file of any size once, in pieces. With `sync` it is flushed to disk on return. */
export async function digestFile(
  path: string,
  options: { readonly sync?: boolean } = {},
): Promise<FileDigest> {
  const handle = await open(path, 'r');
  try {
    if (options.sync === true) await handle.sync();
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of handle.createReadStream({
      autoClose: false,
      highWaterMark: 1 << 20,
    }) as AsyncIterable<Buffer>) {
      hash.update(piece);
      bytes += piece.byteLength;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

/**
 * Digests of all files below a folder by their relative path, in order. Files and folders are flushed to
 * disk.
 */
export async function digestTree(folder: string): Promise<Readonly<Record<string, FileDigest>>> {
  const digests: Record<string, FileDigest> = {};
  await addTree(folder, '', digests);
  return digests;
}

async function addTree(folder: string, prefix: string, digests: Record<string, FileDigest>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await addTree(path, `${prefix}${entry.name}/`, digests);
    else if (entry.isFile()) digests[`${prefix}${entry.name}`] = await digestFile(path, { sync: true });
    else
      throw new TypeError(
        `${path} is neither a file nor a folder, and a checkpoint must not contain anything else`,
      );
  }
  await syncFolder(folder);
}
