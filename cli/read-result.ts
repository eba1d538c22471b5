import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf, UsageError } from '../envs/core/errors.ts';
import { parseResult, type EvaluationResult } from '../trainers/evaluate/result.ts';

/** The result of an evaluation in a file that the user named. */
export async function readResult(file: string): Promise<EvaluationResult> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (severalSchema.safeParse(value).success) throw severalResults(file);
    return parseResult(value, file);
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      { where: file, what: `it cannot be read as JSON (${messageOf(thrown)}).`, mend: 'Give a file that `cairn eval --json` or --out wrote.' },
      { cause: thrown },
    );
  }
}

const severalSchema = z.looseObject({ results: z.array(z.unknown()) });

const severalResults = (file: string): UsageError =>
  new UsageError({ where: file, what: 'it is a document of several results, such as `cairn bench --json` writes.', mend: 'Give one result a file: `cairn eval --out FILE` writes one.' });
