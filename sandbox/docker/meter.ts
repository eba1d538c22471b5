import type { KilledBy, Limits } from '../sandbox.ts';
import { overrunSince, type Meter } from '../until-stopped.ts';
import type { Cell } from './cell.ts';
import { unlessStarved } from './memory-lack.ts';
import { hasOwnKernel } from './runtime.ts';

/**
 * Processor time in milliseconds for starting a program in a container, which does not count for the program.
 */
const startCpuMs = 40;
const longestPauseMs = 100;
const shortestPauseMs = 10;

/** Measures what a program in a container uses from now on. */
export async function meterOf(cell: Cell, limits: Limits): Promise<Meter> {
  const before = await cell.read();
  const cpuMs = limits.cpuMs + startCpuMs;
  // such a kernel refuses no process and does not report any refusal
  const counts = hasOwnKernel(cell.plan.settings);
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
      // the earliest time at which the rest can be used up
      const left = (cpuMs - (now.cpuMs - before.cpuMs)) / cell.plan.settings.cpus;
      return Math.min(longestPauseMs, Math.max(shortestPauseMs, left));
    },
  };
}
