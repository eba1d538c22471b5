import { UsageError } from '../envs/core/errors.ts';
import type { Snapshot } from './sandbox.ts';

/**
 * Checks the clock. Without types a missing clock would be noticed much later.
 *
 * @throws UsageError where `now` is no function
 */
export function assertClock(provider: string, now: unknown): void {
  if (typeof now === 'function') return;
  throw new UsageError({
    where: `sandbox provider "${provider}"`,
    what: '`now` must be a function.',
    fix: 'Pass a monotonic clock in milliseconds.',
  });
}

/**
 * The error of a call on a sandbox that was disposed.
 *
 * @param call such as `exec`
 */
export const afterDisposal = (call: string): UsageError =>
  new UsageError({
    where: `sandbox.${call}`,
    what: 'it was called after the sandbox was disposed.',
    fix: 'Open a new sandbox.',
  });

/** The error of calls that run while their sandbox is disposed. */
export const disposedMeanwhile = (): UsageError =>
  new UsageError({
    where: 'sandbox',
    what: 'it was disposed while this call was running.',
    fix: 'Await all calls before disposing.',
  });

/** The error of a call on a provider that was disposed. */
export const afterDisposalOf = (provider: string): UsageError =>
  new UsageError({
    where: `sandbox provider "${provider}"`,
    what: 'it was used after it was disposed.',
    fix: 'Create a new one.',
  });

/** The error of a snapshot that another provider made. */
export const foreignSnapshot = (provider: string, snapshot: Snapshot): UsageError =>
  new UsageError({
    where: `sandbox provider "${provider}"`,
    what: `the snapshot was made by "${snapshot.provider}".`,
    fix: 'Open it with the provider that made it.',
  });

/** The error of a snapshot that was disposed. */
export const disposedSnapshot = (): UsageError =>
  new UsageError({
    where: 'sandbox snapshot',
    what: 'it was used after it was disposed.',
    fix: 'Dispose it only after all sandboxes were opened from it.',
  });

/**
 * Validates an option of a provider.
 *
 * @throws UsageError where it is not an integer within the bounds
 */
export function assertWhole(
  provider: string,
  option: {
    readonly name: string;
    readonly value: unknown;
    readonly bounds: readonly [least: number, most: number];
  },
): void {
  const {
    name,
    value,
    bounds: [least, most],
  } = option;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return;
  throw new UsageError({
    where: `sandbox provider "${provider}", ${name}`,
    what: `it must be an integer from ${least} to ${most}, not ${String(value)}.`,
    fix: 'Give such a number, or omit it to use the default.',
  });
}

/**
 * A copy of the given bytes, which later changes by the caller do not affect. Text becomes UTF-8.
 *
 * @param where such as `sandbox.write, content`
 * @throws UsageError where it is neither a string nor bytes
 */
export function bytesOf(where: string, given: string | Uint8Array): Uint8Array {
  if (typeof given === 'string') return new TextEncoder().encode(given);
  if (given instanceof Uint8Array) return new Uint8Array(given);
  throw new UsageError({
    where,
    what: `it must be a string or a Uint8Array, not ${typeof given}.`,
    fix: 'Pass a string or a Uint8Array.',
  });
}

/**
 * The error of a folder to run in that does not exist.
 *
 * @param given as the caller gave it
 */
export const missingFolder = (given: string): UsageError =>
  new UsageError({
    where: `folder ${JSON.stringify(given)} of a program`,
    what: 'it does not exist in the work folder.',
    fix: 'Write a file into it first.',
  });

/**
 * The error of a folder to run in that no program can enter.
 *
 * @param given as the caller gave it
 */
export const closedFolder = (given: string): UsageError =>
  new UsageError({
    where: `folder ${JSON.stringify(given)} of a program`,
    what: 'it is a link, not a folder, or not accessible to the program.',
    fix: 'Run a program in the sandbox that makes it an accessible folder.',
  });

/**
 * Checks that an interpreter can take code now.
 *
 * @throws UsageError where it has ended or is busy
 */
export function assertFree({ live, isSaying }: { readonly live: boolean; readonly isSaying: boolean }): void {
  if (!live)
    throw new UsageError({
      where: 'conversation.say',
      what: 'the interpreter has ended.',
      fix: 'Start a new conversation.',
    });
  if (isSaying)
    throw new UsageError({
      where: 'conversation.say',
      what: 'the previous call is still running.',
      fix: 'Await the previous call.',
    });
}

/** The error of a file or folder that a program made in the work folder and that no snapshot can keep. */
export const unkept = (path: string, what: string): UsageError =>
  new UsageError({
    where: `sandbox.snapshot, ${JSON.stringify(path)}`,
    what: `${what}.`,
    fix: 'Run a program in the sandbox that renames it, removes it, or makes it readable.',
  });

/** Why a file or a folder cannot be kept. */
export const closedToAll = 'its permissions allow nobody to read it';

/**
 * Why a file exceeds the size of a snapshot. Holes and hard links count in full, because a snapshot writes
 * them out.
 */
export const tooMuch = (mostBytes: number): string =>
  `with it, all files together take more than ${mostBytes} bytes`;
