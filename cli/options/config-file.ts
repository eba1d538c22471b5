import { z } from 'zod';
import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { readUserFile } from '../../envs/core/user-file.ts';

const objectSchema = z.record(z.string(), z.unknown());

const fixConfig = 'Give a file with one JSON object, such as {"panel": "dev"}.';

/**
 * Reads a JSON object from a file that the user named. Pipes are refused: one without a writer would block
 * forever, and no signal ends that. A key `$schema`, by which editors know the form of the file, is left out.
 */
export async function readConfigFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const refuse = (what: string, cause?: unknown): UsageError =>
    new UsageError(
      {
        where: `config file ${file}`,
        what,
        fix: fixConfig,
      },
      { cause },
    );
  const text = await readUserFile(file, { where: `config file ${file}`, fix: fixConfig });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (thrown) {
    if (thrown instanceof PrototypeKeyError) throw refuse(`${thrown.message}.`, thrown);
    throw refuse(`it is not valid JSON (${messageOf(thrown)}).`, thrown);
  }
  const parsed = objectSchema.safeParse(value);
  if (!parsed.success || Array.isArray(value)) throw refuse('it is not a JSON object.');
  const { $schema: schema, ...content } = parsed.data;
  if (schema !== undefined && typeof schema !== 'string') throw refuse('its "$schema" is not text.');
  return content;
}

/**
 * Parses JSON from a user. Throws also for a key `__proto__`: no config has one, and map schemas drop it
 * silently.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (key === '__proto__') throw new PrototypeKeyError();
    return value;
  });
}

export class PrototypeKeyError extends Error {
  override readonly message = 'it has the unknown key "__proto__"';
}
