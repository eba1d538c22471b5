import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { messageOf, UsageError } from '../../../core/errors.ts';
import { assertReadable } from './read-lines.ts';
import type { ReadRows, Row } from './row.ts';

const rowsAtOnce = 5_000;

/**
 * Reads the rows of a Parquet file, in batches. Only the named columns that the file has are read. The packages
 * `hyparquet` and `hyparquet-compressors` are optional, and are loaded only here.
 *
 * @throws UsageError where the packages are missing, or the file is no Parquet file
 */
export async function* readParquetRows(
  file: string,
  { signal, onBytes }: ReadRows,
): AsyncGenerator<readonly Row[], void> {
  await assertReadable(file);
  const { parquetMetadataAsync, parquetReadObjects } = await loaded(file, () => import('hyparquet'));
  const { compressors } = await loaded(file, () => import('hyparquet-compressors'));
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  onBytes?.(await digestOfFile(handle, signal));
  const source = {
    byteLength: size,
    slice: async (start: number, end = size): Promise<ArrayBuffer> => {
      signal.throwIfAborted();
      const buffer = new ArrayBuffer(Math.max(0, end - start));
      const into = new Uint8Array(buffer);
      for (let done = 0; done < into.length;) {
        const { bytesRead } = await handle.read(into, done, into.length - done, start + done);
        if (bytesRead === 0) throw new RangeError('the file ends early');
        done += bytesRead;
      }
      return buffer;
    },
  };
  try {
    const metadata = await parquetMetadataAsync(source);
    let first = 0;
    for (const group of metadata.row_groups) {
      const end = first + Number(group.num_rows);
      for (let start = first; start < end; start += rowsAtOnce) {
        const rowEnd = Math.min(end, start + rowsAtOnce);
        const rows = await parquetReadObjects({
          file: source,
          metadata,
          compressors,
          rowStart: start,
          rowEnd,
        });
        signal.throwIfAborted();
        yield rows.map((value, at): Row => ({ kind: 'row', place: `row ${start + at + 1}`, value }));
      }
      first = end;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw new UsageError(
      {
        where: file,
        what: `it cannot be read as Parquet: ${messageOf(thrown)}.`,
        fix: 'Get the file again.',
      },
      { cause: thrown },
    );
  }
}

async function loaded<Module>(file: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (thrown) {
    throw new UsageError(
      {
        where: file,
        what: 'Parquet files need two packages that are not installed.',
        fix: 'Run `npm install hyparquet hyparquet-compressors`, or convert the file to JSON lines.',
      },
      { cause: thrown },
    );
  }
}

/** SHA-256 of a file, as the bytes that stand for it: columns are read in an order of their own. */
async function digestOfFile(
  handle: Awaited<ReturnType<typeof open>>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(1 << 20);
  for (let at = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return hash.digest();
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
