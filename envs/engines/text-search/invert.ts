import { inverseNorms, type Bm25Parameters } from './bm25.ts';
import { blockSize, longFrequency, type TextIndexData } from './index-data.ts';
import type { PostingLog } from './posting-log.ts';
import { sharedBytes, sharedFloats, sharedWords } from './thread-memory.ts';
import type { TermTable } from './term-dictionary.ts';

/** The result of reading all documents. */
export interface ReadDocuments {
  readonly analyzer: string;
  readonly parameters: Bm25Parameters;
  readonly documentsWithTerms: number;
  readonly occurrences: number;
  readonly lengths: Uint8Array; // (N)
  readonly terms: TermTable;
  /** The number of documents with each term. */
  readonly documentsWith: Uint32Array; // (T)
  /** It is emptied during the inversion. */
  readonly log: PostingLog;
}

/**
 * Inverts the terms of documents into the documents of terms. The postings of every term have been counted,
 * so every posting has a known place.
 */
export function invert({ documentsWith, log, ...read }: ReadDocuments): TextIndexData {
  const starts = sharedWords(runningSums(documentsWith));
  const postings = starts.at(-1) ?? 0;
  const documents = sharedWords(postings);
  const frequencies = sharedBytes(postings);
  const next = starts.slice();
  const long: { readonly place: number; readonly frequency: number }[] = [];
  log.drain((document, term, frequency) => {
    const place = next[term] as number;
    next[term] = place + 1;
    documents[place] = document;
    frequencies[place] = Math.min(frequency, longFrequency);
    if (frequency >= longFrequency) long.push({ place, frequency });
  });
  long.sort((a, b) => a.place - b.place);
  return withPeaks({
    ...read,
    lengths: sharedBytes(read.lengths),
    terms: {
      bytes: sharedBytes(read.terms.bytes),
      starts: sharedWords(read.terms.starts),
      slots: sharedWords(read.terms.slots),
    },
    starts,
    documents,
    frequencies,
    longPlaces: sharedWords(long.map(({ place }) => place)),
    longFrequencies: sharedWords(long.map(({ frequency }) => frequency)),
  });
}

/** Adds the blocks of the postings and their highest impacts. */
function withPeaks(data: Omit<TextIndexData, 'blockStarts' | 'peaks'>): TextIndexData {
  const { starts, documents, frequencies, lengths, longPlaces, longFrequencies } = data;
  const norms = inverseNorms(data.parameters, data.occurrences / data.documentsWithTerms);
  const long = new Map(Array.from(longPlaces, (place, index) => [place, longFrequencies[index] as number]));
  const terms = starts.length - 1;
  const blocksOf = Uint32Array.from({ length: terms }, (_, term) =>
    Math.ceil(((starts[term + 1] as number) - (starts[term] as number)) / blockSize),
  );
  const blockStarts = sharedWords(runningSums(blocksOf));
  const peaks = sharedFloats(blockStarts.at(-1) ?? 0);
  for (let term = 0; term < terms; term += 1) {
    const end = starts[term + 1] as number;
    let block = blockStarts[term] as number;
    for (let from = starts[term] as number; from < end; from += blockSize) {
      const to = Math.min(from + blockSize, end);
      let peak = 0;
      for (let place = from; place < to; place += 1) {
        const short = frequencies[place] as number;
        const frequency = short === longFrequency ? (long.get(place) ?? short) : short;
        peak = Math.max(peak, frequency * (norms[lengths[documents[place] as number] as number] as number));
      }
      peaks[block] = peak; // rounded to single precision here, like every impact
      block += 1;
    }
  }
  return { ...data, blockStarts, peaks };
}

/** The start of each part of a sequence; the last entry is the end of the last part. */
function runningSums(sizes: Uint32Array): Uint32Array {
  const sums = new Uint32Array(sizes.length + 1);
  for (let index = 0; index < sizes.length; index += 1)
    sums[index + 1] = (sums[index] as number) + (sizes[index] as number);
  return sums;
}
