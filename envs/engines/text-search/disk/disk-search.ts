import type { PagedFile } from '../../paged-file/paged-file.ts';
import { inverseNorms } from '../bm25.ts';
import type { WeightedTerms } from '../query-reader.ts';
import type { TopDocuments } from '../top-documents.ts';
import {
  groupDocuments,
  groupWindows,
  slack,
  windowSize,
  windowsOf,
  type DiskHeader,
} from './disk-format.ts';
import { GroupOrder } from './group-order.ts';
import { GroupPostings } from './group-postings.ts';
import type { DiskTerm } from './term-blocks.ts';
import { readList, type TermList } from './term-list.ts';

/** More terms than this are sorted by the runtime, fewer by insertion. */
const fewTerms = 24;

const { fround } = Math;

/**
 * Finds the documents with the highest scores in an index on disk. Documents and scores are the same as if every
 * posting were scored.
 *
 * The documents are divided into windows of 256, and these into groups of 16. Each window has an upper bound: the sum of the highest
 * scores that the terms of the query have there. Groups are searched in descending order of their highest window. The search ends
 * when no window can have a document that is kept. Windows that cannot are left out (Block-Max Pruning: Mallia, Suel and
 * Tonellotto 2024).
 *
 * Within a group, terms whose bounds cannot lift a document into the result are optional. They are read only for documents that have
 * another term and may still pass (MaxScore: Turtle and Flood 1995).
 */
export class DiskSearch {
  readonly #file: PagedFile;
  readonly #windows: number;
  readonly #lengths: Uint8Array; // (N)
  readonly #norms: Float32Array; // (256)
  readonly #order: GroupOrder;
  readonly #found = new GroupPostings();
  /** The terms of the query that the group has, in their order, and by ascending bound. */
  readonly #present: number[] = [];
  readonly #ascending: number[] = [];
  /** Sums of the bounds of `#ascending`. */
  readonly #restBounds: number[] = [];
  readonly #bounds: number[] = []; // (n)
  readonly #isOptional: boolean[] = []; // (n)

  constructor(file: PagedFile, header: DiskHeader, lengths: Uint8Array) {
    this.#file = file;
    this.#windows = windowsOf(header.documents);
    this.#lengths = lengths;
    this.#norms = inverseNorms(header.parameters, header.occurrences / header.documentsWithTerms);
    this.#order = new GroupOrder(this.#windows);
  }

  /** Offers all documents that may be among the best. */
  run({ terms, weights }: WeightedTerms<DiskTerm>, top: TopDocuments): void {
    const order = this.#order;
    const scoring = { lengths: this.#lengths, norms: this.#norms, windows: this.#windows };
    const lists = terms.map((term, at) =>
      readList(this.#file, term, { ...scoring, weight: weights[at] as number }),
    );
    order.clear();
    for (const list of lists) list.addBounds(order.bounds);
    this.#found.begin(lists.length);
    order.visit(
      (bound) => fround(bound * slack) >= top.threshold,
      (group, bound) => {
        if (top.keeps(group * groupDocuments, fround(bound * slack))) this.#searchGroup(lists, group, top);
      },
    );
  }

  #searchGroup(lists: readonly TermList[], group: number, top: TopDocuments): void {
    const first = group * groupDocuments;
    const windows = this.#passingWindows(group, top);
    this.#enter(lists, group, windows);
    const optional = this.#splitTerms(first, top);
    const ascending = this.#ascending;
    if (optional === ascending.length) return;
    const found = this.#found;
    for (const term of this.#present)
      if (this.#isOptional[term] === false) found.addAll(term, lists[term] as TermList, windows);
    if (optional === 0) {
      found.offerSums(first, top);
      return;
    }
    for (let place = optional - 1; place >= 0; place -= 1) {
      found.keepPassing(first, this.#restBounds[place] as number, top);
      if (found.size === 0) return;
      const term = ascending[place] as number;
      found.addToFound(term, lists[term] as TermList);
    }
    found.keepPassing(first, 0, top);
    found.offerScores(first, this.#present, top); // sums in the order of the terms, as without pruning
  }

  /** A bit for each window of a group that may have a document that is kept. */
  #passingWindows(group: number, top: TopDocuments): number {
    const { bounds } = this.#order;
    let windows = 0;
    for (let place = 0; place < groupWindows; place += 1) {
      const window = group * groupWindows + place;
      if (
        window < bounds.length &&
        top.keeps(window * windowSize, fround((bounds[window] as number) * slack))
      )
        windows |= 1 << place;
    }
    return windows;
  }

  /** Finds the terms of the windows of a group, and their bounds. */
  #enter(lists: readonly TermList[], group: number, windows: number): void {
    this.#present.length = 0;
    for (let term = 0; term < lists.length; term += 1) {
      const bound = (lists[term] as TermList).enter(group, windows);
      this.#bounds[term] = bound;
      if (bound > 0) this.#present.push(term);
    }
  }

  /**
   * Sorts the terms of the group by their bounds. Returns how many of the lowest cannot lift a document into the
   * result.
   */
  #splitTerms(first: number, top: TopDocuments): number {
    const bounds = this.#bounds;
    const ascending = this.#ascending;
    ascending.length = 0;
    for (const term of this.#present) {
      let place = ascending.push(term) - 1;
      if (this.#present.length > fewTerms) continue;
      for (
        ;
        place > 0 && (bounds[ascending[place - 1] as number] as number) > (bounds[term] as number);
        place -= 1
      )
        ascending[place] = ascending[place - 1] as number;
      ascending[place] = term;
    }
    if (this.#present.length > fewTerms)
      ascending.sort((a, b) => (bounds[a] as number) - (bounds[b] as number));
    let optional = 0;
    let sum = 0;
    for (let place = 0; place < ascending.length; place += 1) {
      const term = ascending[place] as number;
      sum += bounds[term] as number;
      this.#restBounds[place] = sum;
      if (optional === place && !top.keeps(first, fround(sum * slack))) optional = place + 1;
      this.#isOptional[term] = optional > place;
    }
    return optional;
  }
}
