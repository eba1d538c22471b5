import { z } from 'zod';

/*
 * A paged file:
 *
 *   page 0            the preamble: magic (8 bytes), then little-endian the version of the format (4), the offset (8),
 *                     length (4) and CRC-32 (4) of the header, the length of the file (8), the CRC-32 of all that (4)
 *   pages 1 to n      written in order, read on demand, each with a checksum
 *   resident parts    read when the file is opened, each with a checksum
 *   the header        JSON
 */

/** Bytes of a page. */
export const pageSize = 1 << 14;
export const preambleLength = 40;
/** A header takes about two thousand bytes. */
export const longestHeader = 1 << 22;

const wholeNumber = z.int().nonnegative();

export const headerSchema = z.strictObject({
  /** What the file is about; its owner validates it. */
  content: z.unknown(),
  /** The end of the last page. */
  pagesEnd: wholeNumber,
  /** Resident parts by name. */
  parts: z.record(
    z.string(),
    z.strictObject({ offset: wholeNumber, length: wholeNumber, checksum: wholeNumber }),
  ),
});

/** The resident part with the CRC-32 of each page. */
export const checksumsPart = 'pageChecksums';

/** A kind of paged file. */
export interface FileKind {
  /** Eight ASCII characters. */
  readonly magic: string;
  /** From 1. A file of another version is refused. */
  readonly version: number;
  /** What it is, for errors: `text index`. */
  readonly name: string;
  /** How to get a new one, for errors: a sentence. */
  readonly fix: string;
}
