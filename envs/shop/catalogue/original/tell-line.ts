import { lineSought, withLine } from './file-error.ts';
import { readBytes } from './read-bytes.ts';

/**
 * Does the work, and adds the line to an error that names a byte of a data file. The file is read again up to
 * that place, because counting lines all along would cost time where nothing is wrong. For a compressed file
 * it is the line of the decompressed text.
 */
export async function tellingLine<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const sought = lineSought(thrown);
    if (sought === undefined || signal.aborted) throw thrown;
    // only errors have a place
    throw withLine(thrown as Error, await lineOf(sought.file, sought.byte, signal));
  }
}

const newline = 0x0a;

/**
 * The line of a byte. Lines count from 1, bytes from 0. Past the end, or where reading fails, it is the last
 * line that can be read.
 */
export async function lineOf(file: string, byte: number, signal: AbortSignal): Promise<number> {
  let line = 1;
  let before = 0;
  try {
    for await (const chunk of readBytes(file, { signal, maxBytes: Infinity })) {
      const end = Math.min(chunk.length, byte - before);
      for (let at = chunk.indexOf(newline); at >= 0 && at < end; at = chunk.indexOf(newline, at + 1))
        line += 1;
      before += chunk.length;
      if (before >= byte) break;
    }
  } catch {
    // the rest cannot be read, for example in an incomplete compressed file, which the error is about
  }
  return line;
}
