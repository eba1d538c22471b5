import { inverseNorms, termScore } from './bm25.ts';
import { blockSize, frequencyAt, longFrequency, lowerBound, type TextIndexData } from './index-data.ts';
import type { WeightedTerms } from './query-reader.ts';
import type { TopDocuments } from './top-documents.ts';

/** The default number of documents that are scored together. Their sums fit into the processor's cache. */
const usualWindow = 1 << 13;
const blockBits = Math.log2(blockSize);

/**
 * Sums of bounds are in double precision and may be slightly too low. A factor of 1 + 10^-12 exceeds ten
 * thousand rounding errors.
 */
const slack = 1 + 1e-12;

/** Looking a document up takes as long as reading this many postings. */
const lookUpCost = 16;

const { fround } = Math;

/**
 * Finds the documents with the highest scores. Documents and scores are the same as if every posting were
 * scored.
 *
 * The numbers of the documents are divided into windows. In a window every term has an upper bound, from the
 * peaks of its blocks there. Terms are optional if the sum of their bounds, lowest first, cannot lift a
 * document over the threshold. The postings of the other terms are summed. The optional terms are looked up
 * only for documents that may still pass (MaxScore: Turtle and Flood 1995; with bounds of blocks: Ding and
 * Suel 2011). It keeps its memory between searches.
 */
export class MaxScoreSearch {
  readonly #data: TextIndexData;
  readonly #windowSize: number;
  readonly #norms: Float32Array; // (256)
  readonly #sums: Float64Array; // (window) below 0: nothing yet
  readonly #touched: Uint32Array; // (window)
  #weights: readonly number[] = []; // (n)
  #positions = new Uint32Array(16); // (n) the next posting of each term
  #ends = new Uint32Array(16); // (n) where its postings end
  #windowEnds = new Uint32Array(16); // (n) where its postings of this window end
  #firsts = new Uint32Array(16); // (n) its first posting
  #blocks = new Uint32Array(16); // (n) its first block
  #bounds = new Float64Array(16); // (n) upper bounds of its score in this window
  #order = new Uint32Array(16); // (n) the terms by ascending bound
  #optional = new Uint8Array(16); // (n) whether the term is optional in this window
  #restBounds = new Float64Array(16); // (n) sums of the bounds in that order

  /** `windowSize` affects the speed of a search, never its result. */
  constructor(data: TextIndexData, windowSize = usualWindow) {
    this.#data = data;
    this.#windowSize = windowSize;
    this.#norms = inverseNorms(data.parameters, data.occurrences / data.documentsWithTerms);
    const window = Math.min(windowSize, data.lengths.length);
    this.#sums = new Float64Array(window).fill(-1);
    this.#touched = new Uint32Array(window);
  }

  /** Offers all documents that may be among the best. */
  run(query: WeightedTerms, top: TopDocuments): void {
    this.#begin(query);
    for (let next = this.#nextDocument(); next < this.#data.lengths.length; next = this.#nextDocument()) {
      const from = next - (next % this.#windowSize);
      this.#enter(from + this.#windowSize);
      const optional = this.#splitTerms(top.threshold);
      if (optional < query.terms.length) {
        const touched = this.#addUp(from);
        if (optional === 0) this.#offerAll(from, touched, top);
        else this.#offerPassing(from, touched, { optional, top });
      }
      this.#positions.set(this.#windowEnds.subarray(0, query.terms.length));
    }
  }

  #begin({ terms, weights }: WeightedTerms): void {
    const { starts, blockStarts } = this.#data;
    if (terms.length > this.#positions.length) this.#makeRoom(terms.length);
    this.#weights = weights;
    for (const [term, { number }] of terms.entries()) {
      this.#firsts[term] = starts[number] as number;
      this.#positions[term] = starts[number] as number;
      this.#ends[term] = starts[number + 1] as number;
      this.#blocks[term] = blockStarts[number] as number;
    }
  }

  #makeRoom(terms: number): void {
    this.#positions = new Uint32Array(terms);
    this.#ends = new Uint32Array(terms);
    this.#windowEnds = new Uint32Array(terms);
    this.#firsts = new Uint32Array(terms);
    this.#blocks = new Uint32Array(terms);
    this.#bounds = new Float64Array(terms);
    this.#order = new Uint32Array(terms);
    this.#optional = new Uint8Array(terms);
    this.#restBounds = new Float64Array(terms);
  }

  /** The lowest remaining document of any term. */
  #nextDocument(): number {
    let lowest = this.#data.lengths.length;
    for (let term = 0; term < this.#weights.length; term += 1) {
      const position = this.#positions[term] as number;
      if (position === this.#ends[term]) continue;
      lowest = Math.min(lowest, this.#data.documents[position] as number);
    }
    return lowest;
  }

  /** Finds, for every term, its postings below the document `to`, and their bound. */
  #enter(to: number): void {
    const { documents, peaks } = this.#data;
    for (let term = 0; term < this.#weights.length; term += 1) {
      const position = this.#positions[term] as number;
      const end = gallop(documents, to, position, this.#ends[term] as number);
      this.#windowEnds[term] = end;
      let peak = 0;
      if (end > position) {
        const first = this.#firsts[term] as number;
        const base = this.#blocks[term] as number;
        const last = base + ((end - 1 - first) >>> blockBits);
        for (let block = base + ((position - first) >>> blockBits); block <= last; block += 1)
          peak = Math.max(peak, peaks[block] as number);
      }
      this.#bounds[term] = termScore(this.#weights[term] as number, peak);
    }
  }

  /**
   * Sorts the terms by their bounds. Returns how many of the lowest cannot lift a document over the
   * threshold.
   */
  #splitTerms(threshold: number): number {
    const order = this.#order;
    const bounds = this.#bounds;
    for (let term = 0; term < this.#weights.length; term += 1) {
      let place = term;
      for (
        ;
        place > 0 && (bounds[order[place - 1] as number] as number) > (bounds[term] as number);
        place -= 1
      )
        order[place] = order[place - 1] as number;
      order[place] = term;
    }
    let optional = 0;
    let sum = 0;
    for (let place = 0; place < this.#weights.length; place += 1) {
      const term = order[place] as number;
      sum += bounds[term] as number;
      this.#restBounds[place] = sum;
      if (fround(sum * slack) <= threshold) optional = place + 1;
      this.#optional[term] = optional > place ? 1 : 0;
    }
    return optional;
  }

  /** Sums the scores of all required terms. Returns how many documents have one of them. */
  #addUp(from: number): number {
    let touched = 0;
    for (let term = 0; term < this.#weights.length; term += 1)
      if (this.#optional[term] === 0) touched = this.#addTerm(term, from, touched);
    return touched;
  }

  #addTerm(term: number, from: number, touchedBefore: number): number {
    const { documents, frequencies, lengths } = this.#data;
    const norms = this.#norms;
    const sums = this.#sums;
    const list = this.#touched;
    const weight = this.#weights[term] as number;
    const end = this.#windowEnds[term] as number;
    let touched = touchedBefore;
    for (let posting = this.#positions[term] as number; posting < end; posting += 1) {
      const document = documents[posting] as number;
      const short = frequencies[posting] as number;
      const frequency = short === longFrequency ? frequencyAt(this.#data, posting) : short;
      const score = termScore(weight, fround(frequency * (norms[lengths[document] as number] as number)));
      const slot = document - from;
      const sum = sums[slot] as number;
      if (sum < 0) {
        sums[slot] = score;
        list[touched] = slot;
        touched += 1;
      } else {
        sums[slot] = sum + score;
      }
    }
    return touched;
  }

  #offerAll(from: number, touched: number, top: TopDocuments): void {
    const sums = this.#sums;
    for (let place = 0; place < touched; place += 1) {
      const slot = this.#touched[place] as number;
      top.offer(from + slot, fround(sums[slot] as number));
      sums[slot] = -1;
    }
  }

  /**
   * Adds the optional terms, the highest bound first, to the documents that may still pass. Offers those that
   * may pass in the end.
   */
  #offerPassing(
    from: number,
    touched: number,
    { optional, top }: { readonly optional: number; readonly top: TopDocuments },
  ): void {
    let left = touched;
    for (let place = optional - 1; place >= 0; place -= 1) {
      left = this.#keepPassing(left, this.#restBounds[place] as number, top.threshold);
      if (left === 0) return;
      this.#addOptional(this.#order[place] as number, from, left);
    }
    for (let place = 0; place < left; place += 1) {
      const slot = this.#touched[place] as number;
      const passes = fround((this.#sums[slot] as number) * slack) >= top.threshold;
      this.#sums[slot] = -1;
      if (passes) top.offer(from + slot, this.#scoreOf(from + slot));
    }
  }

  /** Drops the documents that do not pass the threshold even with `rest`. Returns how many remain. */
  #keepPassing(touched: number, rest: number, threshold: number): number {
    const sums = this.#sums;
    const list = this.#touched;
    let left = 0;
    for (let place = 0; place < touched; place += 1) {
      const slot = list[place] as number;
      if (fround(((sums[slot] as number) + rest) * slack) <= threshold) {
        sums[slot] = -1;
      } else {
        list[left] = slot;
        left += 1;
      }
    }
    return left;
  }

  /**
   * Adds the scores of a term to the remaining documents: from its postings, or by look-ups where few
   * documents remain.
   */
  #addOptional(term: number, from: number, left: number): void {
    const { documents } = this.#data;
    const sums = this.#sums;
    const end = this.#windowEnds[term] as number;
    const start = this.#positions[term] as number;
    if (end - start < left * lookUpCost) {
      for (let posting = start; posting < end; posting += 1) {
        const slot = (documents[posting] as number) - from;
        const sum = sums[slot] as number;
        if (sum >= 0) sums[slot] = sum + this.#scoreOfPosting(term, posting);
      }
    } else {
      for (let place = 0; place < left; place += 1) {
        const slot = this.#touched[place] as number;
        sums[slot] = (sums[slot] as number) + this.#scoreOfTerm(term, from + slot);
      }
    }
  }

  /** The score of a document of this window, summed in the order of the terms. */
  #scoreOf(document: number): number {
    let sum = 0;
    for (let term = 0; term < this.#weights.length; term += 1) sum += this.#scoreOfTerm(term, document);
    return fround(sum);
  }

  /** The contribution of a term to a document of this window. */
  #scoreOfTerm(term: number, document: number): number {
    const end = this.#windowEnds[term] as number;
    const posting = lowerBound(this.#data.documents, document, this.#positions[term] as number, end);
    return posting < end && this.#data.documents[posting] === document
      ? this.#scoreOfPosting(term, posting)
      : 0;
  }

  #scoreOfPosting(term: number, posting: number): number {
    const norm = this.#norms[this.#data.lengths[this.#data.documents[posting] as number] as number] as number;
    return termScore(this.#weights[term] as number, fround(frequencyAt(this.#data, posting) * norm));
  }
}

/** Like {@link lowerBound}, but faster where the result is near `from`. */
function gallop(sorted: Uint32Array, value: number, from: number, end: number): number {
  let step = 1;
  while (from + step < end && (sorted[from + step] as number) < value) step *= 2;
  return lowerBound(sorted, value, from + (step >>> 1), Math.min(end, from + step));
}
