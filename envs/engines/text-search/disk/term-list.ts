import type { PagedFile } from '../../paged-file/paged-file.ts';
import { pageSize } from '../../paged-file/layout.ts';
import { termScore } from '../bm25.ts';
import { lowerBound } from '../index-data.ts';
import {
  groupBytes,
  groupDocuments,
  groupWindows,
  isDense,
  longFrequency,
  peakImpacts,
  windowBits,
  windowSize,
} from './disk-format.ts';
import type { DiskTerm } from './term-blocks.ts';
import type { GroupScores } from './group-postings.ts';

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

/** The documents of a term, with their scores in one query. Windows of a group are a mask, a bit for each. */
export interface TermList {
  /** Adds an upper bound of its scores in each window. */
  addBounds(bounds: Float64Array): void;
  /** Goes to a group. Returns an upper bound of its scores in these windows; 0 where they do not have the term. */
  enter(group: number, windows: number): number;
  /** Reads its scores in windows of the group, and perhaps in others. */
  read(windows: number, into: GroupScores): void;
  /** The same of documents that were found, and perhaps of others. `sums` is below 0 where a document was not. */
  readFound(windows: number, sums: Float64Array, into: GroupScores): void;
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
  readonly #endsOfGroup = new Uint16Array(groupWindows);
  /** The group, those of its windows that have the term, and where its blocks start. */
  #group = 0;
  #having = 0;
  #base = 0;

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

  enter(group: number, windows: number): number {
    this.#group = group;
    const first = group * groupWindows;
    const count = Math.min(groupWindows, this.#scoring.windows - first);
    const at = this.#file.read(this.#peaks + first, count);
    const { bytes } = this.#file;
    let highest = 0;
    let having = 0;
    for (let place = 0; place < count; place += 1) {
      const code = bytes[at + place] as number;
      if (code === 0 || (windows & (1 << place)) === 0) continue;
      having |= 1 << place;
      highest = Math.max(highest, this.#bounds[code] as number);
    }
    this.#having = having;
    return highest;
  }

  read(windows: number, into: GroupScores): void {
    this.#eachBlock(windows, into, (start, place) => this.#readBlock(start, place, into));
  }

  readFound(windows: number, sums: Float64Array, into: GroupScores): void {
    this.#eachBlock(windows, into, (start, place) => this.#readFoundOf(start, place, sums, into));
  }

  /** Visits the blocks of windows, with their starts in the bytes that were read. */
  #eachBlock(windows: number, into: GroupScores, visit: (start: number, place: number) => void): void {
    into.count = 0;
    const wanted = windows & this.#having;
    if (wanted === 0) return;
    const ends = this.#readEnds();
    const lowest = 31 - Math.clz32(wanted & -wanted);
    const highest = 31 - Math.clz32(wanted);
    const from = lowest === 0 ? 0 : (ends[lowest - 1] as number);
    const at = this.#file.read(this.#base + from, (ends[highest] as number) - from) - from;
    for (let place = lowest; place <= highest; place += 1)
      if ((wanted & (1 << place)) !== 0) visit(at + (place === 0 ? 0 : (ends[place - 1] as number)), place);
  }

  /** Adds the block that starts there in the bytes that were read. */
  #readBlock(start: number, place: number, into: GroupScores): void {
    const { weight, lengths, norms } = this.#scoring;
    const { bytes } = this.#file;
    const { slots, scores } = into;
    const count = (bytes[start] as number) + 1;
    const frequenciesAt = start + 1 + count;
    const longAt = frequenciesAt + count;
    const firstSlot = place * windowSize;
    const first = this.#group * groupDocuments + firstSlot;
    let long = 0;
    let size = into.count;
    for (let posting = 0; posting < count; posting += 1) {
      const slot = bytes[start + 1 + posting] as number;
      let frequency = bytes[frequenciesAt + posting] as number;
      if (frequency === longFrequency) {
        frequency = bytes.readUInt32LE(longAt + 4 * long);
        long += 1;
      }
      const norm = norms[lengths[first + slot] as number] as number;
      slots[size] = firstSlot + slot;
      scores[size] = termScore(weight, fround(frequency * norm));
      size += 1;
    }
    into.count = size;
  }

  /** The same without documents that were not found, which are most: they cost a look. */
  #readFoundOf(start: number, place: number, sums: Float64Array, into: GroupScores): void {
    const { weight, lengths, norms } = this.#scoring;
    const { bytes } = this.#file;
    const { slots, scores } = into;
    const count = (bytes[start] as number) + 1;
    const frequenciesAt = start + 1 + count;
    const longAt = frequenciesAt + count;
    const firstSlot = place * windowSize;
    const first = this.#group * groupDocuments + firstSlot;
    let size = into.count;
    for (let posting = 0; posting < count; posting += 1) {
      const slot = bytes[start + 1 + posting] as number;
      if ((sums[firstSlot + slot] as number) < 0) continue;
      let frequency = bytes[frequenciesAt + posting] as number;
      if (frequency === longFrequency)
        frequency = bytes.readUInt32LE(longAt + 4 * countLong(bytes, frequenciesAt, posting));
      const norm = norms[lengths[first + slot] as number] as number;
      slots[size] = firstSlot + slot;
      scores[size] = termScore(weight, fround(frequency * norm));
      size += 1;
    }
    into.count = size;
  }

  /** Reads where the blocks of the group end, from `#base`. */
  #readEnds(): Uint16Array {
    const ends = this.#endsOfGroup;
    const at = this.#file.read(this.#ends + this.#group * groupBytes, groupBytes);
    const { bytes } = this.#file;
    this.#base = this.#start + bytes.readUInt32LE(at);
    for (let place = 0; place < groupWindows; place += 1)
      ends[place] = bytes.readUInt16LE(at + 4 + 2 * place);
    return ends;
  }
}

/** The frequencies before that one which follow in four bytes. */
function countLong(bytes: Uint8Array, at: number, posting: number): number {
  let count = 0;
  for (let before = 0; before < posting; before += 1) if (bytes[at + before] === longFrequency) count += 1;
  return count;
}

class SparseList implements TermList {
  readonly #documents: Uint32Array; // (documents)
  readonly #scores: Float32Array; // (documents)
  /** The first document of the group, and the places of its documents there. */
  #first = 0;
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

  enter(group: number): number {
    const documents = this.#documents;
    this.#first = group * groupDocuments;
    this.#from = lowerBound(documents, this.#first, 0, documents.length);
    let highest = leastBound;
    let to = this.#from;
    for (; to < documents.length && (documents[to] as number) < this.#first + groupDocuments; to += 1)
      highest = Math.max(highest, this.#scores[to] as number);
    this.#to = to;
    return to === this.#from ? 0 : highest;
  }

  read(_windows: number, into: GroupScores): void {
    const from = this.#from;
    const count = this.#to - from;
    for (let posting = 0; posting < count; posting += 1) {
      into.slots[posting] = (this.#documents[from + posting] as number) - this.#first;
      into.scores[posting] = this.#scores[from + posting] as number;
    }
    into.count = count;
  }

  readFound(windows: number, _sums: Float64Array, into: GroupScores): void {
    this.read(windows, into);
  }
}
