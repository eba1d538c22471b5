import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { codeOf, UsageError } from '../envs/core/errors.ts';

const lineFeed = 10;

/** A file of lines to which a checkpoint returns. */
interface LineFile {
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly handle: FileHandle | undefined;
  /** Bytes of complete lines. */
  readonly end: number;
}

/**
 * Verifies that a line ends at the byte offset, and that the bytes before it are unchanged.
 * @param digest of these bytes, from {@link digestUpTo}; undefined if none was recorded
 * @throws UsageError
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
        ? `the file does not exist, and the checkpoint continues at its byte ${offset}.`
        : `it has ${end} bytes of complete lines, and none ends at byte ${offset}, where the checkpoint continues.`,
    fix: 'The file was changed: restore it from a copy.',
  });
}

/** The same for a file that is only read. */
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

/** Position after the last line feed; 0 if there is none. */
export async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunk.byteLength);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    if (bytesRead === 0) return 0; // truncated by another process meanwhile
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
