import type { Context } from '../../envs/core/context.ts';

/**
 * Whether what was thrown is the caller's wish to stop. Only then are the weights as they were after the last whole piece of
 * work; after any other failure they may not be.
 */
export function isInterruption(thrown: unknown, { signal }: Pick<Context, 'signal'>): boolean {
  return signal.aborted && thrown === signal.reason;
}
