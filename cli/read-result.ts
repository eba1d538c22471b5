import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../envs/core/errors.ts';
import { parseResult } from '../trainers/evaluate/parse-result.ts';
import type { EvaluationResult } from '../trainers/evaluate/result.ts';

/** The result of an evaluation in a file that the user named. */
export async function readResult(file: string): Promise<EvaluationResult> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (severalSchema.safeParse(value).success) throw severalResults(file);
    return parseResult(value, file);
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    if (codeOf(thrown) === 'EISDIR') throw folder(file);
    if (codeOf(thrown) === 'ENOENT') throw missing(file, thrown);
    throw new UsageError(
      { where: file, what: `it cannot be read as JSON (${messageOf(thrown)}).`, mend: 'Give a file that `cairn eval --json` or --out wrote.' },
      { cause: thrown },
    );
  }
}

const missing = (file: string, cause: unknown): UsageError =>
  new UsageError({ where: file, what: 'there is no such file.', mend: 'Give a file that `cairn eval --json` or --out wrote, from the folder that you run the command in.' }, { cause });

const folder = (path: string): UsageError =>
  new UsageError({
    where: path,
    what: 'it is a folder, and the file of a result is wanted.',
    mend: 'Of episodes that --keep wrote: repeat the `cairn eval` that kept them with --out FILE, which plays nothing that is there, and name that file.',
  });

const severalSchema = z.looseObject({ results: z.array(z.unknown()) });

const severalResults = (file: string): UsageError =>
  new UsageError({ where: file, what: 'it is a document of several results, such as `cairn bench --json` writes.', mend: 'Give one result a file: `cairn eval --out FILE` writes one.' });
