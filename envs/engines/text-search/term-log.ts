import type { Analyzer } from './analyzer.ts';
import { Grower } from './grower.ts';
import { PostingLog } from './posting-log.ts';
import { TermDictionary, type TermTable } from './term-dictionary.ts';
import { TokenTable } from './token-table.ts';

/**
 * Numbers the terms of documents that are added one by one, and logs which document has which. No text is kept. A
 * posting takes about three bytes.
 */
export class TermLog {
  readonly #analyzer: Analyzer;
  readonly #dictionary = new TermDictionary();
  readonly #tokens = new TokenTable();
  /** The term of each token plus 1; 0 where it has none. Every token is analyzed once. */
  readonly #termOf = new Grower(Uint32Array); // (tokens)
  /** The number of documents with each term. */
  readonly #documentsWith = new Grower(Uint32Array); // (T)
  /** The frequency of each term in the current document; 0 between documents. */
  readonly #frequencies = new Grower(Uint32Array); // (T)
  /** The distinct terms of the current document. */
  readonly #found: number[] = [];
  #length = 0;
  #postings = 0;
  /** All postings, in the order of the documents. */
  readonly postingLog = new PostingLog();

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
  }

  /** Pairs of a term and a document that has it. */
  get postings(): number {
    return this.#postings;
  }

  /** Distinct tokens, which are words as they were written. */
  get tokens(): number {
    return this.#tokens.size;
  }

  /** The terms so far, without a copy. Valid until the next document is added. */
  get terms(): TermTable {
    return this.#dictionary.view();
  }

  /** The number of documents with each term, without a copy. Valid until the next document is added. */
  get documentsWith(): Uint32Array {
    return this.#documentsWith.array.subarray(0, this.#dictionary.size); // (T)
  }

  /** Adds the next document. Returns its length in terms. */
  add(text: string): number {
    this.#length = 0;
    this.#analyzer.split(text, (start, end) => this.#count(this.#termAt(text, start, end)));
    this.#logDocument();
    return this.#length;
  }

  /** The term number of the token at that position plus 1, or 0. */
  #termAt(text: string, start: number, end: number): number {
    const token = this.#tokens.numberOf(text, start, end);
    if (token === this.#termOf.length) this.#termOf.push(this.#learn(text.slice(start, end)));
    return this.#termOf.array[token] as number;
  }

  #learn(token: string): number {
    const term = this.#analyzer.termOf(token);
    if (term === '') return 0;
    const number = this.#dictionary.numberOf(term);
    if (number === this.#frequencies.length) {
      this.#frequencies.push(0);
      this.#documentsWith.push(0);
    }
    return number + 1;
  }

  #count(entry: number): void {
    if (entry === 0) return;
    const frequency = this.#frequencies.array[entry - 1] as number;
    if (frequency === 0) this.#found.push(entry - 1);
    this.#frequencies.array[entry - 1] = frequency + 1;
    this.#length += 1;
  }

  #logDocument(): void {
    this.#postings += this.#found.length;
    this.postingLog.beginDocument(this.#found.length);
    const frequencies = this.#frequencies.array;
    const documentsWith = this.#documentsWith.array;
    for (const number of this.#found) {
      this.postingLog.write(number, frequencies[number] as number);
      documentsWith[number] = (documentsWith[number] as number) + 1;
      frequencies[number] = 0;
    }
    this.#found.length = 0;
  }
}
