import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf, UsageError } from '../../envs/core/errors.ts';

const objectSchema = z.record(z.string(), z.unknown());

/** The JSON object in a file that the user named. Pipes are refused: one that nobody writes to would be waited for for ever, and no signal ends that. */
export async function readConfigFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const refuse = (what: string, cause?: unknown): UsageError =>
    new UsageError(
      {
        where: `config file ${file}`,
        what,
        fix: 'Give a file that holds one JSON object, such as {"panel": "dev"}.',
      },
      { cause },
    );
  let text: string;
  try {
    if (!(await stat(file)).isFile()) throw refuse('it is no plain file.');
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw refuse(`it cannot be read (${messageOf(thrown)}).`, thrown);
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (thrown) {
    if (thrown instanceof PrototypeKeyError) throw refuse(`${thrown.message}.`, thrown);
    throw refuse(`it is no JSON (${messageOf(thrown)}).`, thrown);
  }
  const parsed = objectSchema.safeParse(value);
  if (!parsed.success || Array.isArray(value)) throw refuse('it holds no JSON object.');
  return parsed.data;
}

/** JSON that a person wrote. Throws also where it has a key `__proto__`: no config has one, and schemas of maps drop it unsaid. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (key === '__proto__') throw new PrototypeKeyError();
    return value;
  });
}

export class PrototypeKeyError extends Error {
  override readonly message = 'it has the unknown key "__proto__"';
}
