import { UsageError } from '../../envs/core/errors.ts';

/** The words of a refusal; anything else is thrown on. */
export function messageIfRefused(error: unknown): string {
  if (UsageError.is(error)) return error.message;
  throw error;
}

/** The words of the refusal in which `work` ends; none where it does not. */
export function refusalOf(work: Promise<unknown>): Promise<readonly string[]> {
  return work.then(
    () => [],
    (error: unknown) => [messageIfRefused(error)],
  );
}
