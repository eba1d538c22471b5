import { endingOf, type Ending } from '../exit-code.ts';
import { failed } from '../faults.ts';
import type { KilledBy } from '../sandbox.ts';
import type { LastSeen } from './running-program.ts';

/** What the kernel's own limits end programs with, and which limit that was. */
const limitSignals: Readonly<Record<string, KilledBy>> = { SIGXCPU: 'cpu', SIGXFSZ: 'disk' };

/**
 * How a program ended that was not killed from here.
 *
 * @param cpuMs its limit on processor time
 * @throws FaultError when the program ended with its supervisor
 */
export function endingOfProgram({ code, usage }: LastSeen, cpuMs: number): Ending {
  if (usage.memoryKills > 0) return { kind: 'killed', by: 'memory' };
  if (code === undefined) throw failed('exec', 'the program was killed with its supervisor');
  const ending = endingOf(code);
  if (ending.kind === 'exited') return ending;
  const by = limitSignals[ending.signal] ?? (ending.signal === 'SIGKILL' && usage.cpuMs >= cpuMs ? 'cpu' : undefined);
  return by === undefined ? ending : { kind: 'killed', by };
}
