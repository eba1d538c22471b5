import os from 'node:os';
import type { ExecResult } from './sandbox.ts';

/** How a program ended, without what it printed. */
export type Ending = ExecResult extends infer Result
  ? Result extends ExecResult
    ? Omit<Result, 'stdout' | 'stderr' | 'ms'>
    : never
  : never;

/** Shells report a signal as this number plus the signal's number. */
const signalBase = 128;

/** The name of a signal by its number. Of a signal with two names the first, such as SIGABRT. */
const signalNames = new Map(
  Object.entries(os.constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/**
 * Interprets an exit code. Codes follow the convention of shells, so an exit code of 128 plus a signal's
 * number cannot be distinguished from that signal.
 */
export function endingOf(code: number): Exclude<Ending, { readonly kind: 'killed' }> {
  const signal = signalNames.get(code - signalBase);
  return signal === undefined ? { kind: 'exited', code } : { kind: 'crashed', signal };
}
