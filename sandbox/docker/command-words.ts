import { randomBytes } from 'node:crypto';
import { UsageError } from '../../envs/core/errors.ts';
import { assertCommand, environmentOf, folderInside } from '../program-words.ts';
import type { CommandLine } from '../sandbox.ts';
import { openWorkFolder } from './work-folder.ts';

/**
 * The exit code, with `noFolder` on stderr, for a folder that does not exist. With any other code the folder
 * cannot be entered.
 */
export const missingCode = 124;

/**
 * Enters the folder inside the container with the program's own rights. The daemon is root and never follows
 * a path that a program can change. When memory runs out, the program is killed before the processes that
 * watch it.
 */
const entrance = `${openWorkFolder}
cd -P -- "$1" 2>/dev/null && [ "$PWD" = "$1" ] || { echo "$2" >&2; [ -e "$1" ] || [ -L "$1" ] || exit ${missingCode}; exit 125; }
shift 2
echo 1000 >/proc/self/oom_score_adj
exec env -i "$@"`;

export interface Words {
  readonly words: readonly string[];
  /** Printed on stderr where the folder does not exist or cannot be entered. It cannot be guessed. */
  readonly noFolder: string;
}

/**
 * The command line of a program.
 *
 * @param start.folder within the work folder; empty for the work folder itself
 */
export function wordsOf(
  command: CommandLine,
  start: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Words {
  assertCommand(command);
  assertName(command[0]);
  const noFolder = randomBytes(16).toString('hex');
  const variables = Object.entries(environmentOf(start.env)).map(([name, value]) => `${name}=${value}`);
  return {
    words: ['sh', '-c', entrance, 'sh', folderInside(start.folder), noFolder, ...variables, ...command],
    noFolder,
  };
}

/**
 * Validates the name of a program.
 *
 * @throws UsageError for a name that `env` would read as a variable
 */
function assertName(program: string): void {
  if (!program.includes('=')) return;
  throw new UsageError({
    where: `program ${JSON.stringify(program)}`,
    what: 'its name contains "=".',
    fix: 'Run it with sh -c.',
  });
}
