import { endingOf, type Ending } from '../exit-code.ts';
import { failed } from '../faults.ts';
import type { LastSeen } from './running-program.ts';

/** Facts about a program in addition to what the kernel reports. */
export interface Evidence {
  /** The limit on its processor time, in milliseconds. */
  readonly cpuMs: number;
  /** Whether, since the program started, files have used the last space or all that its limits allow. */
  readonly isFull: () => boolean;
}

/**
 * How a program ended that was not killed from here. A program can also exit with a code that stands for a
 * limit of the kernel. So such a code counts only where the counts agree: half of the processor time is
 * enough, because the last reading may be old.
 *
 * @throws FaultError when the program ended with its supervisor
 */
export function endingOfProgram({ code, usage }: LastSeen, { cpuMs, isFull }: Evidence): Ending {
  if (usage.memoryKills > 0) return { kind: 'killed', by: 'memory' };
  if (code === undefined) throw failed('exec', 'the program was killed with its supervisor');
  const ending = endingOf(code);
  const signal = ending.kind === 'crashed' ? ending.signal : undefined;
  if ((signal === 'SIGXCPU' && usage.cpuMs >= cpuMs / 2) || (signal === 'SIGKILL' && usage.cpuMs >= cpuMs))
    return { kind: 'killed', by: 'cpu' };
  return code !== 0 && isFull() ? { kind: 'killed', by: 'disk' } : ending;
}
