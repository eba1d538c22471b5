import { UsageError } from '../envs/core/errors.ts';
import type { CommandLine } from './sandbox.ts';

/** The work folder, as programs see it. */
export const workFolder = '/work';

/** Environment variables that every program has. */
const ownEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: workFolder,
  LANG: 'C.UTF-8',
};

/**
 * Limits that every provider enforces. bwrap accepts 9,000 words in total, three of them for each variable.
 * The bytes of one word are limited by Linux (MAX_ARG_STRLEN, including the NUL at its end). Linux gives
 * arguments and variables 2 MiB for a program whose stack may have 8 MiB. The total of all words, and of all
 * variables, leaves room in it for the words of the sandbox.
 */
export const commandBounds = {
  words: 4_096,
  variables: 1_024,
  wordBytes: 2 ** 17 - 1,
  allBytes: 15 * 2 ** 16,
} as const;

/** Extra bytes that Linux stores for each word: the NUL at its end, and a pointer. */
const besideBytes = 9;

/** Describes what exceeds a limit; undefined where nothing does. */
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

/**
 * The folder to run in, as the program sees it.
 *
 * @param folder within the work folder; empty for the work folder itself
 */
export const folderInside = (folder: string): string =>
  folder === '' ? workFolder : `${workFolder}/${folder}`;

/**
 * All environment variables of a program.
 *
 * @throws UsageError for variables that the system cannot pass on, and for those of the sandbox
 */
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

// untyped callers may pass anything
const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Validates the words of a command.
 *
 * @throws UsageError for words that the system cannot pass on
 */
export function assertCommand(command: CommandLine): void {
  const given: readonly unknown[] = command; // untyped callers may pass anything
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
