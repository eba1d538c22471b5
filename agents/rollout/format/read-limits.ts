import { UsageError } from '../../../envs/core/errors.ts';

/** Limits for reading a file from an untrusted source. */
export interface ReadLimits {
  /** Bytes of one group after decompression. */
  readonly maxGroupBytes: number;
  /** Bytes of one line. */
  readonly maxLineBytes: number;
  /** Nesting of arrays and objects. */
  readonly maxDepth: number;
}

export const defaultReadLimits: ReadLimits = {
  maxGroupBytes: 256 * 2 ** 20,
  maxLineBytes: 64 * 2 ** 20,
  maxDepth: 64,
};

/** The error for a file that was changed after writing. It is invalid input, like a damaged checkpoint. */
export function damaged(where: string, what: string, cause?: unknown): UsageError {
  return new UsageError(
    {
      where,
      what: `${what}.`,
      fix: 'The file is damaged or was not written by cairn-gym: restore it from a copy.',
    },
    { cause },
  );
}

/** The error for a gzip file without our group headers. Usually it was unpacked and packed again. */
export function repacked(where: string): UsageError {
  return new UsageError({
    where,
    what: 'gzip data begins here, but without the header of cairn-gym: each group stores its length there, and other programs drop it when they repack a file.',
    fix: 'Use the original file of the run. To read or share episodes elsewhere, write them as JSON lines with `npx cairn-gym export RUN --what steps`.',
  });
}

/** The error for a file that exceeds a limit of the reader. */
export function tooMuch(where: string, what: string, limit: keyof ReadLimits, allowed: number): UsageError {
  return new UsageError({
    where,
    what: `${what}, and the limit is ${allowed}.`,
    fix: `If you trust the file, raise \`${limit}\`.`,
  });
}
