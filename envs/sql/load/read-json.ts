import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { codeOf, messageOf } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
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
    const { size } = await stat(file);
    if (size > mostMegabytes * 1_048_576)
      throw fileError(
        file,
        `it has ${Math.round(size / 1_048_576)} MiB, above ${mostMegabytes}.`,
        'Take a part of it.',
      );
    parsed = JSON.parse(textOf(await readFile(file), file));
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    if (thrown instanceof SyntaxError) throw fileError(file, `it is no JSON: ${messageOf(thrown)}.`);
    throw codeOf(thrown) === undefined ? thrown : fileError(file, `it cannot be read: ${messageOf(thrown)}.`);
  }
  const read = schema.safeParse(parsed);
  if (!read.success) throw fileError(file, `${describeIssues(read.error)}.`);
  return read.data;
}

/**
 * Decodes UTF-8 and removes a byte order mark.
 *
 * @throws UsageError for bytes that are not UTF-8
 */
function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fileError(file, 'it is not UTF-8.', 'Convert it, such as with `iconv -f latin1 -t utf-8`.');
  }
}
