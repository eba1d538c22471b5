import os from 'node:os';

/** The name of a signal by its number; of one with two names the first, such as SIGABRT. */
const signalNames = new Map(
  Object.entries(os.constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/**
 * How a program ended by itself. A container tells codes as shells do, so that a program which exits with 128 and a signal's number cannot be
 * told from one that the signal killed.
 */
export function endingOf(code: number): { readonly kind: 'exited'; readonly code: number } | { readonly kind: 'crashed'; readonly signal: string } {
  const signal = signalNames.get(code - 128);
  return signal === undefined ? { kind: 'exited', code } : { kind: 'crashed', signal };
}
