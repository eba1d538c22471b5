import { RunError, UsageError } from '../../core/errors.ts';
import type { Analyzer } from './analyzer.ts';
import { anseriniParameters, type Bm25Parameters } from './bm25.ts';
import { englishAnalyzer } from './english-analyzer.ts';
import { Grower } from './grower.ts';
import { invert } from './invert.ts';
import { encodeLength } from './length-code.ts';
import { PostingLog } from './posting-log.ts';
import { TermDictionary } from './term-dictionary.ts';
import { TextIndex } from './text-index.ts';
import { TokenTable } from './token-table.ts';

export interface TextIndexOptions {
  /** Default: {@link englishAnalyzer}. */
  readonly analyzer?: Analyzer;
  /** Default: {@link anseriniParameters}. */
  readonly parameters?: Bm25Parameters;
}

/**
 * Builds an index of documents that are added one by one. No text is kept. A posting takes about three bytes
 * until {@link finish}, and five in the index. A builder is used once.
 */
export class TextIndexBuilder {
  readonly #analyzer: Analyzer;
  readonly #parameters: Bm25Parameters;
  readonly #dictionary = new TermDictionary();
  readonly #tokens = new TokenTable();
  /** The term of each token plus 1; 0 where it has none. Every token is analyzed once. */
  readonly #termOf = new Grower(Uint32Array); // (tokens)
  readonly #log = new PostingLog();
  readonly #lengths = new Grower(Uint8Array);
  /** The number of documents with each term. */
  readonly #documentsWith = new Grower(Uint32Array); // (T)
  /** The frequency of each term in the current document; 0 between documents. */
  readonly #frequencies = new Grower(Uint32Array); // (T)
  /** The distinct terms of the current document. */
  readonly #found: number[] = [];
  #occurrences = 0;
  #postings = 0;
  #documentsWithTerms = 0;
  #finished = false;

  constructor(options: TextIndexOptions = {}) {
    this.#analyzer = options.analyzer ?? englishAnalyzer;
    this.#parameters = options.parameters ?? anseriniParameters;
    assertParameters(this.#parameters);
  }

  /** Indexes the next document. */
  add(text: string): void {
    this.#assertOpen();
    const before = this.#occurrences;
    this.#analyzer.split(text, (start, end) => this.#count(this.#termAt(text, start, end)));
    const length = this.#occurrences - before;
    this.#lengths.push(encodeLength(length));
    if (length > 0) this.#documentsWithTerms += 1;
    this.#logDocument();
  }

  /**
   * The index of all added documents. `order` lists the number of every document: documents with equal scores
   * are found in this order. Without it, they are found in the order in which they were added.
   */
  finish(order: Uint32Array = new Uint32Array(0)): TextIndex {
    this.#assertOpen();
    if (order.length > 0) assertOrder(order, this.#lengths.length);
    this.#finished = true;
    const data = invert({
      analyzer: this.#analyzer.id,
      parameters: this.#parameters,
      documentsWithTerms: this.#documentsWithTerms,
      occurrences: this.#occurrences,
      lengths: this.#lengths.array.subarray(0, this.#lengths.length),
      order,
      terms: this.#dictionary.view(),
      documentsWith: this.#documentsWith.array.subarray(0, this.#dictionary.size),
      log: this.#log,
    });
    return new TextIndex(data, this.#analyzer);
  }

  #assertOpen(): void {
    if (!this.#finished) return;
    throw new UsageError({
      where: 'text index builder',
      what: 'it was used after finish().',
      fix: 'Create a new builder for every index.',
    });
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
    this.#occurrences += 1;
  }

  #logDocument(): void {
    this.#postings += this.#found.length;
    if (this.#postings > 0xffff_ffff) throw tooManyPostings();
    this.#log.beginDocument(this.#found.length);
    const frequencies = this.#frequencies.array;
    const documentsWith = this.#documentsWith.array;
    for (const number of this.#found) {
      this.#log.write(number, frequencies[number] as number);
      frequencies[number] = 0;
      documentsWith[number] = (documentsWith[number] as number) + 1;
    }
    this.#found.length = 0;
  }
}

function assertParameters({ k1, b }: Bm25Parameters): void {
  const where = 'text index, BM25';
  if (!(k1 >= 0 && k1 < Number.POSITIVE_INFINITY))
    throw new UsageError({ where, what: `k1 is ${k1}.`, fix: 'Use a number of at least 0.' });
  if (!(b >= 0 && b <= 1))
    throw new UsageError({ where, what: `b is ${b}.`, fix: 'Use a number from 0 to 1.' });
}

/** An order must have every document once. */
function assertOrder(order: Uint32Array, documents: number): void {
  const seen = new Uint8Array(documents);
  for (const document of order) seen[document] = 1; // a number that is too high is not written
  if (order.length === documents && !seen.includes(0)) return;
  throw new UsageError({
    where: 'text index builder',
    what: `the order of ${order.length} numbers does not contain each of the ${documents} documents once.`,
    fix: `Pass the numbers from 0 to ${documents - 1}, each once.`,
  });
}

const tooManyPostings = (): RunError =>
  new RunError({
    where: 'text index',
    what: 'the documents have more than 2^32 postings.',
    fix: 'Index fewer documents, or split them over several indexes.',
  });
