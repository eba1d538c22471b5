import { UsageError } from '../envs/core/errors.ts';
import type { Snapshot } from './sandbox.ts';

/** Without types a clock can be left out, and would be missed much later. @throws UsageError */
export function assertClock(provider: string, now: unknown): void {
  if (typeof now === 'function') return;
  throw new UsageError({
    where: `sandbox provider "${provider}"`,
    what: '`now` must be a function.',
    fix: 'Pass a monotonic clock in milliseconds.',
  });
}

/** A call on a sandbox that is closed. @param call such as `exec` */
export const afterDisposal = (call: string): UsageError =>
  new UsageError({
    where: `sandbox.${call}`,
    what: 'it was called after the sandbox was disposed.',
    fix: 'Open a new sandbox.',
  });

/** What calls reject with that run while their sandbox is closed. */
export const disposedMeanwhile = (): UsageError =>
  new UsageError({
    where: 'sandbox',
    what: 'it was disposed while this call was running.',
    fix: 'Await all calls before disposing.',
  });

/** A call on a provider that is closed. */
export const afterDisposalOf = (provider: string): UsageError =>
  new UsageError({
    where: `sandbox provider "${provider}"`,
    what: 'it was used after it was disposed.',
    fix: 'Create a new one.',
  });

/** A snapshot that another provider made. */
export const foreignSnapshot = (provider: string, snapshot: Snapshot): UsageError =>
  new UsageError({
    where: `sandbox provider "${provider}"`,
    what: `the snapshot was made by "${snapshot.provider}".`,
    fix: 'Open it with the provider that made it.',
  });

/** A snapshot that is closed. */
export const disposedSnapshot = (): UsageError =>
  new UsageError({
    where: 'sandbox snapshot',
    what: 'it was used after it was disposed.',
    fix: 'Dispose it only after all sandboxes were opened from it.',
  });

/** An option of a provider. @throws UsageError for no whole number within the bounds */
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

/** The bytes of what a caller gives, apart from the caller's own. @param where such as `sandbox.write, content` @throws UsageError for what is neither text nor bytes */
export function bytesOf(where: string, given: string | Uint8Array): Uint8Array {
  if (typeof given === 'string') return new TextEncoder().encode(given);
  if (given instanceof Uint8Array) return new Uint8Array(given);
  throw new UsageError({
    where,
    what: `it must be a string or a Uint8Array, not ${typeof given}.`,
    fix: 'Pass a string or a Uint8Array.',
  });
}

/** A folder to run in that is not there. @param given as the caller gave it */
export const missingFolder = (given: string): UsageError =>
  new UsageError({
    where: `folder ${JSON.stringify(given)} of a program`,
    what: 'it does not exist in the work folder.',
    fix: 'Write a file into it first.',
  });

/** A folder to run in that no program can enter. @param given as the caller gave it */
export const closedFolder = (given: string): UsageError =>
  new UsageError({
    where: `folder ${JSON.stringify(given)} of a program`,
    what: 'it is a link, not a folder, or not accessible to the program.',
    fix: 'Run a program in the sandbox that makes it an accessible folder.',
  });

/** Code for an interpreter that cannot take it now. */
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

/** What a program made in the work folder and no snapshot can keep. */
export const unkept = (path: string, what: string): UsageError =>
  new UsageError({
    where: `sandbox.snapshot, ${JSON.stringify(path)}`,
    what: `${what}.`,
    fix: 'Run a program in the sandbox that renames it, removes it, or makes it readable.',
  });

/** Why a file or a folder is not kept. */
export const closedToAll = 'its permissions allow nobody to read it';

/** Why the file is not kept with which there is too much: holes and further names of a file count, for they are written out. */
export const tooMuch = (mostBytes: number): string =>
  `with it, all files written out have more than ${mostBytes} bytes`;
