import { basename, join } from 'node:path';
import type { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { readUserFile } from '../../envs/core/user-file.ts';

const mebibyte = 2 ** 20;
/** Bytes that a file may have. */
const longest = {
  'tokenizer.json': 64 * mebibyte,
  'tokenizer_config.json': 8 * mebibyte,
  'special_tokens_map.json': mebibyte,
  'generation_config.json': mebibyte,
  'chat_template.jinja': mebibyte,
} as const;
type FileName = keyof typeof longest;

const fixFolder =
  'Give the folder of a checkpoint as it was downloaded, with tokenizer.json and tokenizer_config.json.';

/** The object in a file of JSON; undefined where there is no such file. */
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
        what: `it is no JSON (${messageOf(thrown).slice(0, 200)}).`,
        fix: 'It may have been cut off: download it again.',
      },
      { cause: thrown },
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError({ where: join(folder, name), what: 'it is no JSON object.', fix: fixFolder });
}

/** The text of a file; undefined where there is no such file. */
export async function readText(folder: string, name: FileName): Promise<string | undefined> {
  const file = join(folder, name);
  try {
    return await readUserFile(file, { fix: fixFolder, maxBytes: longest[name] });
  } catch (thrown) {
    if (UsageError.is(thrown) && codeOf(thrown.cause) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** For a file that a folder must have. */
export const missing = (folder: string, name: FileName): UsageError =>
  new UsageError({ where: folder, what: `there is no ${name}.`, fix: fixFolder });

/** What the schema makes of a file's content; a UsageError that names the file and its keys where it is none. */
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
    fix: `Nothing was read of ${basename(file)}. ${fixFolder}`,
  });
}
