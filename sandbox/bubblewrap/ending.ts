import { endingOf, type Ending } from '../exit-code.ts';
import { failed } from '../faults.ts';
import type { LastSeen } from './running-program.ts';

/** What its ending is judged by beside what the kernel says of it. */
export interface Evidence {
  /** Its limit on processor time. */
  readonly cpuMs: number;
  /** Whether files have taken the last room that there was, or all that its limits let them, since it began. */
  readonly isFull: () => boolean;
}

/**
 * How a program ended that was not killed from here. A code that stands for a limit of the kernel's is believed where the counts fit, for a
 * program can also exit with it: half of the processor time, since the last look may be old.
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
