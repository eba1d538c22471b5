import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { RunError, UsageError } from '../../../core/errors.ts';
import { readCacheFile } from '../../../engines/cache-file/read-file.ts';
import { replaceFile } from '../../../engines/cache-file/replace-file.ts';
import { mebibytes, type Advance } from '../opening-report.ts';
import type { DataFile, FileFixes } from './file-error.ts';
import { assertPlainFile, nameReadError } from './read-bytes.ts';

const stampSchema = z.strictObject({
  bytes: z.string(),
  modified: z.string(),
  changed: z.string(),
  node: z.string(),
  device: z.string(),
});

/** The metadata of a file that change with its content. */
export type FileStamp = Readonly<z.output<typeof stampSchema>>;

const memoSchema = z.strictObject({ stamp: stampSchema, sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * A change within this time before the memo was written may have left the same timestamps, in nanoseconds.
 */
const settledNs = 2_000_000_000n;

export async function stampOf(file: string, fixes?: FileFixes): Promise<FileStamp> {
  const { size, mtimeNs, ctimeNs, ino, dev } = await statOf({ file, fixes });
  return {
    bytes: String(size),
    modified: String(mtimeNs),
    changed: String(ctimeNs),
    node: String(ino),
    device: String(dev),
  };
}

export const sameStamp = (a: FileStamp, b: FileStamp): boolean =>
  stampSchema.keyof().options.every((field) => a[field] === b[field]);

export interface DigestOptions {
  readonly memoFolder: string;
  readonly signal: AbortSignal;
  readonly advance?: Advance;
  /** Default: those of the files that WebShop publishes. */
  readonly fixes?: FileFixes;
}

/** The name under which files are counted whose digest could not be cached. */
export const readAtEachOpening = 'read whole at each opening, for the cache cannot be written';

export interface FileDigest {
  readonly sha256: string;
  readonly stamp: FileStamp;
  /** False where the digest could not be cached. The file is then only read again. */
  readonly isKept: boolean;
}

/**
 * SHA-256 of a file's content, and its stamp. A file that was read before and has the same size, timestamps
 * and inode is not read again, because five gigabytes take ten seconds.
 */
export async function fileDigest(file: string, options: DigestOptions): Promise<FileDigest> {
  const stamp = await stampOf(file, options.fixes);
  const memo = join(
    options.memoFolder,
    `${createHash('sha256').update(resolve(file)).digest('hex').slice(0, 32)}.json`,
  );
  const known = await readMemo(memo, stamp);
  if (known !== undefined) return { sha256: known, stamp, isKept: true };
  const sha256 = await hashFile(file, Number(stamp.bytes), options);
  if (!sameStamp(stamp, await stampOf(file, options.fixes))) throw changedWhileRead(file);
  return { sha256, stamp, isKept: await storeMemo(memo, { stamp, sha256 }) };
}

export const changedWhileRead = (file: string): RunError =>
  new RunError({
    where: file,
    what: 'it changed while it was read.',
    fix: 'Try again when no program writes to it.',
  });

async function hashFile(
  file: string,
  size: number,
  { signal, advance, fixes }: DigestOptions,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
      advance?.(mebibytes(bytes), mebibytes(size));
    }
  } catch (thrown) {
    throw signal.aborted ? thrown : nameReadError(thrown, { file, fixes });
  }
  return hash.digest('hex');
}

async function storeMemo(path: string, memo: z.output<typeof memoSchema>): Promise<boolean> {
  try {
    await replaceFile(path, (handle) => handle.writeFile(`${JSON.stringify(memo)}\n`));
    return true;
  } catch (thrown) {
    if (RunError.is(thrown)) return false;
    throw thrown;
  }
}

/** Reads the memo; undefined where it is damaged or missing. */
async function readMemo(path: string, stamp: FileStamp): Promise<string | undefined> {
  try {
    const { mtimeNs } = await stat(path, { bigint: true });
    const memo = memoSchema.parse(JSON.parse((await readCacheFile(path)).toString()));
    return sameStamp(memo.stamp, stamp) && mtimeNs - BigInt(stamp.changed) > settledNs
      ? memo.sha256
      : undefined;
  } catch {
    return undefined;
  }
}

async function statOf(place: DataFile) {
  try {
    await assertPlainFile(place);
    return await stat(place.file, { bigint: true });
  } catch (thrown) {
    throw UsageError.is(thrown) ? thrown : nameReadError(thrown, place);
  }
}
