import { RunError } from '../../core/errors.ts';
import { Grower } from './grower.ts';
import { hashEnd, hashStart, hashStep } from './hash-bits.ts';

/**
 * Numbers the distinct tokens of texts, from 0 in the order of their first occurrence. It is a hash table
 * over code units of UTF-16 and creates no strings.
 */
export class TokenTable {
  readonly #units = new Grower(Uint16Array);
  /** The start of the code units of each token; the last entry is the end of all. */
  readonly #starts = new Grower(Uint32Array); // (tokens + 1)
  /** The number of a token plus 1; 0 for an empty slot. The size is a power of two, at most half full. */
  #slots = new Uint32Array(4096);

  constructor() {
    this.#starts.push(0);
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /**
   * The number of the token at that position of the text. A new token gets the previous size of the table.
   */
  numberOf(text: string, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let hash = hashStart;
    for (let at = start; at < end; at += 1) hash = hashStep(hash, text.charCodeAt(at));
    let slot = hashEnd(hash) & mask;
    for (let entry = this.#slots[slot] as number; entry !== 0; entry = this.#slots[slot] as number) {
      if (this.#isToken(entry - 1, text, start, end)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(text, { start, end, slot });
  }

  #isToken(number: number, text: string, start: number, end: number): boolean {
    const from = this.#starts.array[number] as number;
    if ((this.#starts.array[number + 1] as number) - from !== end - start) return false;
    const units = this.#units.array;
    for (let at = start; at < end; at += 1)
      if (units[from + at - start] !== text.charCodeAt(at)) return false;
    return true;
  }

  #add(
    text: string,
    { start, end, slot }: { readonly start: number; readonly end: number; readonly slot: number },
  ): number {
    if (this.#units.length + end - start > 0xffff_ffff) throw tooManyTokens();
    for (let at = start; at < end; at += 1) this.#units.push(text.charCodeAt(at));
    this.#starts.push(this.#units.length);
    this.#slots[slot] = this.size;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return this.size - 1;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const units = this.#units.array;
    const starts = this.#starts.array;
    for (let number = 0; number < this.size; number += 1) {
      let hash = hashStart;
      const end = starts[number + 1] as number;
      for (let at = starts[number] as number; at < end; at += 1) hash = hashStep(hash, units[at] as number);
      let slot = hashEnd(hash) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

const tooManyTokens = (): RunError =>
  new RunError({
    where: 'text index',
    what: 'its different tokens take more than 8 GiB.',
    fix: 'Index fewer documents, or split them over several indexes.',
  });
