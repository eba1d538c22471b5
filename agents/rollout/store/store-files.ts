import type * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, RunError, UsageError } from '../../../envs/core/errors.ts';

/** The calls that a store makes; tests pass a disk that fills up. */
export type StoreFileSystem = Pick<typeof fs, 'mkdir' | 'open' | 'readdir' | 'stat' | 'unlink'>;

/** A place in a store, between two groups. A checkpoint keeps it, and resuming cuts the store back to it. */
export const storePositionSchema = z.strictObject({
  /** Number of the file, from 1. */
  file: z.int().positive(),
  /** Bytes in it. */
  bytes: z.int().nonnegative(),
});

export type StorePosition = Readonly<z.output<typeof storePositionSchema>>;

/** One file of a store. */
export interface StoreFile {
  readonly number: number;
  readonly path: string;
}

/** `<name>-<number>.jsonl.gz`, the number of five digits or more. */
export function storeFile(folder: string, name: string, number: number): StoreFile {
  return { number, path: join(folder, `${name}-${String(number).padStart(5, '0')}.jsonl.gz`) };
}

/** The number of a file of a store; undefined when it is not called so. */
export function storeFileNumber(path: string): number | undefined {
  const digits = /-(\d{5,})\.jsonl\.gz$/.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The files of a store in order. A folder that is not there has none. */
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
    .filter(({ path }) => names.has(basename(path))); // one with more zeros is no file of ours
}

/** Refuses a name that could not be told from others in the same folder, or that leaves it. */
function assertStoreName(name: string): void {
  if (/^[a-z][a-z0-9-]*$/.test(name)) return;
  throw new UsageError({
    where: `trajectory store "${name}"`,
    what: 'a name is lower-case letters, digits and hyphens, and begins with a letter.',
    fix: 'Call it something like "train".',
  });
}

/** What the operating system refused to write, as an error of the run. What already says where, what and the fix stays as it is. */
export function diskError(
  path: string,
  thrown: unknown,
  goOn = 'resume from the last checkpoint',
): UsageError | RunError {
  if (UsageError.is(thrown) || RunError.is(thrown)) return thrown;
  const full = codeOf(thrown) === 'ENOSPC' || codeOf(thrown) === 'EDQUOT';
  const first = full ? 'Free some space' : 'See that the folder can be written';
  const fix = `${first}, then ${goOn}.`;
  return new RunError(
    { where: path, what: full ? 'the disk is full.' : `${messageOf(thrown)}.`, fix },
    { cause: thrown },
  );
}

/** What the operating system refused to read; the same holds. */
export function unreadable(path: string, thrown: unknown): UsageError | RunError {
  if (UsageError.is(thrown) || RunError.is(thrown)) return thrown;
  return new RunError(
    { where: path, what: `${messageOf(thrown)}.`, fix: 'See that it is a file that you may read.' },
    { cause: thrown },
  );
}
