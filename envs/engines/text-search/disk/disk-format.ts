import { z } from 'zod';

/*
 * Documents are divided into windows of 256. A term that many documents have is dense:
 *
 *   blocks     one for each window that has the term: the number of its documents less 1, their places in the window,
 *              and their frequencies (one byte each); then the frequencies from 255 on, in four bytes each
 *   peaks      a byte for each window: the code of the highest impact there, 0 where no document has the term
 *   ends       for each 16 windows: where the blocks of the first one start, in four bytes, and the ends of the blocks
 *              of all 16 from there, in two bytes each. Both count from the first block of the term
 *
 * Any other term is sparse: twice the distance to the document before, plus 1 where a frequency above 1 follows; each number
 * with seven bits per byte, low bits first.
 */

/** Changes whenever an equal index would have other bytes. */
export const diskFormat = 1;

export const windowBits = 8;
/** Documents of a window: a place in it takes one byte. */
export const windowSize = 1 << windowBits;
/** Windows whose blocks have one start. They are searched together. */
export const groupWindows = 16;
export const groupDocuments = groupWindows * windowSize;
/** Bytes of the ends of a group. */
export const groupBytes = 4 + 2 * groupWindows;
/** Frequencies from this value on follow in four bytes. */
export const longFrequency = 255;
/**
 * Sums of bounds are in double precision and may be slightly too low. A factor of 1 + 10^-12 exceeds ten
 * thousand rounding errors.
 */
export const slack = 1 + 1e-12;

/** A term is dense where windows have this number of its documents, on average. Below, peaks would take more room than documents. */
const denseShare = 2;

export const windowsOf = (documents: number): number => Math.ceil(documents / windowSize);

/** Whether a term that so many documents have is dense. */
export const isDense = (documentsWith: number, windows: number): boolean =>
  documentsWith >= denseShare * windows;

/**
 * The impact of each code, which bounds all impacts with this code. Scores saturate as impact / (1 + impact), and codes divide
 * this range equally.
 */
export const peakImpacts: Float32Array = Float32Array.from({ length: 256 }, (_, code) =>
  code === 255 ? Number.POSITIVE_INFINITY : code / (256 - code),
);

/** The lowest code that bounds an impact. 0 stands for no impact. */
export function peakCode(impact: number): number {
  let code = Math.min(255, Math.floor((256 * impact) / (1 + impact)));
  while (code > 0 && (peakImpacts[code - 1] as number) >= impact) code -= 1;
  while ((peakImpacts[code] as number) < impact) code += 1;
  return impact > 0 && code === 0 ? 1 : code;
}

const count = z.int().nonnegative();

/** What the header of a file says about its index. */
export const diskHeaderSchema = z.strictObject({
  format: z.literal(diskFormat),
  analyzer: z.string(),
  parameters: z.strictObject({ k1: z.number(), b: z.number() }),
  documents: count,
  documentsWithTerms: count,
  occurrences: count,
  terms: count,
  postings: count,
});
export type DiskHeader = Readonly<z.output<typeof diskHeaderSchema>>;

/** The resident parts of an index. */
export const diskParts = {
  /** Codes of the lengths of the documents. */
  lengths: 'lengths', // (N) bytes
  /** Offset and length of each block of terms. */
  termOffsets: 'termOffsets', // (blocks) numbers
  termLengths: 'termLengths', // (blocks) words
  /** The first term of each block, in UTF-8, and where it ends. */
  firstTerms: 'firstTerms',
  firstTermEnds: 'firstTermEnds', // (blocks) words
} as const;
