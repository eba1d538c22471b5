import type { PagedFile } from '../../paged-file/paged-file.ts';
import { inverseNorms } from '../bm25.ts';
import type { WeightedTerms } from '../query-reader.ts';
import type { TopDocuments } from '../top-documents.ts';
import { windowBits, windowsOf, type DiskHeader } from './disk-format.ts';
import type { DiskTerm } from './term-blocks.ts';
import { readList, type TermList } from './term-list.ts';
import { WindowOrder } from './window-order.ts';
import { WindowPostings } from './window-postings.ts';

/**
 * Sums of bounds are in double precision and may be slightly too low. A factor of 1 + 10^-12 exceeds ten
 * thousand rounding errors.
 */
const slack = 1 + 1e-12;

/** More terms than this are sorted by the runtime, fewer by insertion. */
const fewTerms = 24;

const { fround } = Math;

/**
 * Finds the documents with the highest scores in an index on disk. Documents and scores are the same as if every
 * posting were scored.
 *
 * The documents are divided into windows of 256. Each window has an upper bound: the sum of the highest scores that the terms of the
 * query have there. Windows are searched in descending order of their bounds, until no window can have a document that
 * is kept (Block-Max Pruning: Mallia, Suel and Tonellotto 2024). Within a window, terms whose bounds cannot lift a document into the
 * result are optional: they are read only for documents that have another term and may still pass (MaxScore: Turtle and Flood
 * 1995).
 */
export class DiskSearch {
  readonly #file: PagedFile;
  readonly #windows: number;
  readonly #lengths: Uint8Array; // (N)
  readonly #norms: Float32Array; // (256)
  readonly #order: WindowOrder;
  readonly #found: WindowPostings;
  /** The terms of the query that the window has, in their order, and by ascending bound. */
  #present: number[] = [];
  #ascending: number[] = [];
  /** Sums of the bounds of `#ascending`. */
  #restBounds: number[] = [];
  #bounds: number[] = []; // (n)
  #isOptional: boolean[] = []; // (n)

  constructor(file: PagedFile, header: DiskHeader, lengths: Uint8Array) {
    this.#file = file;
    this.#windows = windowsOf(header.documents);
    this.#lengths = lengths;
    this.#norms = inverseNorms(header.parameters, header.occurrences / header.documentsWithTerms);
    this.#order = new WindowOrder(this.#windows);
    this.#found = new WindowPostings();
  }

  /** Offers all documents that may be among the best. */
  run({ terms, weights }: WeightedTerms<DiskTerm>, top: TopDocuments): void {
    const order = this.#order;
    const scoring = { lengths: this.#lengths, norms: this.#norms };
    const lists = terms.map((term, at) =>
      readList(this.#file, term, { ...scoring, weight: weights[at] as number, windows: this.#windows }),
    );
    order.clear();
    for (const list of lists) list.addBounds(order.bounds);
    this.#found.begin(lists.length);
    order.visit(
      (bound) => fround(bound * slack) >= top.threshold,
      (window, bound) => {
        if (top.keeps(window << windowBits, fround(bound * slack))) this.#searchWindow(lists, window, top);
      },
    );
  }

  #searchWindow(lists: readonly TermList[], window: number, top: TopDocuments): void {
    const first = window << windowBits;
    this.#enter(lists, window);
    const optional = this.#splitTerms(first, top);
    const ascending = this.#ascending;
    if (optional === ascending.length) return;
    const found = this.#found;
    for (const term of this.#present)
      if (this.#isOptional[term] !== true) {
        found.read(term, lists[term] as TermList, window);
        found.sum(term);
      }
    if (optional === 0) {
      for (let place = 0; place < found.size; place += 1) {
        const slot = found.slotAt(place);
        top.offer(first + slot, fround(found.sumOf(slot)));
      }
      found.clear();
      return;
    }
    for (let place = optional - 1; place >= 0; place -= 1) {
      const rest = this.#restBounds[place] as number;
      found.keep((slot, sum) => top.keeps(first + slot, fround((sum + rest) * slack)));
      if (found.size === 0) return;
      const term = ascending[place] as number;
      found.read(term, lists[term] as TermList, window);
      found.sumKept(term);
    }
    found.keep((slot, sum) => top.keeps(first + slot, fround(sum * slack)));
    for (let place = 0; place < found.size; place += 1) {
      const slot = found.slotAt(place);
      let score = 0; // summed again in the order of the terms, as without pruning
      for (const term of this.#present) score += found.scoreOf(term, slot);
      top.offer(first + slot, fround(score));
    }
    found.clear();
  }

  /** Finds the terms of a window, and their bounds. */
  #enter(lists: readonly TermList[], window: number): void {
    this.#present.length = 0;
    for (let term = 0; term < lists.length; term += 1) {
      const bound = (lists[term] as TermList).enter(window);
      this.#bounds[term] = bound;
      if (bound > 0) this.#present.push(term);
    }
  }

  /**
   * Sorts the terms of the window by their bounds. Returns how many of the lowest cannot lift a document into the
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
