import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, RunError } from '../envs/core/errors.ts';

/**
 * Refuses to write `bytes` if the disk under `folder` has no room for them. For a folder that does not exist
 * yet, its nearest existing parent counts. `goOn` says how to continue once there is space, if not in another
 * folder.
 * @throws RunError
 */
export async function assertFreeSpace(folder: string, bytes: number, goOn?: string): Promise<void> {
  const found = await diskUnder(resolve(folder));
  if (found === undefined) return; // the free space is unknown: the write itself will fail if necessary
  const { bavail, bsize, blocks } = found;
  // Some network file systems report no blocks at all. Then only the write itself shows whether there is
  // space.
  if (blocks === 0 || bavail * bsize >= bytes) return;
  throw new RunError({
    where: folder,
    what: `${formatBytes(bytes)} must be written there, and the disk has ${formatBytes(bavail * bsize)} free.`,
    fix: makeRoom(goOn),
  });
}

async function diskUnder(folder: string): Promise<StatsFs | undefined> {
  try {
    return await statfs(folder);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
    return isMissing && dirname(folder) !== folder ? diskUnder(dirname(folder)) : undefined;
  }
}

/** True for the system's errors when a disk, or a user's quota, is full. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
}

const makeRoom = (goOn?: string): string =>
  `Free some space on it${goOn === undefined ? ' or run in another folder' : `, then ${goOn}`}. What was written before is complete.`;

/**
 * Converts a refused write to a {@link RunError} with its path. Other errors are unchanged. `goOn` as for
 * {@link assertFreeSpace}.
 */
export function nameWriteError(error: unknown, path: string, goOn?: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  const full = isDiskFull(error);
  return new RunError(
    {
      where: path,
      what: full ? 'the disk, or your quota on it, is full.' : `it could not be written: ${error.message}.`,
      fix: full
        ? makeRoom(goOn)
        : `Check that the folder exists and is writable${goOn === undefined ? '' : `, then ${goOn}`}. What was written before is complete.`,
    },
    { cause: error },
  );
}

/** Bytes for people, in steps of 1024. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step] ?? ''}`;
}
