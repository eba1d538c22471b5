import type { Limits } from '../sandbox.ts';
import { overrunSince, type Meter } from '../until-stopped.ts';
import type { RunningProgram } from './running-program.ts';

const pollMs = 10;

/**
 * Measures what a program uses from now on.
 *
 * @param filesBytes the bytes of files now; undefined where the kernel itself enforces the limit
 */
export function meterOf(
  program: RunningProgram,
  limits: Limits,
  filesBytes: (() => number) | undefined,
): Meter {
  const before = program.usage();
  const most = { ...limits, filesBytes: (filesBytes?.() ?? 0) + limits.diskBytes };
  return {
    look: async () => {
      const now = program.usage();
      if (now.memoryBytes > most.memoryBytes) return 'memory';
      return (
        overrunSince(before, now, most) ??
        (filesBytes !== undefined && filesBytes() > most.filesBytes ? 'disk' : undefined)
      );
    },
    after: async () => overrunSince(before, program.usage(), { cpuMs: Infinity }),
    pauseMs: () => pollMs,
  };
}
