import { UsageError } from '../envs/core/errors.ts';
import type { CommandLine } from './sandbox.ts';

/** Where programs find their work folder. */
export const workFolder = '/work';

/** What programs may rely on in their environment. */
const ownEnvironment: Readonly<Record<string, string>> = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: workFolder, LANG: 'C.UTF-8' };

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
  return { ...env, ...ownEnvironment };
}

/** @throws UsageError for words that the system cannot hand on */
export function assertCommand(command: CommandLine): void {
  if (command[0] !== '' && command.every((word) => !word.includes('\0'))) return;
  throw new UsageError({
    where: `command ${JSON.stringify(command)}`,
    what: 'its program is empty, or there is a NUL in a word.',
    mend: 'Give words that the system can hand on; bytes go through stdin or a file.',
  });
}
