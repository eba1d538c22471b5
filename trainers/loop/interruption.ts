import type { Context } from '../../envs/core/context.ts';

/**
 * Whether the error is the caller's abort. Only then are the weights those of the last completed work; after
 * any other failure they may not be.
 */
export function isInterruption(thrown: unknown, { signal }: Pick<Context, 'signal'>): boolean {
  return signal.aborted && thrown === signal.reason;
}
