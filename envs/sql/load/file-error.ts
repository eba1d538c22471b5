import { UsageError } from '../../core/errors.ts';

/** What is wrong with a file, and where in it. */
export function fileError(
  where: string,
  what: string,
  fix = 'Fix the file, or take its original.',
): UsageError {
  return new UsageError({ where, what, fix });
}
