import { basename, join } from 'node:path';
import type { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { readUserFile } from '../../envs/core/user-file.ts';

const mebibyte = 2 ** 20;
/** Size limits of the files, in bytes. */
const longest = {
  'tokenizer.json': 64 * mebibyte,
  'tokenizer_config.json': 8 * mebibyte,
  'special_tokens_map.json': mebibyte,
  'generation_config.json': mebibyte,
  'chat_template.jinja': mebibyte,
} as const;
type FileName = keyof typeof longest;

const fixFolder = 'Give a checkpoint folder as downloaded, with tokenizer.json and tokenizer_config.json.';

/** Reads an object from a JSON file; undefined if the file does not exist. */
export async function readJson(folder: string, name: FileName): Promise<object | undefined> {
  const text = await readText(folder, name);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new UsageError(
      {
        where: join(folder, name),
        what: `it is not valid JSON (${messageOf(thrown).slice(0, 200)}).`,
        fix: 'It may be truncated: download it again.',
      },
      { cause: thrown },
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError({ where: join(folder, name), what: 'it is not a JSON object.', fix: fixFolder });
}

/** Reads the text of a file; undefined if it does not exist. */
export async function readText(folder: string, name: FileName): Promise<string | undefined> {
  const file = join(folder, name);
  try {
    return await readUserFile(file, { fix: fixFolder, maxBytes: longest[name] });
  } catch (thrown) {
    if (UsageError.is(thrown) && codeOf(thrown.cause) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** The error for a missing required file. */
export const missing = (folder: string, name: FileName): UsageError =>
  new UsageError({ where: folder, what: `${name} is missing.`, fix: fixFolder });

/** Validates a file's content by a schema. @throws UsageError that names the file and its keys */
export function checked<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  value: object,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: file,
    what: `${describeIssues(parsed.error)}.`,
    fix: `${basename(file)} was not used. ${fixFolder}`,
  });
}
