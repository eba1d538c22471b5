import { UsageError } from '../../envs/core/errors.ts';

/** The words of a refusal; anything else is thrown on. */
export function messageIfRefused(error: unknown): string {
  if (UsageError.is(error)) return error.message;
  throw error;
}
