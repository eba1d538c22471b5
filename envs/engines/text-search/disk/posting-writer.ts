import type { PagedWriter } from '../../paged-file/paged-writer.ts';
import { ByteBuffer } from './byte-buffer.ts';
import {
  groupBytes,
  groupWindows,
  isDense,
  longFrequency,
  peakCode,
  windowBits,
  windowSize,
  windowsOf,
} from './disk-format.ts';

const { fround } = Math;

/** Where the postings of a term stand. */
export interface PostingsPlace {
  readonly start: number;
  /** Bytes without peaks and ends, which follow where the term is dense. */
  readonly length: number;
}

/** Writes the postings of terms, one term after the other. */
export class PostingWriter {
  readonly #out: PagedWriter;
  readonly #lengths: Uint8Array; // (N)
  readonly #norms: Float32Array; // (256)
  readonly #windows: number;
  readonly #buffer = new ByteBuffer();
  readonly #peaks: Uint8Array; // (windows)
  readonly #ends: Float64Array; // (windows) ends of blocks, from the start of the term
  readonly #slots = new Uint8Array(windowSize);
  readonly #frequencies = new Uint32Array(windowSize);
  #start = 0;
  #isDense = false;
  #before = 0;
  /** The open window: its number, its postings, and their highest impact. Windows before it have their ends. */
  #window = 0;
  #count = 0;
  #peak = 0;

  constructor(
    out: PagedWriter,
    { lengths, norms }: { readonly lengths: Uint8Array; readonly norms: Float32Array },
  ) {
    this.#out = out;
    this.#lengths = lengths;
    this.#norms = norms;
    this.#windows = windowsOf(lengths.length);
    this.#peaks = new Uint8Array(this.#windows);
    this.#ends = new Float64Array(this.#windows);
  }

  /** Starts a term that so many documents have. */
  begin(documentsWith: number): void {
    this.#start = this.#out.position;
    this.#isDense = isDense(documentsWith, this.#windows);
    this.#before = 0;
    [this.#window, this.#count, this.#peak] = [0, 0, 0];
    if (this.#isDense) this.#peaks.fill(0);
  }

  /** Adds the first `count` postings of the arrays, with ascending documents. */
  add(documents: Uint32Array, frequencies: Uint32Array, count: number): void {
    if (this.#isDense) this.#addDense(documents, frequencies, count);
    else this.#addSparse(documents, frequencies, count);
    this.#out.append(this.#buffer.written);
    this.#buffer.clear();
  }

  /** Ends the term. */
  end(): PostingsPlace {
    if (this.#isDense) this.#closeWindow(this.#windows);
    this.#out.append(this.#buffer.written);
    this.#buffer.clear();
    const place = { start: this.#start, length: this.#out.position - this.#start };
    if (this.#isDense) {
      this.#out.append(this.#peaks);
      this.#writeEnds();
    }
    return place;
  }

  #addSparse(documents: Uint32Array, frequencies: Uint32Array, count: number): void {
    let before = this.#before;
    for (let posting = 0; posting < count; posting += 1) {
      const document = documents[posting] as number;
      const frequency = frequencies[posting] as number;
      this.#buffer.varint((document - before) * 2 + (frequency === 1 ? 0 : 1));
      if (frequency !== 1) this.#buffer.varint(frequency);
      before = document;
    }
    this.#before = before;
  }

  #addDense(documents: Uint32Array, frequencies: Uint32Array, count: number): void {
    for (let posting = 0; posting < count; posting += 1) {
      const document = documents[posting] as number;
      const frequency = frequencies[posting] as number;
      const window = document >>> windowBits;
      if (window !== this.#window) this.#closeWindow(window);
      this.#slots[this.#count] = document;
      this.#frequencies[this.#count] = frequency;
      this.#count += 1;
      const norm = this.#norms[this.#lengths[document] as number] as number;
      this.#peak = Math.max(this.#peak, fround(frequency * norm));
    }
  }

  /** Writes the block of the open window, and goes to another one. */
  #closeWindow(next: number): void {
    const count = this.#count;
    const buffer = this.#buffer;
    if (count > 0) {
      this.#peaks[this.#window] = peakCode(this.#peak);
      buffer.byte(count - 1);
      buffer.append(this.#slots.subarray(0, count));
      for (let posting = 0; posting < count; posting += 1)
        buffer.byte(Math.min(longFrequency, this.#frequencies[posting] as number));
      for (let posting = 0; posting < count; posting += 1)
        if ((this.#frequencies[posting] as number) >= longFrequency)
          buffer.word(this.#frequencies[posting] as number);
    }
    this.#ends.fill(this.#out.position + buffer.length - this.#start, this.#window, next);
    [this.#window, this.#count, this.#peak] = [next, 0, 0];
  }

  #writeEnds(): void {
    const groups = Math.ceil(this.#windows / groupWindows);
    const bytes = Buffer.alloc(groups * groupBytes);
    for (let group = 0; group < groups; group += 1) {
      const first = group * groupWindows;
      const base = first === 0 ? 0 : (this.#ends[first - 1] as number);
      bytes.writeUInt32LE(base, group * groupBytes);
      for (let place = 0; place < groupWindows && first + place < this.#windows; place += 1)
        bytes.writeUInt16LE((this.#ends[first + place] as number) - base, group * groupBytes + 4 + 2 * place);
    }
    this.#out.append(bytes);
  }
}
