import { UsageError } from '../../core/errors.ts';
import type { Analyzer } from './analyzer.ts';
import type { TextIndexData } from './index-data.ts';
import { MaxScoreSearch } from './max-score.ts';
import { QueryReader } from './query-reader.ts';
import { TopDocuments, type Hit } from './top-documents.ts';

/** How many documents a search finds unless told otherwise, as in WebShop. */
export const defaultLimit = 50;

/**
 * Full text search by BM25 over documents that do not change: ranks and scores are those of Lucene 8.11. Documents of equal score
 * come in the order that `finish` of the builder was given. Without one they come as they were indexed.
 */
export class TextIndex {
  /** What was indexed. Given to the constructor in a worker thread, it makes an index there that shares the memory. */
  readonly data: TextIndexData;
  readonly #reader: QueryReader;
  readonly #search: MaxScoreSearch;
  readonly #top = new TopDocuments();

  constructor(data: TextIndexData, analyzer: Analyzer) {
    if (data.analyzer !== analyzer.id) {
      throw new UsageError({
        where: 'text index',
        what: `its terms were made by the analyzer ${data.analyzer}, and queries would be analyzed by ${analyzer.id}.`,
        fix: 'Give the analyzer that it was made with, or index the documents anew.',
      });
    }
    this.data = data;
    this.#reader = new QueryReader(data, analyzer);
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
      throw new UsageError({
        where: 'text search',
        what: `the limit is ${limit}.`,
        fix: 'Give a whole number from 1 up.',
      });
    }
    this.#top.begin(Math.min(limit, this.size));
    this.#search.run(this.#reader.read(query), this.#top);
    const { order } = this.data;
    const hits = this.#top.drain();
    if (order.length === 0) return hits;
    return hits.map(({ document, score }) => ({ document: order[document] as number, score }));
  }
}
