import { open, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { messageOf, UsageError } from '../../core/errors.ts';
import { parseExactly } from '../problems/exact-json.ts';

/** Bytes that a file may have, and that it may come to unpacked. */
const longestFile = 512 * 1024 * 1024;
/** Characters of a line, a problem with all its tests. */
const longestLine = 64 * 1024 * 1024;

/** A problem of a file, as JSON, and where it stands. */
export interface FileRecord {
  readonly where: string;
  readonly value: unknown;
}

/** A text file, unpacked where it is gzipped, without a mark of the order of bytes. @throws UsageError where it cannot be read, or is too long */
export async function readText(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      if (size > longestFile) throw new Error(`it has ${size} bytes, more than ${longestFile}`);
      const bytes = await handle.readFile();
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return (isPacked ? gunzipSync(bytes, { maxOutputLength: longestFile }) : bytes).toString('utf8').replace(/^\uFEFF/, '');
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    throw new UsageError({ where: `problems in ${file}`, what: `the file cannot be read (${messageOf(thrown)}).`, mend: 'Name a file that is there, plain or gzipped.' }, { cause: thrown });
  }
}

/** The lines of a JSONL file, or the items of a JSON list. @throws UsageError that names the line that is no JSON, or is too long */
export async function readRecords(file: string): Promise<readonly FileRecord[]> {
  const text = await readText(file);
  if (text.trimStart().startsWith('[')) {
    const items = parseJson(text, file);
    return (Array.isArray(items) ? (items as readonly unknown[]) : []).map((value, at) => ({ where: `${file}, item ${at + 1}`, value }));
  }
  return text.split('\n').flatMap((line, at): readonly FileRecord[] => {
    const where = `${file}:${at + 1}`;
    if (line.length > longestLine) throw new UsageError({ where, what: `the line has ${line.length} characters, more than ${longestLine}.`, mend: 'Leave this problem out.' });
    return line.trim() === '' ? [] : [{ where, value: parseJson(line, where) }];
  });
}

/** What the JSON text holds, numbers as they stand. @throws UsageError that names where it stands */
export function parseJson(text: string, where: string): unknown {
  try {
    return parseExactly(text);
  } catch (thrown) {
    throw new UsageError({ where, what: `it is no JSON (${messageOf(thrown)}).`, mend: 'Mend or remove it.' }, { cause: thrown });
  }
}

/** Whether there is a folder of that name. */
export const isFolder = async (name: string): Promise<boolean> => stat(name).then((found) => found.isDirectory(), () => false);
