import { RunError, UsageError } from '../../core/errors.ts';
import type { Analyzer } from './analyzer.ts';
import { anseriniParameters, type Bm25Parameters } from './bm25.ts';
import { englishAnalyzer } from './english-analyzer.ts';
import { Grower } from './grower.ts';
import { invert } from './invert.ts';
import { encodeLength } from './length-code.ts';
import { TermLog } from './term-log.ts';
import { TextIndex } from './text-index.ts';

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
  readonly #log: TermLog;
  readonly #lengths = new Grower(Uint8Array);
  #occurrences = 0;
  #documentsWithTerms = 0;
  #finished = false;

  constructor(options: TextIndexOptions = {}) {
    this.#analyzer = options.analyzer ?? englishAnalyzer;
    this.#parameters = options.parameters ?? anseriniParameters;
    assertParameters(this.#parameters);
    this.#log = new TermLog(this.#analyzer);
  }

  /** Indexes the next document. */
  add(text: string): void {
    this.#assertOpen();
    const length = this.#log.add(text);
    if (this.#log.postings > 0xffff_ffff) throw tooManyPostings();
    this.#occurrences += length;
    this.#lengths.push(encodeLength(length));
    if (length > 0) this.#documentsWithTerms += 1;
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
      terms: this.#log.terms,
      documentsWith: this.#log.documentsWith,
      log: this.#log.postingLog,
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
}

export function assertParameters({ k1, b }: Bm25Parameters): void {
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
