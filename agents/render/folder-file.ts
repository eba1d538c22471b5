import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';

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
    if (!(await stat(file)).isFile()) throw new Error('it is no plain file'); // opening a pipe would wait for its writer
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    if (size > longest[name]) throw new Error(`it has ${size} bytes, and ${longest[name]} are the most`);
    return await handle.readFile('utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw new UsageError(
      { where: file, what: `it cannot be read (${messageOf(thrown)}).`, fix: fixFolder },
      { cause: thrown },
    );
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
