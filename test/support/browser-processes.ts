import { readdirSync } from 'node:fs';
import os from 'node:os';
import { expect } from 'vitest';
import { runningProcesses } from './processes.ts';

/** Processes of browsers that this process has started, whose folders are named by it, with all below them: the browser's own first. */
export function browsersOf(holder: number): readonly number[] {
  const running = runningProcesses();
  const below = (pid: number): readonly number[] =>
    running.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  const named = running.filter(({ words }) => words.includes(`cairn-browser-${holder}-`));
  const mains = named.filter(({ parent }) => named.every(({ pid }) => pid !== parent)); // process numbers wrap around, so the lowest may be a child's
  return [...new Set(mains.flatMap(({ pid }) => [pid, ...below(pid)]))];
}

/** Of what `browsersOf` found: the browser's own process, which starts all others. */
export const mainOf = ([main]: readonly number[]): number => main ?? expect.fail('there is no browser');

/** What browsers of this process have left on the disk. */
export const foldersOf = (holder: number): readonly string[] =>
  readdirSync(os.tmpdir()).filter((name) => name.startsWith(`cairn-browser-${holder}-`));
