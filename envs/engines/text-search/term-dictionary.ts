import { RunError } from '../../core/errors.ts';
import { Grower } from './grower.ts';
import { hashEnd, hashStart, hashStep } from './hash-bits.ts';

/** Terms and their numbers, from 0 in the order in which they were added, as a hash table without objects. */
export interface TermTable {
  /** All terms in UTF-8, concatenated. */
  readonly bytes: Uint8Array; // (bytes)
  /** The start of each term; the last entry is the end of the last one. */
  readonly starts: Uint32Array; // (terms + 1)
  /**
   * The number of a term plus 1, at or after the slot of its hash; 0 for an empty slot. The size is a power
   * of two, at most half full.
   */
  readonly slots: Uint32Array; // (slots)
}

/** The most UTF-8 bytes per code unit of UTF-16. */
const bytesPerUnit = 3;
const encoder = new TextEncoder();
let scratch = new Uint8Array(1024); // grows with the longest term

/** Writes the UTF-8 of a term to the start of `scratch`. Returns its length. */
function encode(term: string): number {
  if (term.length * bytesPerUnit > scratch.length) scratch = new Uint8Array(term.length * bytesPerUnit);
  return encoder.encodeInto(term, scratch).written;
}

/** The number of a term, or undefined. */
export function findTerm(table: TermTable, term: string): number | undefined {
  const length = encode(term);
  const slot = slotOf(table, scratch, length);
  const entry = table.slots[slot] as number;
  return entry === 0 ? undefined : entry - 1;
}

/** Numbers terms as they arrive. */
export class TermDictionary {
  readonly #bytes = new Grower(Uint8Array);
  readonly #starts = new Grower(Uint32Array);
  #slots = new Uint32Array(1024);

  constructor() {
    this.#starts.push(0);
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** The number of a term, which is added where it is unknown. */
  numberOf(term: string): number {
    const length = encode(term);
    const slot = slotOf(this.#table(), scratch, length);
    const entry = this.#slots[slot] as number;
    if (entry !== 0) return entry - 1;
    const number = this.size;
    const end = this.#bytes.length + length;
    if (end > 0xffff_ffff) throw tooManyTerms();
    this.#bytes.append(scratch, length);
    this.#starts.push(end);
    this.#slots[slot] = number + 1;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  /** The current table, without a copy. It is valid until the next term is added. */
  view(): TermTable {
    return {
      bytes: this.#bytes.array.subarray(0, this.#bytes.length),
      starts: this.#starts.array.subarray(0, this.size + 1),
      slots: this.#slots,
    };
  }

  #table(): TermTable {
    return { bytes: this.#bytes.array, starts: this.#starts.array, slots: this.#slots };
  }

  #rehash(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const table = this.#table();
    for (let number = 0; number < this.size; number += 1) {
      const term = table.bytes.subarray(table.starts[number], table.starts[number + 1]);
      this.#slots[slotOf(table, term, term.length)] = number + 1;
    }
  }
}

/** The slot of a term, or the free slot that it would get. The term is the first `length` of `bytes`. */
function slotOf(table: TermTable, bytes: Uint8Array, length: number): number {
  const mask = table.slots.length - 1;
  for (let slot = hash(bytes, length) & mask; ; slot = (slot + 1) & mask) {
    const entry = table.slots[slot] as number;
    if (entry === 0 || isTerm(table, entry - 1, bytes, length)) return slot;
  }
}

function isTerm({ bytes, starts }: TermTable, number: number, term: Uint8Array, length: number): boolean {
  const start = starts[number] as number;
  if ((starts[number + 1] as number) - start !== length) return false;
  for (let at = 0; at < length; at += 1) if (bytes[start + at] !== term[at]) return false;
  return true;
}

function hash(bytes: Uint8Array, length: number): number {
  let value = hashStart;
  for (let at = 0; at < length; at += 1) value = hashStep(value, bytes[at] as number);
  return hashEnd(value);
}

const tooManyTerms = (): RunError =>
  new RunError({
    where: 'text index',
    what: 'its terms take more than 4 GiB.',
    fix: 'Index fewer documents, or split them over several indexes.',
  });
