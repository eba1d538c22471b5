import type { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { readUserFile } from '../../core/user-file.ts';
import { fileError } from './file-error.ts';

const mostMegabytes = 256;

/**
 * Reads a JSON file of that schema; undefined where it does not exist.
 *
 * @throws UsageError for any other file
 */
export async function readJson<Value>(file: string, schema: z.ZodType<Value>): Promise<Value | undefined> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(
      await readUserFile(file, {
        fix: 'Fix the file, or use its original.',
        maxBytes: mostMegabytes * 1_048_576,
      }),
    );
  } catch (thrown) {
    if (UsageError.is(thrown) && codeOf(thrown.cause) === 'ENOENT') return undefined;
    if (thrown instanceof SyntaxError) throw fileError(file, `it is no JSON: ${messageOf(thrown)}.`);
    throw thrown;
  }
  const read = schema.safeParse(parsed);
  if (!read.success) throw fileError(file, `${describeIssues(read.error)}.`);
  return read.data;
}
