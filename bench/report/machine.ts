import { availableParallelism, cpus, loadavg } from 'node:os';

/** When and where a measurement was made. */
export function describeMachine(): Readonly<Record<string, string | number>> {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadBefore: machineLoad(),
  };
}

/** Of everything on the machine, in the last minute: above the number of cores it stands in the way. */
export const machineLoad = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

/** The most memory that this process has had, in MiB. */
export const peakMemoryMiB = (): number => Math.round(process.resourceUsage().maxRSS / 1_024);
