import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { codeOf } from '../envs/core/errors.ts';

/** Identifies a process, so that a later one with the same number is not confused with it. */
export const processIdentitySchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** Boot id and start time in clock ticks, if the system reports them (Linux). */
  startTime: z.string().optional(),
});
export type ProcessIdentity = Readonly<z.output<typeof processIdentitySchema>>;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const startTime = readProcess(process.pid)?.startTime;
  return { pid: process.pid, host: hostname(), ...(startTime === undefined ? {} : { startTime }) };
}

/** Whether that process still runs; `unknown` if it is on another machine. */
export function livenessOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (identity.host !== hostname()) return 'unknown';
  // no /proc on this system
  if (readProcess(process.pid) === undefined) return answersSignals(identity.pid) ? 'alive' : 'dead';
  const found = readProcess(identity.pid);
  if (found === undefined || found.ended) return 'dead';
  return identity.startTime === undefined || identity.startTime === found.startTime ? 'alive' : 'dead';
}

interface FoundProcess {
  readonly startTime: string;
  /** Dead, but its parent has not waited for it yet. */
  readonly ended: boolean;
}

function readProcess(pid: number): FoundProcess | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, which may contain anything. State is field 3,
  // start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown-boot';
  return { startTime: `${boot}:${fields[19] ?? ''}`, ended: fields[0] === 'Z' || fields[0] === 'X' };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // it ended meanwhile, or there is no /proc
  }
}

/** Whether a process of that id runs on this machine. */
export function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM'; // it exists and belongs to another user
  }
}
