import type { PagedFile } from '../../paged-file/paged-file.ts';
import { pageSize } from '../../paged-file/layout.ts';
import { termScore } from '../bm25.ts';
import { lowerBound } from '../index-data.ts';
import {
  groupBytes,
  groupWindows,
  isDense,
  longFrequency,
  peakImpacts,
  windowBits,
  windowSize,
} from './disk-format.ts';
import type { DiskTerm } from './term-blocks.ts';
import type { WindowScores } from './window-postings.ts';

const { fround } = Math;

/** The bound of a term whose scores are rounded to 0: its documents are found all the same. */
const leastBound = 2 ** -149;

/** What the scores of a term in a query depend on. */
export interface TermScoring {
  /** Inverse document frequency times occurrences in the query. */
  readonly weight: number;
  /** Codes of the lengths of the documents. */
  readonly lengths: Uint8Array; // (N)
  /** Inverse norms by code of the length. */
  readonly norms: Float32Array; // (256)
  readonly windows: number;
}

/** The documents of a term, window by window, with their scores in one query. */
export interface TermList {
  /** Adds an upper bound of its scores in each window. */
  addBounds(bounds: Float64Array): void;
  /** An upper bound of its scores in a window; 0 where the window does not have the term. */
  enter(window: number): number;
  /** Reads its scores in a window that was entered and has the term. */
  read(window: number, into: WindowScores): void;
}

/** The list of a term: of a sparse term it is read at once, of a dense one in parts. */
export const readList = (file: PagedFile, term: DiskTerm, scoring: TermScoring): TermList =>
  isDense(term.documents, scoring.windows)
    ? new DenseList(file, term, scoring)
    : new SparseList(file, term, scoring);

class DenseList implements TermList {
  readonly #file: PagedFile;
  readonly #start: number;
  readonly #peaks: number;
  readonly #ends: number;
  readonly #scoring: TermScoring;
  /** The score that each code of a peak bounds. */
  readonly #bounds: Float32Array; // (256)

  constructor(file: PagedFile, { start, length }: DiskTerm, scoring: TermScoring) {
    this.#file = file;
    this.#start = start;
    this.#peaks = start + length;
    this.#ends = this.#peaks + scoring.windows;
    this.#scoring = scoring;
    this.#bounds = peakImpacts.map((impact, code) =>
      code === 0 ? 0 : Math.max(leastBound, termScore(scoring.weight, impact)),
    );
  }

  addBounds(bounds: Float64Array): void {
    const { windows } = this.#scoring;
    const table = this.#bounds;
    for (let window = 0; window < windows;) {
      const offset = this.#peaks + window;
      const count = Math.min(windows - window, pageSize - (offset % pageSize));
      const at = this.#file.read(offset, count);
      const { bytes } = this.#file;
      for (let place = 0; place < count; place += 1, window += 1)
        bounds[window] = (bounds[window] as number) + (table[bytes[at + place] as number] as number);
    }
  }

  enter(window: number): number {
    const at = this.#file.read(this.#peaks + window, 1);
    return this.#bounds[this.#file.bytes[at] as number] as number;
  }

  read(window: number, into: WindowScores): void {
    const { weight, lengths, norms } = this.#scoring;
    const [start, end] = this.#blockOf(window);
    let at = this.#file.read(start, end - start);
    const { bytes } = this.#file;
    const count = (bytes[at] as number) + 1;
    at += 1;
    let longAt = at + 2 * count;
    const first = window << windowBits;
    const { slots, scores } = into;
    for (let posting = 0; posting < count; posting += 1) {
      const slot = bytes[at + posting] as number;
      let frequency = bytes[at + count + posting] as number;
      if (frequency === longFrequency) {
        frequency = bytes.readUInt32LE(longAt);
        longAt += 4;
      }
      const norm = norms[lengths[first + slot] as number] as number;
      slots[posting] = slot;
      scores[posting] = termScore(weight, fround(frequency * norm));
    }
    into.count = count;
  }

  #blockOf(window: number): readonly [start: number, end: number] {
    const place = window % groupWindows;
    const at = this.#file.read(this.#ends + ((window - place) / groupWindows) * groupBytes, groupBytes);
    const { bytes } = this.#file;
    const base = this.#start + bytes.readUInt32LE(at);
    return [
      place === 0 ? base : base + bytes.readUInt16LE(at + 2 + 2 * place),
      base + bytes.readUInt16LE(at + 4 + 2 * place),
    ];
  }
}

class SparseList implements TermList {
  readonly #documents: Uint32Array; // (documents)
  readonly #scores: Float32Array; // (documents)
  /** Its documents in the entered window. */
  #from = 0;
  #to = 0;

  constructor(file: PagedFile, { start, length, documents: count }: DiskTerm, scoring: TermScoring) {
    const { weight, lengths, norms } = scoring;
    this.#documents = new Uint32Array(count);
    this.#scores = new Float32Array(count);
    let at = file.read(start, length);
    const { bytes } = file;
    let document = 0;
    for (let posting = 0; posting < count; posting += 1) {
      let byte = bytes[at] as number;
      at += 1;
      let packed = byte & 0x7f;
      for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
        byte = bytes[at] as number;
        at += 1;
        packed += (byte & 0x7f) * scale;
      }
      let frequency = 1;
      if (packed % 2 === 1) {
        byte = bytes[at] as number;
        at += 1;
        frequency = byte & 0x7f;
        for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
          byte = bytes[at] as number;
          at += 1;
          frequency += (byte & 0x7f) * scale;
        }
      }
      document += (packed - (packed % 2)) / 2;
      this.#documents[posting] = document;
      this.#scores[posting] = termScore(
        weight,
        fround(frequency * (norms[lengths[document] as number] as number)),
      );
    }
  }

  addBounds(bounds: Float64Array): void {
    const documents = this.#documents;
    const scores = this.#scores;
    for (let posting = 0; posting < documents.length;) {
      const window = (documents[posting] as number) >>> windowBits;
      let highest = leastBound;
      for (
        ;
        posting < documents.length && (documents[posting] as number) >>> windowBits === window;
        posting += 1
      )
        highest = Math.max(highest, scores[posting] as number);
      bounds[window] = (bounds[window] as number) + highest;
    }
  }

  enter(window: number): number {
    const documents = this.#documents;
    const first = window * windowSize;
    this.#from = lowerBound(documents, first, 0, documents.length);
    let highest = leastBound;
    let to = this.#from;
    for (; to < documents.length && (documents[to] as number) < first + windowSize; to += 1)
      highest = Math.max(highest, this.#scores[to] as number);
    this.#to = to;
    return to === this.#from ? 0 : highest;
  }

  read(window: number, into: WindowScores): void {
    const first = window * windowSize;
    const from = this.#from;
    const count = this.#to - from;
    for (let posting = 0; posting < count; posting += 1) {
      into.slots[posting] = (this.#documents[from + posting] as number) - first;
      into.scores[posting] = this.#scores[from + posting] as number;
    }
    into.count = count;
  }
}
