import type { Bm25Parameters } from './bm25.ts';
import type { TermTable } from './term-dictionary.ts';

/** The number of postings that share one upper bound. */
export const blockSize = 128;

/** Frequencies from this value on are stored in a separate list. */
export const longFrequency = 255;

/**
 * An inverted index as plain numbers and typed arrays. They are in shared memory and never change. It can be
 * posted to worker threads, which then read the same memory. N documents, T terms, P postings (pairs of a
 * term and a document that has it).
 */
export interface TextIndexData {
  /** The analyzer that produced the terms. */
  readonly analyzer: string;
  readonly parameters: Bm25Parameters;
  /** Documents with at least one term. The others are never found and do not count in the statistics. */
  readonly documentsWithTerms: number;
  /** Occurrences of terms in all documents. */
  readonly occurrences: number;
  /** Codes of the lengths of the documents, in terms, by place. */
  readonly lengths: Uint8Array; // (N)
  /**
   * The number of the document at each place. Everything else in the index counts documents by place, and of equal scores the lower
   * place comes first. Empty where every document stands at the place of its number.
   */
  readonly order: Uint32Array; // (N or 0)
  readonly terms: TermTable;
  /** The index of the first posting of each term; the last entry is the end of all postings. */
  readonly starts: Uint32Array; // (T + 1)
  /** The places of the documents of each term, ascending. */
  readonly documents: Uint32Array; // (P)
  /** The frequency of the term in the document. {@link longFrequency} means: see `longFrequencies`. */
  readonly frequencies: Uint8Array; // (P)
  /** The postings with long frequencies, ascending. */
  readonly longPlaces: Uint32Array; // (long ones)
  readonly longFrequencies: Uint32Array; // (long ones)
  /** The index of the first block of each term. A block is {@link blockSize} postings of a term. */
  readonly blockStarts: Uint32Array; // (T + 1)
  /** The highest impact in each block: frequency times inverse norm, in single precision. */
  readonly peaks: Float32Array; // (blocks)
}

/** The frequency of a posting. */
export function frequencyAt(
  data: Pick<TextIndexData, 'frequencies' | 'longPlaces' | 'longFrequencies'>,
  posting: number,
): number {
  const short = data.frequencies[posting] as number;
  return short === longFrequency
    ? (data.longFrequencies[lowerBound(data.longPlaces, posting, 0, data.longPlaces.length)] as number)
    : short;
}

/**
 * The first index from `from` to `end` whose value is at least `value`; `end` if there is none. `sorted` is
 * ascending in this range.
 */
export function lowerBound(sorted: Uint32Array, value: number, from: number, end: number): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = low + ((high - low) >>> 1); // the sum may exceed 2^32
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
