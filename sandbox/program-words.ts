import { UsageError } from '../envs/core/errors.ts';
import type { CommandLine } from './sandbox.ts';

/** Where programs find their work folder. */
export const workFolder = '/work';

/** What programs may rely on in their environment. */
const ownEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: workFolder,
  LANG: 'C.UTF-8',
};

/**
 * How many words and variables every provider hands on: bwrap takes 9,000 words of all kinds, three of them for a variable. And their bytes:
 * of one, what Linux does (MAX_ARG_STRLEN, with the NUL at its end); of all words, and of all variables, what leaves room for the sandbox's
 * own within the 2 MiB that Linux gives a program whose stack may have 8 MiB.
 */
export const commandBounds = {
  words: 4_096,
  variables: 1_024,
  wordBytes: 2 ** 17 - 1,
  allBytes: 15 * 2 ** 16,
} as const;

/** What Linux keeps of each beside its bytes: the NUL at its end, and a pointer. */
const besideBytes = 9;

/** What there is too much of; undefined where nothing is. */
function tooMuchOf(
  words: readonly string[],
  { most, one, all }: { readonly most: number; readonly one: string; readonly all: string },
): string | undefined {
  if (words.length > most) return `there are ${words.length} ${all}, but at most ${most} are allowed.`;
  const lengths = words.map((word) => Buffer.byteLength(word));
  if (lengths.some((length) => length > commandBounds.wordBytes))
    return `one ${one} is longer than ${commandBounds.wordBytes} bytes.`;
  const sum = lengths.reduce((bytes, length) => bytes + length + besideBytes, 0);
  return sum > commandBounds.allBytes
    ? `the ${all} take more than ${commandBounds.allBytes} bytes in total, with ${besideBytes} extra bytes for each.`
    : undefined;
}

/** The folder to run in, as the program sees it. @param folder within the work folder; empty for itself */
export const folderInside = (folder: string): string =>
  folder === '' ? workFolder : `${workFolder}/${folder}`;

/** All variables of a program. @throws UsageError for those that the system cannot hand on, and for the sandbox's own */
export function environmentOf(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env)) {
    const isOwn = Object.hasOwn(ownEnvironment, name);
    if (/^[^=\0]+$/.test(name) && isText(value) && !value.includes('\0') && !isOwn) continue;
    throw new UsageError({
      where: `environment variable ${JSON.stringify(name)} of a program`,
      what: isOwn
        ? "it is the sandbox's own."
        : 'its name is empty or contains "=", its value is not a string, or one of them contains NUL.',
      fix: 'Use valid names and values, and do not set PATH, HOME or LANG.',
    });
  }
  const flaw = tooMuchOf(
    Object.entries(env).map(([name, value]) => `${name}=${value}`),
    { most: commandBounds.variables, one: 'variable', all: 'variables' },
  );
  if (flaw === undefined) return { ...env, ...ownEnvironment };
  throw new UsageError({
    where: 'environment of a program',
    what: flaw,
    fix: 'Pass the data through stdin or a file.',
  });
}

const isText = (value: unknown): value is string => typeof value === 'string'; // without types it can be anything

/** @throws UsageError for words that the system cannot hand on */
export function assertCommand(command: CommandLine): void {
  const given: readonly unknown[] = command; // without types it can be anything
  if (given.length === 0 || given.some((word) => typeof word !== 'string')) {
    throw new UsageError({
      where: 'command of a program',
      what: given.length === 0 ? 'it is empty.' : 'every word must be a string.',
      fix: 'Give the name of a program, then its arguments, each as a string.',
    });
  }
  const flaw = tooMuchOf(command, { most: commandBounds.words, one: 'word', all: 'words' });
  if (flaw !== undefined)
    throw new UsageError({
      where: `command ${JSON.stringify(command[0].slice(0, 100))}`,
      what: flaw,
      fix: 'Pass the data through stdin or a file.',
    });
  if (command[0] !== '' && command.every((word) => !word.includes('\0'))) return;
  throw new UsageError({
    where: `command ${JSON.stringify(command)}`,
    what: 'the program name is empty, or a word contains NUL.',
    fix: 'Use words without NUL, and pass binary data through stdin or a file.',
  });
}
