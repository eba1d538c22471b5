import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../../core/errors.ts';
import { decodeLoosely } from '../../../core/user-file.ts';
import { readLines } from './read-lines.ts';
import { longestRow, type ReadRows, type Row, type Span } from './row.ts';

/** Reads the objects of a file in JSON lines, in batches. Blank lines are skipped. */
export async function* readJsonRows(file: string, options: ReadRows): AsyncGenerator<readonly Row[], void> {
  const { mostBytes = longestRow, onOddEncoding, ...rest } = options;
  for await (const lines of readLines(file, { ...rest, mostBytes })) {
    const rows: Row[] = [];
    for (const { number, bytes, start } of lines) {
      const place = `line ${number}`;
      if (bytes === undefined) {
        rows.push({ kind: 'bad', place, why: `it has more than ${mostBytes} bytes` });
        continue;
      }
      const isText = isUtf8(bytes);
      const text = isText ? bytes.toString() : decodeLoosely(bytes);
      if (text.trim() === '') continue;
      if (!isText) onOddEncoding?.(place);
      const span = start === undefined ? undefined : { start, length: bytes.length };
      rows.push(readRow(text, place, span));
    }
    yield rows;
  }
}

/** The object of a line that was read before; undefined where it is none any more. */
export function parseLine(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  const row = readRow(isUtf8(bytes) ? bytes.toString() : decodeLoosely(bytes), '', undefined);
  return row.kind === 'row' ? row.value : undefined;
}

function readRow(text: string, place: string, span: Span | undefined): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { kind: 'bad', place, why: `it is no JSON (${messageOf(thrown).slice(0, 200)})` };
  }
  return isObject(value)
    ? { kind: 'row', place, value, span }
    : { kind: 'bad', place, why: 'it is no JSON object' };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
