import type { TopDocuments } from '../top-documents.ts';
import { groupDocuments, slack, windowBits } from './disk-format.ts';
import type { TermList } from './term-list.ts';

/** Memory of this number of terms is kept between searches: 24 KiB each. */
const keptTerms = 64;

const { fround } = Math;

/** The scores of a term in a group of windows. */
export interface GroupScores {
  /** Places of documents in the group, ascending. */
  readonly slots: Uint16Array; // (4096)
  readonly scores: Float32Array; // (4096)
  count: number;
}

/** The documents of a group that were found so far, with the sums of their scores, and the scores of the terms that were read. */
export class GroupPostings {
  readonly #terms: GroupScores[] = [];
  readonly #sums = new Float64Array(groupDocuments).fill(-1); // below 0: not found
  readonly #slots = new Uint16Array(groupDocuments); // (size)
  #size = 0;

  /** The number of documents. */
  get size(): number {
    return this.#size;
  }

  /** Starts a search of so many terms. */
  begin(terms: number): void {
    this.#terms.length = Math.min(this.#terms.length, Math.max(keptTerms, terms));
    while (this.#terms.length < terms)
      this.#terms.push({
        slots: new Uint16Array(groupDocuments),
        scores: new Float32Array(groupDocuments),
        count: 0,
      });
  }

  /** Reads a term in the windows of the mask, and adds its scores to all of its documents. */
  addAll(term: number, list: TermList, windows: number): void {
    const into = this.#terms[term] as GroupScores;
    list.read(windows, into);
    const { slots, scores, count } = into;
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

  /** Reads a term in the windows of the documents that were found, and adds its scores to these. */
  addToFound(term: number, list: TermList): void {
    let windows = 0;
    for (let place = 0; place < this.#size; place += 1)
      windows |= 1 << ((this.#slots[place] as number) >>> windowBits);
    const into = this.#terms[term] as GroupScores;
    const sums = this.#sums;
    list.readFound(windows, sums, into);
    const { slots, scores, count } = into;
    for (let posting = 0; posting < count; posting += 1) {
      const slot = slots[posting] as number;
      const sum = sums[slot] as number;
      if (sum >= 0) sums[slot] = sum + (scores[posting] as number);
    }
  }

  /** Drops the documents that are not kept even with `rest`. `first` is the first document of the group. */
  keepPassing(first: number, rest: number, top: TopDocuments): void {
    const sums = this.#sums;
    const list = this.#slots;
    const { threshold } = top;
    let left = 0;
    for (let place = 0; place < this.#size; place += 1) {
      const slot = list[place] as number;
      const bound = fround(((sums[slot] as number) + rest) * slack);
      if (bound > threshold || (bound === threshold && top.keeps(first + slot, bound))) {
        list[left] = slot;
        left += 1;
      } else sums[slot] = -1;
    }
    this.#size = left;
  }

  /** Offers all documents with their sums, and forgets them. */
  offerSums(first: number, top: TopDocuments): void {
    const sums = this.#sums;
    for (let place = 0; place < this.#size; place += 1) {
      const slot = this.#slots[place] as number;
      top.offer(first + slot, fround(sums[slot] as number));
      sums[slot] = -1;
    }
    this.#size = 0;
  }

  /** Offers all documents with their scores summed in the order of `terms`, which were read, and forgets them. */
  offerScores(first: number, terms: readonly number[], top: TopDocuments): void {
    for (let place = 0; place < this.#size; place += 1) {
      const slot = this.#slots[place] as number;
      let score = 0;
      for (const term of terms) score += this.#scoreOf(term, slot);
      top.offer(first + slot, fround(score));
      this.#sums[slot] = -1;
    }
    this.#size = 0;
  }

  /** The score of a term, 0 where the document does not have it. */
  #scoreOf(term: number, slot: number): number {
    const { slots, scores, count } = this.#terms[term] as GroupScores;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((slots[middle] as number) < slot) low = middle + 1;
      else high = middle;
    }
    return low < count && slots[low] === slot ? (scores[low] as number) : 0;
  }
}
