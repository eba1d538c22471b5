import type { PagedFile } from '../../paged-file/paged-file.ts';
import type { PagedWriter } from '../../paged-file/paged-writer.ts';
import { packWords } from '../../paged-file/bytes.ts';
import { hashEnd, hashStart, hashStep } from '../../text-search/hash-bits.ts';

/*
 * A hash table: for each slot the number of a document plus 1, or 0, and the hash of its id. A document stands at the slot of its
 * hash, or after it. Ids themselves are in the blocks of documents.
 */

const slotBytes = 8;

/** Slots that are written at once. */
const slotsAtOnce = 1 << 19;

/** The id as UTF-8 can hold it: half of a surrogate pair becomes U+FFFD. */
const plainId = (id: string): string => (/[\uD800-\uDFFF]/.test(id) ? Buffer.from(id).toString() : id);

function hashOf(id: string): number {
  let hash = hashStart;
  for (let at = 0; at < id.length; at += 1) hash = hashStep(hash, id.charCodeAt(at));
  return hashEnd(hash) >>> 0;
}

/** Collects ids: eight bytes for each slot, of which at most three quarters are full. */
export class IdTableWriter {
  readonly #idOf: (number: number) => string;
  #entries = new Uint32Array(2 * 1024); // (2 slots) number plus 1, hash
  #size = 0;

  /** @param idOf the id of a document that was added */
  constructor(idOf: (number: number) => string) {
    this.#idOf = idOf;
  }

  get slots(): number {
    return this.#entries.length / 2;
  }

  /** Adds the id of the next document; false where an earlier one has it. */
  add(given: string): boolean {
    const id = plainId(given);
    const hash = hashOf(id);
    const mask = this.slots - 1;
    let slot = hash & mask;
    for (; this.#entries[2 * slot] !== 0; slot = (slot + 1) & mask)
      if (this.#entries[2 * slot + 1] === hash && this.#idOf((this.#entries[2 * slot] as number) - 1) === id)
        return false;
    this.#size += 1;
    this.#entries[2 * slot] = this.#size;
    this.#entries[2 * slot + 1] = hash;
    if (4 * this.#size > 3 * this.slots) this.#grow();
    return true;
  }

  /** Appends the table. Returns its place. */
  async write(out: PagedWriter): Promise<{ readonly offset: number; readonly slots: number }> {
    const place = { offset: out.position, slots: this.slots };
    for (let from = 0; from < this.#entries.length; from += 2 * slotsAtOnce) {
      out.append(packWords(this.#entries.subarray(from, from + 2 * slotsAtOnce)));
      await out.drain();
    }
    return place;
  }

  #grow(): void {
    const before = this.#entries;
    const entries = new Uint32Array(2 * before.length);
    const mask = entries.length / 2 - 1;
    for (let from = 0; from < before.length; from += 2) {
      if (before[from] === 0) continue;
      const hash = before[from + 1] as number;
      let slot = hash & mask;
      while (entries[2 * slot] !== 0) slot = (slot + 1) & mask;
      entries[2 * slot] = before[from] as number;
      entries[2 * slot + 1] = hash;
    }
    this.#entries = entries;
  }
}

/** Finds documents by their ids. */
export class IdTable {
  readonly #file: PagedFile;
  readonly #offset: number;
  readonly #mask: number;
  readonly #idOf: (number: number) => string;

  /** @throws RunError where the number of slots is no power of two */
  constructor(
    file: PagedFile,
    { offset, slots }: { readonly offset: number; readonly slots: number },
    idOf: (number: number) => string,
  ) {
    if (!Number.isInteger(Math.log2(slots))) throw file.damaged('its table of ids is wrong');
    this.#file = file;
    this.#offset = offset;
    this.#mask = slots - 1;
    this.#idOf = idOf;
  }

  /** The number of the document with that id, or undefined. */
  find(wanted: string): number | undefined {
    const id = plainId(wanted);
    const hash = hashOf(id);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = this.#file.read(this.#offset + slot * slotBytes, slotBytes);
      const { bytes } = this.#file;
      const entry = bytes.readUInt32LE(at);
      if (entry === 0) return undefined;
      if (bytes.readUInt32LE(at + 4) === hash && this.#idOf(entry - 1) === id) return entry - 1;
    }
  }
}
