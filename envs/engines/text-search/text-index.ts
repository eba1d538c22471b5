import { UsageError } from '../../core/errors.ts';
import type { Analyzer } from './analyzer.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import type { TextIndexData } from './index-data.ts';
import { MaxScoreSearch, type WeightedTerms } from './max-score.ts';
import { findTerm } from './term-dictionary.ts';
import { TopDocuments, type Hit } from './top-documents.ts';

/** How many documents a search finds unless told otherwise, as in WebShop. */
export const defaultLimit = 50;

/** Tokens of queries that are remembered, at most. */
const cacheSize = 4096;
/** V8 cuts a longer token out of its text by pointing into it: to remember it would keep the whole query. */
const longestCached = 12;

/**
 * Full text search by BM25 over documents that do not change: ranks and scores are those of Lucene 8.11. Of equal scores the
 * document that was indexed first comes first, so who wants ties by another order (Anserini breaks them by the document's id)
 * indexes the documents in that order.
 */
export class TextIndex {
  /** What was indexed. Given to the constructor in a worker thread, it makes an index there that shares the memory. */
  readonly data: TextIndexData;
  readonly #analyzer: Analyzer;
  readonly #search: MaxScoreSearch;
  readonly #top = new TopDocuments();
  /** The tokens of late queries. */
  readonly #numbers = new Map<string, number | undefined>();

  constructor(data: TextIndexData, analyzer: Analyzer) {
    if (data.analyzer !== analyzer.id) {
      throw new UsageError({
        where: 'text index',
        what: `its terms were made by the analyzer ${data.analyzer}, and queries would be analyzed by ${analyzer.id}.`,
        mend: 'Give the analyzer that it was made with, or index the documents anew.',
      });
    }
    this.data = data;
    this.#analyzer = analyzer;
    this.#search = new MaxScoreSearch(data);
  }

  /** How many documents were indexed. */
  get size(): number {
    return this.data.lengths.length;
  }

  /**
   * The documents that have at least one term of the query, the best first, at most `limit`. A term that stands in the query
   * several times counts as often. The time grows with the number of different terms: whoever takes queries from strangers
   * bounds their length.
   */
  search(query: string, limit = defaultLimit): readonly Hit[] {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new UsageError({ where: 'text search', what: `the limit is ${limit}.`, mend: 'Give a whole number from 1 up.' });
    }
    this.#top.begin(Math.min(limit, this.size));
    this.#search.run(this.#weigh(query), this.#top);
    return this.#top.drain();
  }

  #weigh(query: string): WeightedTerms {
    const counts = new Map<number, number>();
    this.#analyzer.split(query, (start, end) => {
      const number = this.#numberOf(query.slice(start, end));
      if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
    });
    const numbers = [...counts.keys()].toSorted((a, b) => a - b);
    return { numbers, weights: numbers.map((number) => Math.fround((counts.get(number) ?? 0) * this.#rarity(number))) };
  }

  /** The number of a token's term, or undefined where no document has it. */
  #numberOf(token: string): number | undefined {
    if (this.#numbers.has(token)) return this.#numbers.get(token);
    const term = this.#analyzer.termOf(token);
    const number = term === '' ? undefined : findTerm(this.data.terms, term);
    if (token.length <= longestCached) {
      if (this.#numbers.size >= cacheSize) this.#numbers.clear();
      this.#numbers.set(token, number);
    }
    return number;
  }

  #rarity(number: number): number {
    const { starts, documentsWithTerms } = this.data;
    return inverseDocumentFrequency((starts[number + 1] as number) - (starts[number] as number), documentsWithTerms);
  }
}
