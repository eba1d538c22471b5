import { randomBytes } from 'node:crypto';
import { UsageError } from '../../envs/core/errors.ts';
import { assertCommand, environmentOf, folderInside } from '../program-words.ts';
import type { CommandLine } from '../sandbox.ts';
import { openWorkFolder } from './work-folder.ts';

/** With `noFolder` on stderr: there is nothing by that name. Any other code with it: what is there cannot be entered. */
export const missingCode = 124;

/**
 * Goes to the folder itself, within the container and with the program's own rights: the daemon, which is root, never follows a path that a
 * program can change. When there is not enough memory, the program goes first, not what watches it.
 */
const entrance = `${openWorkFolder}
cd -P -- "$1" 2>/dev/null && [ "$PWD" = "$1" ] || { echo "$2" >&2; [ -e "$1" ] || [ -L "$1" ] || exit ${missingCode}; exit 125; }
shift 2
echo 1000 >/proc/self/oom_score_adj
exec env -i "$@"`;

export interface Words {
  readonly words: readonly string[];
  /** Printed on stderr when there is no such folder, or it cannot be entered; nobody can guess it. */
  readonly noFolder: string;
}

/** @param start.folder within the work folder; empty for itself */
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

/** @throws UsageError for a name that `env` takes for a variable */
function assertName(program: string): void {
  if (!program.includes('=')) return;
  throw new UsageError({
    where: `program ${JSON.stringify(program)}`,
    what: 'its name contains "=".',
    fix: 'Run it with sh -c.',
  });
}
