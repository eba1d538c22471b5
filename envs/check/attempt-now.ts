import { messageOf } from '../core/errors.ts';

/** The outcome of a function that must not throw: its value, or the message of what it threw. */
export type Attempt<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly message: string };

export function attemptNow<T>(run: () => T): Attempt<T> {
  try {
    return { kind: 'returned', value: run() };
  } catch (thrown) {
    return { kind: 'threw', message: messageOf(thrown) };
  }
}
