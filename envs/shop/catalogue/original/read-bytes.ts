import { createReadStream, type ReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf, RunError, UsageError } from '../../../core/errors.ts';
import { fileError, fixesOf, type DataFile, type FileFixes, type FilePlace } from './file-error.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** The most bytes of the output. */
  readonly maxBytes: number;
  /** Receives the number of bytes of the file read so far, before decompression. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Default: those of the files that WebShop publishes. */
  readonly fixes?: FileFixes | undefined;
}

/**
 * Yields the bytes of a file in chunks. A gzip file, recognized by its first bytes and not by its name, is
 * decompressed.
 *
 * @throws UsageError that names the file when it does not exist, is incomplete or damaged as gzip, or has
 * more than `maxBytes`
 */
export async function* readBytes(
  file: string,
  { signal, maxBytes, onRead, fixes }: ReadOptions,
): AsyncGenerator<Buffer, void> {
  signal.throwIfAborted();
  let bytes = 0;
  try {
    await assertPlainFile({ file, fixes });
    const compressed = await isGzip(file);
    const source = createReadStream(file, { highWaterMark: compressed ? 1 << 18 : 1 << 20 });
    const chunks: AsyncIterable<Buffer> = compressed ? gunzipped(source) : source;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > maxBytes) throw fileError({ file, fixes }, `it holds more than ${maxBytes} bytes.`);
      onRead?.(source.bytesRead);
      yield chunk;
    }
  } catch (thrown) {
    if (signal.aborted || UsageError.is(thrown)) throw thrown;
    throw nameReadError(thrown, { file, fixes, end: bytes });
  }
}

/**
 * Checks that the place is a regular file. A pipe would block for ever, and no signal would end that.
 *
 * @throws UsageError where it is something else
 */
export async function assertPlainFile(place: DataFile): Promise<void> {
  const found = await stat(place.file);
  if (!found.isFile() && !found.isDirectory())
    throw fileError(place, 'it is not a regular file, but a pipe or a device.', fixesOf(place).absent);
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

function gunzipped(source: ReadStream): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  pipeline(source, gunzip, () => undefined); // errors are reported by gunzip
  return gunzip;
}

/**
 * Converts an error of reading a file into one for the user that named it. The place ends where the bytes
 * ended.
 */
export function nameReadError(thrown: unknown, place: FilePlace): Error {
  const { file, fixes } = place;
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  switch (code) {
    case 'Z_BUF_ERROR':
      return fileError(place, 'the compressed file is cut short.', undefined, { cause: thrown });
    case 'Z_DATA_ERROR':
      return fileError(place, `the compressed file is damaged: ${messageOf(thrown)}.`, undefined, {
        cause: thrown,
      });
    case 'ENOENT':
    case 'EISDIR':
    case 'EACCES':
      return fileError({ file, fixes }, `it cannot be read: ${messageOf(thrown)}.`, fixesOf(place).absent, {
        cause: thrown,
      });
    default:
      return new RunError(
        {
          where: file,
          what: `reading it failed: ${messageOf(thrown)}.`,
          fix: 'Check the disk and try again.',
        },
        { cause: thrown },
      );
  }
}
