import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { codeOf, UsageError } from '../envs/core/errors.ts';

const lineFeed = 10;

/** A file of lines to which a checkpoint goes back. */
interface LineFile {
  readonly path: string;
  /** Undefined where there is no file. */
  readonly handle: FileHandle | undefined;
  /** Bytes of whole lines. */
  readonly end: number;
}

/**
 * Refuses, with a `UsageError`, an offset in bytes at which no line ends, and a file that is not as it was up to there.
 * @param digest of the bytes up to the offset, as {@link digestUpTo} gives it; undefined where none was recorded
 */
export async function assertLineEnd(
  { path, handle, end }: LineFile,
  offset: number,
  digest?: string,
): Promise<void> {
  const isInside = Number.isInteger(offset) && offset >= 0 && offset <= end;
  if (
    isInside &&
    (offset === 0 || (handle !== undefined && (await byteAt(handle, offset - 1)) === lineFeed))
  ) {
    if (digest === undefined || digest === (await digestUpTo(handle, offset))) return;
    throw new UsageError({
      where: path,
      what: `its first ${offset} bytes are not as the run wrote them.`,
      fix: 'The file was changed since: restore it from a copy.',
    });
  }
  throw new UsageError({
    where: path,
    what:
      handle === undefined
        ? `there is no such file, and the checkpoint wants to go on at its byte ${offset}.`
        : `it has ${end} bytes of whole lines and none of these ends at byte ${offset}, where the checkpoint wants to go on.`,
    fix: 'The file was changed since: restore it from a copy.',
  });
}

/** The same of a file that is only looked at. */
export async function assertReachesLineEnd(path: string, offset: number, digest?: string): Promise<void> {
  await using handle = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const end = handle === undefined ? 0 : await endOfLastLine(handle, (await handle.stat()).size);
  await assertLineEnd({ path, handle, end }, offset, digest);
}

/** SHA-256 of the bytes of a file up to an offset, in hexadecimal digits. */
export async function digestUpTo(handle: FileHandle | undefined, offset: number): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(256 * 1024);
  for (let at = 0; handle !== undefined && at < offset;) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.byteLength, offset - at), at);
    if (bytesRead === 0) break; // cut by someone else meanwhile
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}

/** Place after the last line feed; 0 when there is none. */
export async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunk.byteLength);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    if (bytesRead === 0) return 0; // cut by someone else meanwhile
    const found = chunk.subarray(0, bytesRead).lastIndexOf(lineFeed);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

async function byteAt(handle: FileHandle, position: number): Promise<number | undefined> {
  const byte = Buffer.alloc(1);
  const { bytesRead } = await handle.read(byte, 0, 1, position);
  return bytesRead === 1 ? byte[0] : undefined;
}
