import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, RunError } from '../envs/core/errors.ts';

/**
 * Refuses, with a {@link RunError}, a write of `bytes` that the disk under `folder` has no room for. A folder that is yet to be
 * made counts as being where the nearest one above it is. `goOn` says how to go on once there is room, where that is not elsewhere.
 */
export async function assertFreeSpace(folder: string, bytes: number, goOn?: string): Promise<void> {
  const found = await diskUnder(resolve(folder));
  if (found === undefined) return; // nothing can be said: the write itself will
  const { bavail, bsize, blocks } = found;
  // Some network file systems report no blocks at all: then only the write itself can tell.
  if (blocks === 0 || bavail * bsize >= bytes) return;
  throw new RunError({
    where: folder,
    what: `${formatBytes(bytes)} must be written there and the disk has ${formatBytes(bavail * bsize)} free.`,
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

/** True of what the system says when a disk, or a user's share of it, is full. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
}

const makeRoom = (goOn?: string): string =>
  `Free some space on it${goOn === undefined ? ' or run in another folder' : `, then ${goOn}`}; what was written before is whole.`;

/** What a write that the system refused means to the run: a {@link RunError} that says where. Other errors stay as they are. `goOn` as for {@link assertFreeSpace}. */
export function nameWriteError(error: unknown, path: string, goOn?: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  const full = isDiskFull(error);
  return new RunError(
    {
      where: path,
      what: full
        ? 'the disk, or the share of it that you may use, is full.'
        : `it could not be written: ${error.message}.`,
      fix: full
        ? makeRoom(goOn)
        : `See that the folder is there and can be written${goOn === undefined ? '' : `, then ${goOn}`}; what was written before is whole.`,
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
