import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { expect } from 'vitest';

/** Of a process that runs: whose child it is, and the words that it was started with; undefined once it has ended. */
function processOf(pid: number): { readonly pid: number; readonly parent: number; readonly words: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : { pid, parent: Number(parent), words: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined;
  }
}

/** Processes of browsers that this process has started, whose folders are named by it, with all below them: the browser's own first. */
export function browsersOf(holder: number): readonly number[] {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => processOf(Number(name)) ?? []);
  const below = (pid: number): readonly number[] => running.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  const named = running.filter(({ words }) => words.includes(`cairn-browser-${holder}-`));
  const mains = named.filter(({ parent }) => named.every(({ pid }) => pid !== parent)); // numbers begin anew at times, so that the lowest may be a child's
  return [...new Set(mains.flatMap(({ pid }) => [pid, ...below(pid)]))];
}

/** Of what `browsersOf` found: the browser's own process, which starts all others. */
export const mainOf = ([main]: readonly number[]): number => main ?? expect.fail('there is no browser');

/** What browsers of this process have left on the disk. */
export const foldersOf = (holder: number): readonly string[] => readdirSync(os.tmpdir()).filter((name) => name.startsWith(`cairn-browser-${holder}-`));

/** Waits ten seconds for processes to end. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  const left = (): readonly number[] => pids.filter((pid) => processOf(pid) !== undefined);
  for (let round = 0; round < 100 && left().length > 0; round += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  expect(left()).toEqual([]);
}
