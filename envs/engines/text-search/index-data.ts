import type { Bm25Parameters } from './bm25.ts';
import type { TermTable } from './term-dictionary.ts';

/** Postings of a list that share one upper bound. */
export const blockSize = 128;

/** A frequency from this on stands in the list of long ones. */
export const longFrequency = 255;

/**
 * An inverted index as plain numbers and typed arrays, all over shared memory and never changed: it can be posted to worker
 * threads, which then read the same memory. N documents, T terms, P postings (pairs of a term and a document that has it).
 */
export interface TextIndexData {
  /** The analyzer that made the terms. */
  readonly analyzer: string;
  readonly parameters: Bm25Parameters;
  /** Documents with at least one term; the others are never found and do not count in the statistics. */
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
  /** Where the postings of each term begin; the last entry is where they all end. */
  readonly starts: Uint32Array; // (T + 1)
  /** The places of the documents of each term, ascending. */
  readonly documents: Uint32Array; // (P)
  /** How often the term stands in the document; {@link longFrequency} says: see the long ones. */
  readonly frequencies: Uint8Array; // (P)
  /** The postings with long frequencies, ascending. */
  readonly longPlaces: Uint32Array; // (long ones)
  readonly longFrequencies: Uint32Array; // (long ones)
  /** Where the blocks of each term begin; every {@link blockSize} postings of a term are a block. */
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

/** The first place from `from` to `end` whose value is at least `value`; `end` if there is none. `sorted` ascends there. */
export function lowerBound(sorted: Uint32Array, value: number, from: number, end: number): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = low + ((high - low) >>> 1); // the sum may pass 2^32
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
