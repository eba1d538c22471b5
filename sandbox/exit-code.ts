import os from 'node:os';
import type { ExecResult } from './sandbox.ts';

/** How a program ended, without what it printed. */
export type Ending = ExecResult extends infer Result
  ? Result extends ExecResult
    ? Omit<Result, 'stdout' | 'stderr' | 'ms'>
    : never
  : never;

/** Shells tell a signal as a code above this. */
const signalBase = 128;

/** The name of a signal by its number; of one with two names the first, such as SIGABRT. */
const signalNames = new Map(
  Object.entries(os.constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** How a program ended by itself. Codes are told as shells do: one of 128 and a signal's number cannot be told from that signal. */
export function endingOf(code: number): Exclude<Ending, { readonly kind: 'killed' }> {
  const signal = signalNames.get(code - signalBase);
  return signal === undefined ? { kind: 'exited', code } : { kind: 'crashed', signal };
}
