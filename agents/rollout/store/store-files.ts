import type * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, RunError, UsageError } from '../../../envs/core/errors.ts';

/** The file system calls of a store. Tests pass a disk that fills up. */
export type StoreFileSystem = Pick<typeof fs, 'mkdir' | 'open' | 'readdir' | 'stat' | 'unlink'>;

/**
 * A position in a store between two groups. A checkpoint stores it, and resuming truncates the store to it.
 */
export const storePositionSchema = z.strictObject({
  /** Number of the file, from 1. */
  file: z.int().positive(),
  /** Bytes of the file before the position. */
  bytes: z.int().nonnegative(),
});

export type StorePosition = Readonly<z.output<typeof storePositionSchema>>;

/** One file of a store. */
export interface StoreFile {
  readonly number: number;
  readonly path: string;
}

/** `<name>-<number>.jsonl.gz`; the number has at least five digits. */
export function storeFile(folder: string, name: string, number: number): StoreFile {
  return { number, path: join(folder, `${name}-${String(number).padStart(5, '0')}.jsonl.gz`) };
}

/** The number in the name of a store file; undefined for any other name. */
export function storeFileNumber(path: string): number | undefined {
  const digits = /-(\d{5,})\.jsonl\.gz$/.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The files of a store in order. A missing folder has none. */
export async function listStoreFiles(
  fileSystem: Pick<StoreFileSystem, 'readdir'>,
  folder: string,
  name: string,
): Promise<readonly StoreFile[]> {
  assertStoreName(name);
  const pattern = new RegExp(`^${name}-(\\d{5,})\\.jsonl\\.gz$`);
  const entries = await fileSystem.readdir(folder).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw unreadable(folder, thrown);
  });
  const names = new Set<string>(entries);
  return [...names]
    .map((entry) => Number(pattern.exec(entry)?.[1]))
    .filter((number) => Number.isSafeInteger(number))
    .toSorted((a, b) => a - b)
    .map((number) => storeFile(folder, name, number))
    .filter(({ path }) => names.has(basename(path))); // a name with additional zeros is not ours
}

/** Refuses a name that is ambiguous in its folder, or that leaves it. */
function assertStoreName(name: string): void {
  if (/^[a-z][a-z0-9-]*$/.test(name)) return;
  throw new UsageError({
    where: `trajectory store "${name}"`,
    what: 'a name must be lower-case letters, digits and hyphens, and begin with a letter.',
    fix: 'Use a name such as "train".',
  });
}

/**
 * Converts a write error of the operating system to a `RunError`. An error that already has where, what and
 * fix is unchanged.
 */
export function diskError(
  path: string,
  thrown: unknown,
  goOn = 'resume from the last checkpoint',
): UsageError | RunError {
  if (UsageError.is(thrown) || RunError.is(thrown)) return thrown;
  const full = codeOf(thrown) === 'ENOSPC' || codeOf(thrown) === 'EDQUOT';
  const first = full ? 'Free some space' : 'Make the folder writable';
  const fix = `${first}, then ${goOn}.`;
  return new RunError(
    { where: path, what: full ? 'the disk is full.' : `${messageOf(thrown)}.`, fix },
    { cause: thrown },
  );
}

/** Converts a read error of the operating system, in the same way. */
export function unreadable(path: string, thrown: unknown): UsageError | RunError {
  if (UsageError.is(thrown) || RunError.is(thrown)) return thrown;
  return new RunError(
    { where: path, what: `${messageOf(thrown)}.`, fix: 'Check that it is a file that you may read.' },
    { cause: thrown },
  );
}
