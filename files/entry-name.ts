import { UsageError } from '../envs/core/errors.ts';
import { partSuffix } from './atomic-write.ts';

/** End of the hidden name of a checkpoint that a new one of the same name pushed aside and that goes when the new one stands. */
export const replacedSuffix = '.replaced';

/** Refuses names of checkpoints and results that would hide them or lead out of their folder. */
export function assertEntryName(what: 'checkpoint' | 'result', name: string): void {
  if (/^[a-z0-9][a-z0-9._-]*$/i.test(name) && !name.endsWith(partSuffix) && !name.endsWith(replacedSuffix))
    return;
  throw new UsageError({
    where: `${what} "${name}"`,
    what: 'a name is letters, digits, dots, hyphens and underscores and starts with a letter or digit.',
    fix: 'Name it like "iteration-000120".',
  });
}
