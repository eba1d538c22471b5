import { lineSought, withLine } from './file-error.ts';
import { readBytes } from './read-bytes.ts';

/**
 * Does the work, and to an error that names a byte of a data file adds the line: the file is read once more up to there, since who
 * counted all along would pay for it where nothing is wrong. Of a compressed file it is the line of the text in it.
 */
export async function tellingLine<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const sought = lineSought(thrown);
    if (sought === undefined || signal.aborted) throw thrown;
    throw withLine(thrown as Error, await lineOf(sought.file, sought.byte, signal)); // only errors have a place
  }
}

const newline = 0x0a;

/** The line of a byte, both as people and files count: lines from 1, bytes from 0. Past the end, or where reading fails, the last line that can be read. */
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
    // what cannot be read, such as the rest of a compressed file that is cut short, is what the error is about
  }
  return line;
}
