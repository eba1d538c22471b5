import { UsageError } from '../../../envs/core/errors.ts';

/** Bounds on what a reader takes from a file that it did not write. */
export interface ReadLimits {
  /** Bytes of one group after decompression. */
  readonly maxGroupBytes: number;
  /** Bytes of one line. */
  readonly maxLineBytes: number;
  /** Arrays and objects within each other. */
  readonly maxDepth: number;
}

export const defaultReadLimits: ReadLimits = {
  maxGroupBytes: 256 * 2 ** 20,
  maxLineBytes: 64 * 2 ** 20,
  maxDepth: 64,
};

/** The error of a file that is not as it was written: bad input, like a damaged checkpoint. */
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

/** The error of a gzip file that has no group in the frame of ours: often one that was unpacked and packed again. */
export function repacked(where: string): UsageError {
  return new UsageError({
    where,
    what: 'gzip data begins here, but not as cairn-gym writes it: each group has its length in the head, which other programs drop when they pack a file anew.',
    fix: 'Use the file as the run wrote it; to read or pass on episodes elsewhere, `cairn export RUN --what steps` writes them as JSON lines.',
  });
}

/** The error of a file that asks for more than the reader grants. */
export function tooMuch(where: string, what: string, limit: keyof ReadLimits, allowed: number): UsageError {
  return new UsageError({
    where,
    what: `${what}, and at most ${allowed} are taken.`,
    fix: `If you trust the file, raise \`${limit}\`.`,
  });
}
