import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf, UsageError } from '../../core/errors.ts';
import { parseExactly } from '../problems/exact-json.ts';

/** Size limits of files, in characters. */
export interface FileBounds {
  /** The limit of what is read as a whole: a JSON list, or a file of a problem's folder. */
  readonly whole: number;
  /** The limit of a line: a problem with all its tests and solutions. */
  readonly line: number;
}

/** A string cannot be longer than about 537 million characters in Node. */
const usualBounds: FileBounds = { whole: 400_000_000, line: 64_000_000 };

const mebibyte = 1024 * 1024;

/** A problem of a file as JSON, and its place. */
export interface FileRecord {
  readonly where: string;
  readonly value: unknown;
}

/** How files are read. */
export interface ReadOptions {
  readonly bounds?: FileBounds;
  /** Receives the progress: mebibytes of a file as stored on disk, or problems of a folder. */
  readonly onRead?:
    | ((come: { readonly done: number; readonly total: number; readonly unit?: 'MiB' }) => void)
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a text file. It is decompressed where it is gzipped, and a byte order mark is removed.
 *
 * @throws UsageError where it cannot be read, or is too long
 */
export async function readText(
  file: string,
  { bounds = usualBounds, ...reading }: ReadOptions = {},
): Promise<string> {
  return wholeText(textOf(file, reading), {
    where: `problems in ${file}`,
    most: bounds.whole,
    fix: 'Remove this problem.',
  });
}

/**
 * Yields the lines of a JSONL file, of any length, as they arrive; or the items of a JSON list, which is read
 * as a whole.
 *
 * @throws UsageError that names the line that is not JSON, or is too long
 */
export async function* readRecords(
  file: string,
  { bounds = usualBounds, ...reading }: ReadOptions = {},
): AsyncGenerator<FileRecord> {
  const parts = textOf(file, reading);
  let start = '';
  while (start.trim() === '') {
    const part = await parts.next();
    if (part.done === true) return;
    start += part.value;
  }
  if (!start.trimStart().startsWith('[')) {
    yield* linesOf(behind(start, parts), file, bounds.line);
    return;
  }
  const text = await wholeText(behind(start, parts), {
    where: `problems in ${file}`,
    most: bounds.whole,
    fix: 'Write it as JSONL with one problem a line. JSONL is read line by line and may have any size.',
  });
  const items = parseJson(text, file);
  for (const [at, value] of (Array.isArray(items) ? (items as readonly unknown[]) : []).entries())
    yield { where: `${file}, item ${at + 1}`, value };
}

/**
 * Parses JSON, and keeps numbers exact.
 *
 * @throws UsageError that names the place
 */
export function parseJson(text: string, where: string): unknown {
  try {
    return parseExactly(text);
  } catch (thrown) {
    throw new UsageError(
      { where, what: `it is not JSON (${messageOf(thrown)}).`, fix: 'Fix or remove it.' },
      { cause: thrown },
    );
  }
}

/** Whether a folder of that name exists. */
export const isFolder = async (name: string): Promise<boolean> =>
  stat(name).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function* behind(start: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string> {
  try {
    yield start;
    yield* rest;
  } finally {
    await rest.return(undefined); // also where only the start was read
  }
}

/** Splits by line feeds alone. Other line separators may occur in JSON strings. */
async function* linesOf(
  parts: AsyncIterable<string>,
  file: string,
  most: number,
): AsyncGenerator<FileRecord> {
  let [at, open] = [1, ''];
  const record = (line: string): readonly FileRecord[] => {
    const where = `${file}:${at}`;
    if (line.length > most)
      throw new UsageError({
        where,
        what: `the line has more than ${most} characters.`,
        fix: 'Remove this problem, or some of its tests.',
      });
    return line.trim() === '' ? [] : [{ where, value: parseJson(line, where) }];
  };
  for await (const part of parts) {
    const [first = '', ...others] = part.split('\n');
    open += first;
    if (open.length > most) record(open);
    for (const next of others) {
      yield* record(open);
      at += 1;
      open = next;
    }
  }
  yield* record(open);
}

async function wholeText(
  parts: AsyncIterable<string>,
  { where, most, fix }: { readonly where: string; readonly most: number; readonly fix: string },
): Promise<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length > most)
      throw new UsageError({
        where,
        what: `it is not read line by line, and has more than ${most} characters.`,
        fix,
      });
  }
  return text;
}

/**
 * Yields the text of a file in parts.
 *
 * @throws UsageError where it cannot be read
 * @throws the signal's reason when it aborts
 */
async function* textOf(
  file: string,
  { onRead, signal }: Omit<ReadOptions, 'bounds'>,
): AsyncGenerator<string, void> {
  try {
    const { isPacked, size } = await about(file);
    const raw = createReadStream(file, { highWaterMark: 1 << 20 });
    // errors are thrown by the reader
    const text = isPacked ? pipeline(raw, createGunzip(), () => undefined) : raw;
    let isFirst = true;
    for await (const part of text.setEncoding('utf8') as AsyncIterable<string>) {
      signal?.throwIfAborted();
      yield isFirst ? part.replace(/^\uFEFF/, '') : part;
      isFirst = false;
      onRead?.({ done: raw.bytesRead / mebibyte, total: size / mebibyte, unit: 'MiB' });
    }
  } catch (thrown) {
    signal?.throwIfAborted();
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      {
        where: `problems in ${file}`,
        what: `the file cannot be read (${messageOf(thrown)}).`,
        fix: 'Name an existing file, plain or gzipped.',
      },
      { cause: thrown },
    );
  }
}

/** Whether a file is gzipped, by its first bytes, and its size. */
async function about(file: string): Promise<{ readonly isPacked: boolean; readonly size: number }> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return {
      isPacked: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b,
      size: (await handle.stat()).size,
    };
  } finally {
    await handle.close();
  }
}
