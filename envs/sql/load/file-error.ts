import { UsageError } from '../../core/errors.ts';

/** The error for a flaw in a file, with its place. */
export function fileError(
  where: string,
  what: string,
  fix = 'Fix the file, or use its original.',
): UsageError {
  return new UsageError({ where, what, fix });
}
