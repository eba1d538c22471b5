import { UsageError } from '../envs/core/errors.ts';
import type { CommandLine } from './sandbox.ts';

/** Where programs find their work folder. */
export const workFolder = '/work';

/** What programs may rely on in their environment. */
const ownEnvironment: Readonly<Record<string, string>> = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: workFolder, LANG: 'C.UTF-8' };

/** What Linux hands on of one word or variable (MAX_ARG_STRLEN, with the NUL at its end), and of all words together beside the sandbox's own. */
const mostBytes = { word: 2 ** 17 - 1, all: 2 ** 20 } as const;

const fits = (words: readonly string[]): boolean => {
  const lengths = words.map((word) => Buffer.byteLength(word));
  return lengths.every((length) => length <= mostBytes.word) && lengths.reduce((sum, length) => sum + length + 1, 0) <= mostBytes.all;
};

/** The folder to run in, as the program sees it. @param folder within the work folder; empty for itself */
export const folderInside = (folder: string): string => (folder === '' ? workFolder : `${workFolder}/${folder}`);

/** All variables of a program. @throws UsageError for those that the system cannot hand on, and for the sandbox's own */
export function environmentOf(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env)) {
    const isOwn = Object.hasOwn(ownEnvironment, name);
    if (/^[^=\0]+$/.test(name) && !value.includes('\0') && !isOwn) continue;
    throw new UsageError({
      where: `environment variable ${JSON.stringify(name)} of a program`,
      what: isOwn ? "it is the sandbox's own." : 'its name is empty or has "=" in it, or there is a NUL in it.',
      mend: 'Give names and values that the system can hand on, and none of PATH, HOME and LANG.',
    });
  }
  if (fits(Object.entries(env).map(([name, value]) => `${name}=${value}`))) return { ...env, ...ownEnvironment };
  throw new UsageError({
    where: 'environment of a program',
    what: `one variable has more than ${mostBytes.word} bytes, or all have more than ${mostBytes.all}.`,
    mend: 'Give such bytes through stdin or a file.',
  });
}

/** @throws UsageError for words that the system cannot hand on */
export function assertCommand(command: CommandLine): void {
  if (!fits(command)) {
    throw new UsageError({
      where: `command ${JSON.stringify(command[0].slice(0, 100))}`,
      what: `one word has more than ${mostBytes.word} bytes, or all have more than ${mostBytes.all}.`,
      mend: 'Give such bytes through stdin or a file.',
    });
  }
  if (command[0] !== '' && command.every((word) => !word.includes('\0'))) return;
  throw new UsageError({
    where: `command ${JSON.stringify(command)}`,
    what: 'its program is empty, or there is a NUL in a word.',
    mend: 'Give words that the system can hand on; bytes go through stdin or a file.',
  });
}
