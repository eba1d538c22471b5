import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Waits five seconds for processes to end, by which they have given up their files; those that still live. */
export async function untilGone(pids: readonly number[]): Promise<readonly number[]> {
  for (let round = 0; round < 100 && pids.some(lives); round += 1) await pause(50);
  return pids.filter(lives);
}

const lives = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
