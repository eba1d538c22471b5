import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable, Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { codeOf, messageOf, UsageError } from '../../../core/errors.ts';
import { describeReadError } from '../../../core/user-file.ts';

/** A line of a file, without its line break. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** The bytes, valid until the next batch is requested; undefined for a line above the limit, which is not kept. */
  readonly bytes: Buffer | undefined;
  /** Where it starts in the file, in bytes; undefined where the file is packed or in UTF-16. */
  readonly start: number | undefined;
}

export interface ReadLines {
  readonly signal: AbortSignal;
  /** Bytes of a line that is kept. */
  readonly mostBytes: number;
  /** Receives every chunk of the file as it is on disk, such as for a digest. */
  readonly onBytes?: (chunk: Uint8Array) => void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const readBytes = 1 << 20;

/**
 * Reads the lines of a file in batches. A file whose name ends in `.gz` is unpacked. UTF-16 with its byte order mark
 * becomes UTF-8; the byte order mark of UTF-8 is dropped. Memory holds one chunk and one line.
 *
 * @throws UsageError where the file is missing, no plain file, or no gzip file
 */
export async function* readLines(file: string, options: ReadLines): AsyncGenerator<readonly Line[], void> {
  const splitter = new LineSplitter(options.mostBytes);
  for await (const { bytes, start } of textChunks(file, options)) {
    const lines = splitter.push(bytes, start);
    if (lines.length > 0) yield lines;
  }
  const last = splitter.end();
  if (last !== undefined) yield [last];
}

/** @throws UsageError where the path is not that of a plain file */
export async function assertReadable(file: string): Promise<void> {
  const refusal = (what: string, cause?: unknown): UsageError =>
    new UsageError(
      { where: file, what: `${what}.`, fix: 'Give the path of a file in JSON lines, CSV or Parquet.' },
      { cause },
    );
  try {
    const about = await stat(file);
    if (about.isDirectory()) throw refusal('it is a folder, and a file is expected');
    if (!about.isFile()) throw refusal('it is a pipe or a device, and a plain file is expected');
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw refusal(describeReadError(thrown), thrown);
  }
}

interface Chunk {
  readonly bytes: Buffer;
  /** Where it stands in the file; undefined where its bytes are not those of the file. */
  readonly start: number | undefined;
}

async function* textChunks(file: string, { signal, onBytes }: ReadLines): AsyncGenerator<Chunk, void> {
  await assertReadable(file);
  const source = createReadStream(file, { highWaterMark: readBytes, signal });
  const seen = onBytes === undefined ? source : pipeline(source, tapping(onBytes), ignore);
  const plain = file.endsWith('.gz') ? pipeline(seen, createGunzip({ chunkSize: readBytes }), ignore) : seen;
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  let position = 0;
  try {
    for await (const piece of plain as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      let chunk = piece;
      if (isFirst) {
        isFirst = false;
        decoder = wideDecoder(chunk);
        if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) chunk = chunk.subarray(3);
      }
      const start = position + piece.length - chunk.length;
      position += piece.length;
      yield decoder === undefined
        ? { bytes: chunk, start: plain === seen ? start : undefined }
        : { bytes: Buffer.from(decoder.decode(chunk, { stream: true })), start: undefined };
    }
    if (decoder !== undefined) yield { bytes: Buffer.from(decoder.decode()), start: undefined };
  } catch (thrown) {
    signal.throwIfAborted();
    throw readError(thrown, file);
  } finally {
    source.destroy();
    if (plain instanceof Readable) plain.destroy();
  }
}

const ignore = (): void => undefined; // the reader of the last stream gets the error

const tapping = (onBytes: (chunk: Uint8Array) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk);
      done(null, chunk);
    },
  });

function wideDecoder([first, second]: Buffer): TextDecoder | undefined {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  return undefined;
}

function readError(thrown: unknown, file: string): unknown {
  const code = codeOf(thrown);
  if (code?.startsWith('Z_') === true)
    return new UsageError(
      { where: file, what: `it is no complete gzip file: ${messageOf(thrown)}.`, fix: 'Get the file again.' },
      { cause: thrown },
    );
  return thrown;
}

/** Splits chunks into lines. */
class LineSplitter {
  readonly #mostBytes: number;
  /** Copies of earlier chunks' parts of the current line. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Where the held part starts in the file. */
  #heldStart: number | undefined;
  #isTooLong = false;
  #lines = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  push(chunk: Buffer, position: number | undefined): readonly Line[] {
    const placeOf = (at: number): number | undefined => (position === undefined ? undefined : position + at);
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      lines.push(this.#take(chunk.subarray(start, end), placeOf(start)));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start), placeOf(start));
    return lines;
  }

  /** The line after the last line break, if there is one. */
  end(): Line | undefined {
    return this.#heldBytes === 0 && !this.#isTooLong ? undefined : this.#take(Buffer.alloc(0), undefined);
  }

  #hold(part: Buffer, start: number | undefined): void {
    if (this.#heldBytes === 0) this.#heldStart = start;
    if (this.#isTooLong) return;
    this.#heldBytes += part.length;
    if (this.#heldBytes > this.#mostBytes) {
      this.#isTooLong = true;
      this.#held = [];
      return;
    }
    this.#held.push(Buffer.from(part)); // the memory of the chunk may be used again
  }

  #take(last: Buffer, lastStart: number | undefined): Line {
    this.#lines += 1;
    const start = this.#heldBytes === 0 ? lastStart : this.#heldStart;
    const isTooLong = this.#isTooLong || this.#heldBytes + last.length > this.#mostBytes;
    const bytes = isTooLong
      ? undefined
      : this.#held.length === 0
        ? last
        : Buffer.concat([...this.#held, last]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#isTooLong = false;
    return {
      number: this.#lines,
      bytes: bytes?.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes,
      start,
    };
  }
}
