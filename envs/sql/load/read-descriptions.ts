import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { codeOf, messageOf } from '../../core/errors.ts';
import { fileError } from './file-error.ts';

/** The meanings of columns, by `table.column` in lower case. */
export type Meanings = ReadonlyMap<string, string>;

export const placeOf = (table: string, column: string): string => `${table}.${column}`.toLowerCase();

const mostMegabytes = 16;
/** The most characters of a meaning. Some files explain every value. */
const longest = 500;

const lineSchema = z.object({
  original_column_name: z.string(),
  column_name: z.string().optional(),
  column_description: z.string().optional(),
  value_description: z.string().optional(),
});

/**
 * Reads BIRD's descriptions of a database: a file `TABLE.csv` per table in that folder; none where it is
 * missing.
 *
 * @throws UsageError for files of another format
 */
export async function readDescriptions(folder: string): Promise<Meanings> {
  const names = await readdir(folder).catch((thrown: unknown): string[] => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw fileError(folder, `it cannot be read: ${messageOf(thrown)}.`);
  });
  const meanings = new Map<string, string>();
  for (const name of names.filter((each) => /\.csv$/i.test(each)).toSorted()) {
    for (const line of await readLines(path.join(folder, name))) {
      const meaning = meaningOf(line);
      if (meaning !== '')
        meanings.set(placeOf(name.slice(0, -'.csv'.length), line.original_column_name.trim()), meaning);
    }
  }
  return meanings;
}

/** Existing files have several encodings, and misplaced quotes and commas. */
async function readLines(file: string): Promise<readonly z.output<typeof lineSchema>[]> {
  const { size } = await stat(file);
  if (size > mostMegabytes * 1_048_576)
    throw fileError(
      file,
      `it has ${Math.round(size / 1_048_576)} MiB, above ${mostMegabytes}.`,
      'Take it out of the folder.',
    );
  const text = textOf(await readFile(file));
  try {
    return z.array(lineSchema).parse(
      parse(text, {
        columns: (head: string[]) => head.map((name) => name.trim().toLowerCase()),
        bom: true,
        relax_quotes: true,
        relax_column_count: true,
        skip_empty_lines: true,
      }),
    );
  } catch (thrown) {
    const what =
      thrown instanceof z.ZodError
        ? 'it has no column original_column_name'
        : `it is no CSV: ${messageOf(thrown)}`;
    throw fileError(file, `${what}.`, 'Fix the file, take its original, or take it out of the folder.');
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
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
