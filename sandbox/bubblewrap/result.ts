import os from 'node:os';
import { FaultError } from '../../envs/core/errors.ts';
import type { ExecResult, KilledBy, Limits } from '../sandbox.ts';
import type { Ending } from './running-program.ts';
import type { Killer } from './watch.ts';

/** How a program ended, without what it printed. */
export type EndingOf = ExecResult extends infer Result ? (Result extends ExecResult ? Omit<Result, 'stdout' | 'stderr' | 'ms'> : never) : never;

/** Shells tell a signal as a code above this. */
const signalBase = 128;

/** What the kernel's own limits end programs with, and which limit that was. */
const limitSignals: Readonly<Record<string, KilledBy>> = { SIGXCPU: 'cpu', SIGXFSZ: 'disk' };

/**
 * @throws the reason of the caller's signal when the caller killed it; FaultError when the sandbox was disposed of, or the program ended
 * with its supervisor
 */
export function endingOf(
  { code, usage }: Ending,
  known: { readonly killer: Killer | undefined; readonly limits: Limits; readonly signal: AbortSignal; readonly cpuMsBefore: number },
): EndingOf {
  const { killer, limits } = known;
  if (killer === 'caller') throw known.signal.reason;
  if (killer === 'disposal') throw interrupted('the sandbox was disposed of while a program ran');
  if (killer !== undefined) return { kind: 'killed', by: killer };
  if (code === undefined) throw interrupted('the program was killed with its supervisor');
  if (usage.memoryKills > 0) return { kind: 'killed', by: 'memory' };
  const signal = signalOf(code);
  if (signal === undefined) return { kind: 'exited', code };
  const by = limitSignals[signal] ?? (signal === 'SIGKILL' && usage.cpuMs - known.cpuMsBefore >= limits.cpuMs ? 'cpu' : undefined);
  return by === undefined ? { kind: 'crashed', signal } : { kind: 'killed', by };
}

function signalOf(code: number): string | undefined {
  return Object.entries(os.constants.signals).find(([, number]) => number === code - signalBase)?.[0];
}

const interrupted = (message: string): FaultError => new FaultError({ kind: 'sandbox-failed', stage: 'exec', message, retryable: true });
