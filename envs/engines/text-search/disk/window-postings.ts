import { windowSize } from './disk-format.ts';
import type { TermList } from './term-list.ts';

/** Memory of this number of terms is kept between searches. */
const keptTerms = 64;

/** The scores of a term in a window. */
export interface WindowScores {
  /** Places of documents in the window, ascending. */
  readonly slots: Uint8Array; // (256)
  readonly scores: Float32Array; // (256)
  count: number;
}

/** The documents of a window that were found so far, with the sums of their scores, and the scores of the terms that were read. */
export class WindowPostings {
  readonly #terms: WindowScores[] = [];
  readonly #sums = new Float64Array(windowSize).fill(-1); // below 0: not found
  readonly #slots = new Uint8Array(windowSize); // (size)
  #size = 0;

  /** The number of documents. */
  get size(): number {
    return this.#size;
  }

  /** Starts a search of so many terms. */
  begin(terms: number): void {
    this.#terms.length = Math.min(this.#terms.length, Math.max(keptTerms, terms));
    while (this.#terms.length < terms)
      this.#terms.push({ slots: new Uint8Array(windowSize), scores: new Float32Array(windowSize), count: 0 });
  }

  /** Reads a term of the window. */
  read(term: number, list: TermList, window: number): void {
    list.read(window, this.#terms[term] as WindowScores);
  }

  /** Adds the scores of a term to all of its documents. */
  sum(term: number): void {
    const { slots, scores, count } = this.#terms[term] as WindowScores;
    const sums = this.#sums;
    let size = this.#size;
    for (let posting = 0; posting < count; posting += 1) {
      const slot = slots[posting] as number;
      const sum = sums[slot] as number;
      if (sum < 0) {
        sums[slot] = scores[posting] as number;
        this.#slots[size] = slot;
        size += 1;
      } else sums[slot] = sum + (scores[posting] as number);
    }
    this.#size = size;
  }

  /** Adds the scores of a term to the documents that were found already. */
  sumKept(term: number): void {
    const { slots, scores, count } = this.#terms[term] as WindowScores;
    const sums = this.#sums;
    for (let posting = 0; posting < count; posting += 1) {
      const slot = slots[posting] as number;
      const sum = sums[slot] as number;
      if (sum >= 0) sums[slot] = sum + (scores[posting] as number);
    }
  }

  /** Drops the documents for which `passes` is false. */
  keep(passes: (slot: number, sum: number) => boolean): void {
    let left = 0;
    for (let place = 0; place < this.#size; place += 1) {
      const slot = this.#slots[place] as number;
      if (passes(slot, this.#sums[slot] as number)) {
        this.#slots[left] = slot;
        left += 1;
      } else this.#sums[slot] = -1;
    }
    this.#size = left;
  }

  slotAt(place: number): number {
    return this.#slots[place] as number;
  }

  sumOf(slot: number): number {
    return this.#sums[slot] as number;
  }

  /** The score of a term that was read, 0 where the document does not have it. */
  scoreOf(term: number, slot: number): number {
    const { slots, scores, count } = this.#terms[term] as WindowScores;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((slots[middle] as number) < slot) low = middle + 1;
      else high = middle;
    }
    return low < count && slots[low] === slot ? (scores[low] as number) : 0;
  }

  /** Forgets all documents. */
  clear(): void {
    for (let place = 0; place < this.#size; place += 1) this.#sums[this.#slots[place] as number] = -1;
    this.#size = 0;
  }
}
