import { readdirSync, readFileSync } from 'node:fs';
import type { Counts } from '../until-stopped.ts';
import { socketBytes } from './sockets.ts';

/** What a program uses, with all its children. */
export interface Usage extends Counts {
  /** Bytes of memory that are not files of the sandbox. */
  readonly memoryBytes: number;
}

const kibi = 1024;
const tickMs = 10; // USER_HZ is 100 on every Linux

/** The processes below `first`, including `first`, as the kernel reports them. */
function below(first: number): readonly number[] {
  const found = [first];
  for (const pid of found) {
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        for (const child of readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ')) {
          if (child !== '') found.push(Number(child));
        }
      }
    } catch {
      // it has ended meanwhile
    }
  }
  return found;
}

/**
 * What the processes below the first one of a pid namespace use, in total. All processes of that namespace
 * are below it.
 */
export function usageBelow(first: number, pids: number): Usage {
  let memoryBytes = socketBytes(first);
  let threads = 0;
  let ticks = 0;
  for (const pid of below(first)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const kibibytes = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      memoryBytes += kibi * (kibibytes('RssAnon') + kibibytes('RssShmem') + kibibytes('VmPTE'));
      if (pid !== first) threads += kibibytes('Threads');
      ticks += ticksOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      // it has ended meanwhile
    }
  }
  return { memoryBytes, memoryKills: 0, refusedForks: threads > pids ? 1 : 0, cpuMs: ticks * tickMs };
}

/**
 * The processor time of a process and of the children that it has waited for, in ticks. Fields 14 to 17 of
 * proc(5), counted after the name, which may contain anything.
 */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/**
 * The start time of a process, which distinguishes it from a later one with the same id; undefined once it
 * has ended.
 */
export function beginningOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
