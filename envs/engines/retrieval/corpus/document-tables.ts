import { findTerm, TermDictionary, type TermTable } from '../../text-search/term-dictionary.ts';

/** Where each document stands in the file, and its id. N documents. */
export interface DocumentTables {
  /** Offsets in bytes; the last entry is the length of the file. */
  readonly starts: Float64Array; // (N + 1)
  /** CRC-32 of the contents. */
  readonly checksums: Uint32Array; // (N)
  /** The ids, numbered as the documents. */
  readonly ids: TermTable;
}

const decoder = new TextDecoder();

export const idAt = ({ ids }: DocumentTables, number: number): string =>
  decoder.decode(ids.bytes.subarray(ids.starts[number] as number, ids.starts[number + 1] as number));

/** The number of the document with that id, or undefined. */
export const numberOf = ({ ids }: DocumentTables, id: string): number | undefined => findTerm(ids, id);

/** Collects the tables while documents are written. */
export class TablesWriter {
  readonly #ids = new TermDictionary();
  #starts = new Float64Array(1025);
  #checksums = new Uint32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds an id; false where it is there already. */
  addId(id: string): boolean {
    const before = this.#ids.size;
    this.#ids.numberOf(id);
    return this.#ids.size > before;
  }

  /** Adds the place of the document whose id was added last. */
  addDocument(bytes: number, checksum: number): void {
    if (this.#size === this.#checksums.length) {
      const starts = new Float64Array(2 * this.#size + 1);
      starts.set(this.#starts);
      this.#starts = starts;
      const checksums = new Uint32Array(2 * this.#size);
      checksums.set(this.#checksums);
      this.#checksums = checksums;
    }
    this.#checksums[this.#size] = checksum;
    this.#starts[this.#size + 1] = (this.#starts[this.#size] as number) + bytes;
    this.#size += 1;
  }

  finish(): DocumentTables {
    const { bytes, starts, slots } = this.#ids.view();
    return {
      starts: this.#starts.slice(0, this.#size + 1),
      checksums: this.#checksums.slice(0, this.#size),
      ids: { bytes: bytes.slice(), starts: starts.slice(), slots: slots.slice() },
    };
  }
}

/** The tables as one block of bytes: four lengths, then the arrays. */
export function packTables({ starts, checksums, ids }: DocumentTables): Buffer {
  const lengths = Float64Array.of(checksums.length, ids.bytes.length, ids.starts.length, ids.slots.length);
  const arrays = [lengths, starts, checksums, ids.starts, ids.slots, ids.bytes];
  return Buffer.concat(arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)));
}

/**
 * Unpacks {@link packTables}.
 *
 * @throws RangeError where the lengths do not fit
 */
export function unpackTables(packed: Uint8Array): DocumentTables {
  const bytes = packed.slice(); // aligned
  const [documents = -1, idBytes = -1, idStarts = -1, slots = -1] =
    bytes.length < 32 ? [] : new Float64Array(bytes.buffer, 0, 4);
  const length = 32 + 8 * (documents + 1) + 4 * (documents + idStarts + slots) + idBytes;
  if (length !== bytes.length || idStarts !== documents + 1) throw new RangeError('its lengths do not fit');
  let at = 32;
  const take = <A>(
    make: new (buffer: ArrayBuffer, offset: number, length: number) => A,
    count: number,
    size: number,
  ): A => {
    const array = new make(bytes.buffer, at, count);
    at += count * size;
    return array;
  };
  return {
    starts: take(Float64Array, documents + 1, 8),
    checksums: take(Uint32Array, documents, 4),
    ids: {
      starts: take(Uint32Array, idStarts, 4),
      slots: take(Uint32Array, slots, 4),
      bytes: take(Uint8Array, idBytes, 1),
    },
  };
}
