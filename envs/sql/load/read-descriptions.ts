import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../../core/errors.ts';
import { decodeLoosely, describeReadError, readUserBytes, withoutBom } from '../../core/user-file.ts';

/** The meanings of columns, by `table.column` in lower case. */
export type Meanings = ReadonlyMap<string, string>;

export const placeOf = (table: string, column: string): string => `${table}.${column}`.toLowerCase();

const mostBytes = 16 * 1_048_576;
/** The most characters of a meaning. Some files explain every value. */
const longest = 500;

const lineSchema = z.object({
  original_column_name: z.string(),
  column_name: z.string().optional(),
  column_description: z.string().optional(),
  value_description: z.string().optional(),
});

/** The descriptions of a database, and the files that were left out. */
export interface Descriptions {
  readonly meanings: Meanings;
  /** One entry per file without usable descriptions: its name and the reason. */
  readonly unread: readonly string[];
}

/**
 * Reads BIRD's descriptions of a database: a file `TABLE.csv` per table in that folder. A missing folder has
 * none. A file that cannot be used is listed in `unread`. Descriptions only help to read a database, so their
 * flaws never cost its questions.
 */
export async function readDescriptions(folder: string): Promise<Descriptions> {
  const meanings = new Map<string, string>();
  const unread: string[] = [];
  let names: readonly string[] = [];
  try {
    names = await readdir(folder);
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') unread.push(`${folder}: ${describeReadError(thrown)}`);
  }
  for (const name of names.filter((each) => /^[^.].*\.csv$/i.test(each)).toSorted()) {
    const file = path.join(folder, name);
    const table = name.slice(0, -'.csv'.length);
    try {
      for (const line of linesOf(await readUserBytes(file, { fix: 'Replace it.', maxBytes: mostBytes }))) {
        const meaning = meaningOf(line);
        if (meaning !== '') meanings.set(placeOf(table, line.original_column_name.trim()), meaning);
      }
    } catch (thrown) {
      unread.push(`${file}: ${UsageError.is(thrown) ? thrown.parts.what : messageOf(thrown)}`);
    }
  }
  return { meanings, unread };
}

/** Existing files have several encodings, and misplaced quotes, commas and separators. */
function linesOf(bytes: Uint8Array): readonly z.output<typeof lineSchema>[] {
  const text = withoutBom(decodeLoosely(bytes));
  const [head = ''] = text.split(/[\r\n]/, 1);
  const delimiter = [',', ';', '\t'].find((mark) => head.includes(mark)) ?? ',';
  const records = parseCsv(text, delimiter, '"') ?? parseCsv(text, delimiter, null) ?? [];
  const read = z.array(lineSchema).safeParse(records);
  if (!read.success || records.length === 0)
    throw new Error('it is no CSV with a column original_column_name');
  return read.data;
}

/** The records by their trimmed head in lower case; undefined where the quotes do not match. */
function parseCsv(text: string, delimiter: string, quote: '"' | null): readonly unknown[] | undefined {
  try {
    return parse(text, {
      columns: (head: string[]) => head.map((name) => name.replaceAll('"', '').trim().toLowerCase()),
      delimiter,
      quote,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch {
    return undefined;
  }
}

function meaningOf({
  column_name: name = '',
  column_description: description = '',
  value_description: values = '',
}: z.output<typeof lineSchema>): string {
  const parts = [description.trim() === '' ? name : description, values].map((part) =>
    part.replaceAll(/\s+/g, ' ').trim(),
  );
  const meaning = parts.filter((part) => part !== '').join('; ');
  return meaning.length <= longest ? meaning : `${meaning.slice(0, longest)}...`;
}
