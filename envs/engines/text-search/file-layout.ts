import { z } from 'zod';
import type { TextIndexData } from './index-data.ts';

/*
 * A stored index:
 *
 *   bytes 0 to 7      magic
 *   8 to 11           version of the format
 *   12 to 15          length of the header in bytes
 *   16 to 19          CRC-32 of the header
 *   20 to 23          zero
 *   from 24           the header, as JSON
 *   ...               the sections, each at a multiple of 64, in the byte order of the machine, which the header names
 *
 * All numbers before the header are little-endian.
 */

export const magic = 'CAIRNTXI';
export const formatVersion = 2;
export const preambleLength = 24;
/** A header takes about two thousand bytes. */
export const longestHeader = 1 << 20;
export const alignment = 64;

/** A typed array of an index. */
export type Section = Uint8Array | Uint32Array | Float32Array;
export type SectionType = 'bytes' | 'words' | 'floats';
export const bytesPerElement: Readonly<Record<SectionType, number>> = { bytes: 1, words: 4, floats: 4 };

/** The sections in the order of the file. */
export const sectionTypes = {
  lengths: 'bytes',
  order: 'words',
  termBytes: 'bytes',
  termStarts: 'words',
  termSlots: 'words',
  starts: 'words',
  documents: 'words',
  frequencies: 'bytes',
  longPlaces: 'words',
  longFrequencies: 'words',
  blockStarts: 'words',
  peaks: 'floats',
} as const satisfies Readonly<Record<string, SectionType>>;

export type SectionName = keyof typeof sectionTypes;
export const sectionNames = Object.keys(sectionTypes) as readonly SectionName[];

const wholeNumber = z.number().int().nonnegative();

export const headerSchema = z.strictObject({
  /** Identifies the documents of the index. */
  contentKey: z.string(),
  analyzer: z.string(),
  parameters: z.strictObject({ k1: z.number(), b: z.number() }),
  byteOrder: z.enum(['BE', 'LE']),
  documentsWithTerms: wholeNumber,
  occurrences: wholeNumber,
  /** Length of the whole file in bytes. */
  fileLength: wholeNumber,
  sections: z.array(
    z.strictObject({
      name: z.enum(sectionNames),
      type: z.enum(['bytes', 'words', 'floats']),
      /** Elements. */
      length: wholeNumber,
      /** The byte offset in the file. */
      offset: wholeNumber,
      checksum: wholeNumber,
    }),
  ),
});

export type Header = z.infer<typeof headerSchema>;

/** The sections of an index. */
export function sectionsOf({ terms, ...data }: TextIndexData): Readonly<Record<SectionName, Section>> {
  const { lengths, order, starts, documents, frequencies } = data;
  const { longPlaces, longFrequencies, blockStarts, peaks } = data;
  return {
    lengths,
    order,
    termBytes: terms.bytes,
    termStarts: terms.starts,
    termSlots: terms.slots,
    starts,
    documents,
    frequencies,
    longPlaces,
    longFrequencies,
    blockStarts,
    peaks,
  };
}

/** The next multiple of the alignment. */
export const aligned = (offset: number): number => Math.ceil(offset / alignment) * alignment;

/** The bytes of a section, without a copy. */
export const bytesOf = (section: Section): Uint8Array =>
  new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
