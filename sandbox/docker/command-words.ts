import { randomBytes } from 'node:crypto';
import { UsageError } from '../../envs/core/errors.ts';
import type { CommandLine } from '../sandbox.ts';
import { workFolder } from './cell-config.ts';

/** What programs may rely on in their environment. */
const ownEnvironment: Readonly<Record<string, string>> = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: workFolder, LANG: 'C.UTF-8' };

/**
 * Goes to the folder itself, within the container and with the program's own rights: the daemon, which is root, never follows a path that a
 * program can change. When there is not enough memory, the program goes first, not what watches it.
 */
const entrance = `cd -P -- "$1" 2>/dev/null && [ "$PWD" = "$1" ] || { echo "$2" >&2; exit 125; }
shift 2
echo 1000 >/proc/self/oom_score_adj
exec env -i "$@"`;

export interface Words {
  readonly words: readonly string[];
  /** Printed on stderr when there is no such folder; nobody can guess it. */
  readonly noFolder: string;
}

/** @param start.folder within the work folder; empty for itself */
export function wordsOf(command: CommandLine, start: { readonly folder: string; readonly env: Readonly<Record<string, string>> }): Words {
  assertCommand(command);
  assertEnvironment(start.env);
  const noFolder = randomBytes(16).toString('hex');
  const folder = start.folder === '' ? workFolder : `${workFolder}/${start.folder}`;
  const variables = Object.entries({ ...start.env, ...ownEnvironment }).map(([name, value]) => `${name}=${value}`);
  return { words: ['sh', '-c', entrance, 'sh', folder, noFolder, ...variables, ...command], noFolder };
}

function assertCommand(command: CommandLine): void {
  const [program] = command;
  if (program !== '' && !program.includes('=') && command.every((word) => !word.includes('\0'))) return;
  throw new UsageError({
    where: `command ${JSON.stringify(command)}`,
    what: 'its program is empty or has "=" in its name, or there is a NUL in a word.',
    mend: 'Give words that the system can hand on; bytes go through stdin or a file.',
  });
}

function assertEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (/^[^=\0]+$/.test(name) && !value.includes('\0') && !(name in ownEnvironment)) continue;
    throw new UsageError({
      where: `environment variable ${JSON.stringify(name)} of a program`,
      what: name in ownEnvironment ? "it is the sandbox's own." : 'its name is empty or has "=" in it, or there is a NUL in it.',
      mend: 'Give names and values that the system can hand on, and none of PATH, HOME and LANG.',
    });
  }
}
