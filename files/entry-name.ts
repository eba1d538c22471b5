import { UsageError } from '../envs/core/errors.ts';
import { partSuffix } from './atomic-write.ts';

/**
 * Suffix of the hidden name of a checkpoint that a new one of the same name replaces. It is removed once the
 * new one is complete.
 */
export const replacedSuffix = '.replaced';

/**
 * Refuses names of checkpoints and results that would hide them or lead out of their folder. @throws
 * UsageError
 */
export function assertEntryName(what: 'checkpoint' | 'result', name: string): void {
  if (/^[a-z0-9][a-z0-9._-]*$/i.test(name) && !name.endsWith(partSuffix) && !name.endsWith(replacedSuffix))
    return;
  throw new UsageError({
    where: `${what} "${name}"`,
    what: 'a name must be letters, digits, dots, hyphens and underscores, and begin with a letter or digit.',
    fix: 'Use a name like "iteration-000120".',
  });
}
