import { UsageError } from '../envs/core/errors.ts';
import type { Limits } from './sandbox.ts';

const longestMs = 2_000_000_000; // timers know no longer ones
const mostBytes = 2 ** 50;

/** What each limit may be, from and to; with less no provider could start a program, or could not tell it from none. */
export const limitBounds: Readonly<Record<keyof Limits, readonly [least: number, most: number]>> = {
  wallMs: [1, longestMs],
  cpuMs: [1, longestMs],
  memoryBytes: [2 ** 24, mostBytes],
  pids: [8, 2 ** 22], // the kernel has no more numbers for processes
  diskBytes: [4096, mostBytes], // a page
  outputBytes: [0, mostBytes],
};

const names = Object.keys(limitBounds) as readonly (keyof Limits)[];

/** @throws UsageError for the first that is missing, or no whole number within its bounds */
export function assertLimits(limits: Limits): void {
  for (const name of names) assertLimit(name, limits[name]);
}

function assertLimit(name: keyof Limits, value: number): void {
  const [least, most] = limitBounds[name];
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new UsageError({
    where: `limit ${name} of a program`,
    what: `${String(value)} is no whole number from ${least} to ${most}.`,
    mend: 'Give one: milliseconds, bytes, or processes.',
  });
}

/** The sandbox's limits with some of them lowered. */
export function narrow(limits: Limits, wanted: Partial<Limits>): Limits {
  for (const name of names) {
    const value = wanted[name];
    if (value === undefined) continue;
    assertLimit(name, value);
    if (value <= limits[name]) continue;
    throw new UsageError({
      where: `limit ${name} of a program`,
      what: `${value} is more than the sandbox's own ${limits[name]}.`,
      mend: 'Open the sandbox with the wider limit.',
    });
  }
  return { ...limits, ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) };
}
