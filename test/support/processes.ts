import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** The words that it was started with. */
  readonly words: string;
}

/** All running processes, from `/proc`. Zombies are left out. */
export const runningProcesses = (): readonly RunningProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);

/** Waits ten seconds for processes to end, by which they have given up their files. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  const left = (): readonly number[] => pids.filter((pid) => processOf(pid) !== undefined);
  for (let round = 0; round < 1_200 && left().length > 0; round += 1) await pause(50);
  expect(left()).toEqual([]);
}

function processOf(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z'
      ? undefined
      : { pid, parent: Number(parent), words: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined; // it has ended meanwhile
  }
}
