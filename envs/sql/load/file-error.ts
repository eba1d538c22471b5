import { UsageError } from '../../core/errors.ts';

/** What is wrong with a file, and where in it. */
export function fileError(
  where: string,
  what: string,
  mend = 'Mend the file, or take its original.',
): UsageError {
  return new UsageError({ where, what, mend });
}
