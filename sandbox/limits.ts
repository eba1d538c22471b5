import { UsageError } from '../envs/core/errors.ts';
import type { Limits } from './sandbox.ts';

const longestMs = 2_000_000_000; // timers cannot wait longer
const mostBytes = 2 ** 50;

/**
 * The lowest and highest value of each limit. Below the lowest no provider could start a program, or could
 * not distinguish the limit from none.
 */
export const limitBounds: Readonly<Record<keyof Limits, readonly [least: number, most: number]>> = {
  wallMs: [1, longestMs],
  cpuMs: [1, longestMs],
  memoryBytes: [2 ** 24, mostBytes],
  pids: [8, 2 ** 22], // the kernel has no more process numbers
  diskBytes: [4096, mostBytes], // a page
  outputBytes: [0, mostBytes],
};

const names = Object.keys(limitBounds) as readonly (keyof Limits)[];

/**
 * Validates limits.
 *
 * @throws UsageError for the first limit that is missing, unknown or not an integer within its bounds
 */
export function assertLimits(limits: Limits): void {
  assertKnown(limits);
  for (const name of names) assertLimit(name, limits[name]);
}

/** Refuses unknown names. A misspelt limit would have no effect. */
function assertKnown(limits: Partial<Limits>): void {
  const unknown = Object.keys(limits).find((name) => !Object.hasOwn(limitBounds, name));
  if (unknown === undefined) return;
  throw new UsageError({
    where: `limit ${unknown} of a program`,
    what: 'this limit does not exist.',
    fix: `Choose one of ${names.join(', ')}.`,
  });
}

function assertLimit(name: keyof Limits, value: number): void {
  const [least, most] = limitBounds[name];
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new UsageError({
    where: `limit ${name} of a program`,
    what: `it must be an integer from ${least} to ${most}, not ${String(value)}.`,
    fix: 'Give milliseconds, bytes or a number of processes.',
  });
}

/**
 * The sandbox's limits with some of them lowered.
 *
 * @throws UsageError for an unknown limit, and for one above the sandbox's limit
 */
export function narrow(limits: Limits, wanted: Partial<Limits>): Limits {
  assertKnown(wanted);
  for (const name of names) {
    const value = wanted[name];
    if (value === undefined) continue;
    assertLimit(name, value);
    if (value <= limits[name]) continue;
    throw new UsageError({
      where: `limit ${name} of a program`,
      what: `${value} is above the limit of the sandbox, ${limits[name]}.`,
      fix: 'Open the sandbox with a higher limit.',
    });
  }
  return {
    ...limits,
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  };
}

/**
 * Validates the maximum size of a file to read, in bytes.
 *
 * @throws UsageError where it is not an integer of at least 0
 */
export function assertMaxBytes(maxBytes: number): void {
  if (Number.isSafeInteger(maxBytes) && maxBytes >= 0) return;
  throw new UsageError({
    where: 'sandbox.read, maxBytes',
    what: `it must be an integer of at least 0, not ${String(maxBytes)}.`,
    fix: 'Give the maximum size of the file in bytes.',
  });
}

/**
 * Checks that the files of a snapshot fit.
 *
 * @param neededBytes what the files of the snapshot take here
 * @throws UsageError where the limit on files is lower
 */
export function assertHolds({ diskBytes }: Pick<Limits, 'diskBytes'>, neededBytes: number): void {
  if (diskBytes >= neededBytes) return;
  throw new UsageError({
    where: 'limit diskBytes of a sandbox',
    what: `${diskBytes} is less than the ${neededBytes} bytes that the snapshot needs.`,
    fix: `Open the sandbox with ${neededBytes} or more.`,
  });
}
