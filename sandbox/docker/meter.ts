import type { KilledBy, Limits } from '../sandbox.ts';
import { overrunSince, type Meter } from '../until-stopped.ts';
import type { Cell } from './cell.ts';
import { unlessStarved } from './memory-lack.ts';
import { hasOwnKernel } from './runtime.ts';

/** Starting a program in a container takes processor time that is none of the program's. */
const startCpuMs = 40;
const longestPauseMs = 100;
const shortestPauseMs = 10;

/** What a program in a container uses from now on. */
export async function meterOf(cell: Cell, limits: Limits): Promise<Meter> {
  const before = await cell.read();
  const cpuMs = limits.cpuMs + startCpuMs;
  const counts = hasOwnKernel(cell.plan.settings); // such a kernel refuses none, and does not tell
  let now = before;
  const overrunBy = async (most: number): Promise<KilledBy | undefined> => {
    now = await cell.read();
    if (counts && now.processes > limits.pids) return 'pids';
    return overrunSince(before, now, { cpuMs: most });
  };
  return {
    look: () => unlessStarved(cell, overrunBy(cpuMs), 'memory'),
    after: () => unlessStarved(cell, overrunBy(Infinity), 'memory'),
    pauseMs: () => {
      if (counts) return shortestPauseMs;
      const left = (cpuMs - (now.cpuMs - before.cpuMs)) / cell.plan.settings.cpus; // no sooner can it have used that up
      return Math.min(longestPauseMs, Math.max(shortestPauseMs, left));
    },
  };
}
