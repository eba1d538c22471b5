import { inverseNorms, type Bm25Parameters } from './bm25.ts';
import { blockSize, longFrequency, lowerBound, type TextIndexData } from './index-data.ts';
import type { PostingLog } from './posting-log.ts';
import { sharedBytes, sharedFloats, sharedWords } from './thread-memory.ts';
import type { TermTable } from './term-dictionary.ts';

/** The result of reading all documents. */
export interface ReadDocuments {
  readonly analyzer: string;
  readonly parameters: Bm25Parameters;
  readonly documentsWithTerms: number;
  readonly occurrences: number;
  /** By number of the document. */
  readonly lengths: Uint8Array; // (N)
  /** The documents by place; empty where the places are their numbers. */
  readonly order: Uint32Array; // (N or 0)
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
export function invert({ documentsWith, log, order, ...read }: ReadDocuments): TextIndexData {
  const starts = sharedWords(runningSums(documentsWith));
  const postings = starts.at(-1) ?? 0;
  const documents = sharedWords(postings);
  const frequencies = sharedBytes(postings);
  const next = starts.slice();
  const long: LongPosting[] = [];
  const placeOf = placesOf(order);
  log.drain((number, term, frequency) => {
    const document = order.length === 0 ? number : (placeOf[number] as number);
    const posting = next[term] as number;
    next[term] = posting + 1;
    documents[posting] = document;
    frequencies[posting] = Math.min(frequency, longFrequency);
    if (frequency >= longFrequency) long.push({ term, document, frequency });
  });
  if (order.length > 0) sortLists({ starts, documents, frequencies });
  const longPostings = long
    .map(({ term, document, frequency }) => {
      const place = lowerBound(documents, document, starts[term] as number, starts[term + 1] as number);
      return { place, frequency };
    })
    .toSorted((a, b) => a.place - b.place);
  return withPeaks({
    ...read,
    lengths: sharedBytes(order.length === 0 ? read.lengths : arrange(read.lengths, order)),
    order: sharedWords(order),
    terms: {
      bytes: sharedBytes(read.terms.bytes),
      starts: sharedWords(read.terms.starts),
      slots: sharedWords(read.terms.slots),
    },
    starts,
    documents,
    frequencies,
    longPlaces: sharedWords(longPostings.map(({ place }) => place)),
    longFrequencies: sharedWords(longPostings.map(({ frequency }) => frequency)),
  });
}

/** A posting whose frequency does not fit into a byte. */
interface LongPosting {
  readonly term: number;
  readonly document: number;
  readonly frequency: number;
}

/** The place of every document of an order. */
function placesOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place += 1) places[order[place] as number] = place;
  return places;
}

/** The values of the documents by place. */
const arrange = (values: Uint8Array, order: Uint32Array): Uint8Array =>
  Uint8Array.from(order, (document) => values[document] as number);

/** Sorts the postings of every term by document. A posting is packed into one number, so that no function compares. */
function sortLists({
  starts,
  documents,
  frequencies,
}: Pick<TextIndexData, 'starts' | 'documents' | 'frequencies'>): void {
  let packed = new Float64Array(1 << 10);
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const start = starts[term] as number;
    const size = (starts[term + 1] as number) - start;
    if (size > packed.length) packed = new Float64Array(size * 2);
    for (let at = 0; at < size; at += 1)
      packed[at] = (documents[start + at] as number) * 256 + (frequencies[start + at] as number);
    packed.subarray(0, size).sort();
    for (let at = 0; at < size; at += 1) {
      const posting = packed[at] as number;
      documents[start + at] = Math.floor(posting / 256);
      frequencies[start + at] = posting % 256;
    }
  }
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
