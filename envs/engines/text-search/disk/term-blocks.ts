import type { PagedFile } from '../../paged-file/paged-file.ts';
import type { PagedWriter } from '../../paged-file/paged-writer.ts';
import { bytesOf, packNumbers, packWords, unpackNumbers, unpackWords } from '../../paged-file/bytes.ts';
import { Grower } from '../grower.ts';
import type { IndexTerm } from '../query-reader.ts';
import { ByteBuffer, ByteReader } from './byte-buffer.ts';
import { diskParts } from './disk-format.ts';
import type { PostingsPlace } from './posting-writer.ts';

/*
 * Terms are stored in the order of their bytes, in blocks of some thousand bytes. A term is stored as
 *
 *   the length of its bytes, and the bytes
 *   the run in which it first occurred, and its number there
 *   the number of its documents
 *   the offset and the length of its postings
 */

const blockBytes = 2_048;
/** Terms of a run, at most. */
const runStep = 2 ** 32;

/** A term of an index on disk. */
export interface DiskTerm extends IndexTerm, PostingsPlace {}

/** A term, as it is written. */
export interface WrittenTerm {
  readonly run: number;
  readonly number: number;
  readonly documents: number;
  readonly place: PostingsPlace;
}

/** Writes terms, in the order of their bytes, between their postings. */
export class TermBlocksWriter {
  readonly #out: PagedWriter;
  readonly #block = new ByteBuffer();
  readonly #offsets: number[] = [];
  readonly #lengths = new Grower(Uint32Array);
  readonly #firstTerms = new ByteBuffer();
  readonly #firstTermEnds = new Grower(Uint32Array);

  constructor(out: PagedWriter) {
    this.#out = out;
  }

  add(bytes: Uint8Array, { run, number, documents, place }: WrittenTerm): void {
    if (this.#block.length === 0) {
      this.#firstTerms.append(bytes);
      this.#firstTermEnds.push(this.#firstTerms.length);
    }
    this.#block.varint(bytes.length);
    this.#block.append(bytes);
    for (const value of [run, number, documents, place.start, place.length]) this.#block.varint(value);
    if (this.#block.length >= blockBytes) this.#close();
  }

  /** The resident parts. */
  finish(): Readonly<Record<string, Uint8Array>> {
    if (this.#block.length > 0) this.#close();
    const words = ({ array, length }: Grower<Uint32Array>): Buffer => packWords(array.subarray(0, length));
    return {
      [diskParts.termOffsets]: packNumbers(Float64Array.from(this.#offsets)),
      [diskParts.termLengths]: words(this.#lengths),
      [diskParts.firstTerms]: Buffer.from(bytesOf(this.#firstTerms.written)),
      [diskParts.firstTermEnds]: words(this.#firstTermEnds),
    };
  }

  #close(): void {
    this.#offsets.push(this.#out.position);
    this.#lengths.push(this.#block.length);
    this.#out.append(this.#block.written);
    this.#block.clear();
  }
}

/** Finds terms in a file. Memory holds the first term of each block. */
export class TermBlocks {
  readonly #file: PagedFile;
  readonly #offsets: Float64Array; // (blocks)
  readonly #lengths: Uint32Array; // (blocks)
  readonly #firstTerms: Buffer;
  readonly #firstTermEnds: Uint32Array; // (blocks)

  /** @throws RunError where the parts do not fit */
  constructor(file: PagedFile) {
    this.#file = file;
    this.#offsets = unpackNumbers(file.part(diskParts.termOffsets));
    this.#lengths = unpackWords(file.part(diskParts.termLengths));
    this.#firstTerms = file.part(diskParts.firstTerms);
    this.#firstTermEnds = unpackWords(file.part(diskParts.firstTermEnds));
    const blocks = this.#offsets.length;
    if (this.#lengths.length !== blocks || this.#firstTermEnds.length !== blocks)
      throw file.damaged('its blocks of terms do not fit');
  }

  /** The term, or undefined. */
  find(text: string): DiskTerm | undefined {
    const wanted = Buffer.from(text);
    const block = this.#blockOf(wanted);
    if (block < 0) return undefined;
    const length = this.#lengths[block] as number;
    const at = this.#file.read(this.#offsets[block] as number, length);
    const reader = new ByteReader(this.#file.bytes, at);
    while (reader.at < at + length) {
      const order = wanted.compare(reader.take(reader.varint()));
      const [run, number, documents] = [reader.varint(), reader.varint(), reader.varint()];
      const [start, size] = [reader.varint(), reader.varint()];
      if (order === 0) return { number: run * runStep + number, documents, start, length: size };
      if (order < 0) return undefined;
    }
    return undefined;
  }

  /** The last block whose first term is not above that one; -1 where there is none. */
  #blockOf(wanted: Buffer): number {
    let low = 0;
    let high = this.#offsets.length;
    while (low < high) {
      const middle = low + ((high - low) >>> 1);
      const start = middle === 0 ? 0 : (this.#firstTermEnds[middle - 1] as number);
      if (this.#firstTerms.compare(wanted, 0, wanted.length, start, this.#firstTermEnds[middle]) <= 0)
        low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
