import { UsageError } from '../../core/errors.ts';
import type { Analyzer } from './analyzer.ts';
import type { TextIndexData } from './index-data.ts';
import { MaxScoreSearch } from './max-score.ts';
import { QueryReader, termsIn } from './query-reader.ts';
import { TopDocuments, type Hit } from './top-documents.ts';

/** The default number of results of a search, as in WebShop. */
export const defaultLimit = 50;

/** What searches need of an index. */
export interface SearchableIndex {
  /** The number of indexed documents. */
  readonly size: number;
  /** The documents that have at least one term of the query, best first, at most `limit`. */
  search(query: string, limit?: number): readonly Hit[];
}

/** Refuses a limit that is no whole number from 1. */
export function assertLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1) return;
  throw new UsageError({
    where: 'text search',
    what: `the limit is ${limit}.`,
    fix: 'Use a whole number of at least 1.',
  });
}

/**
 * Full text search by BM25 over documents that do not change. Ranks and scores are those of Lucene 8.11. Documents
 * with equal scores come in the order that the builder's `finish` got, or else in the order of indexing. Anserini,
 * for example, breaks ties by the document's id.
 */
export class TextIndex implements SearchableIndex {
  /** The index data. In a worker thread, the constructor makes an index from it that shares the memory. */
  readonly data: TextIndexData;
  readonly #reader: QueryReader;
  readonly #search: MaxScoreSearch;
  readonly #top = new TopDocuments();

  constructor(data: TextIndexData, analyzer: Analyzer) {
    if (data.analyzer !== analyzer.id) {
      throw new UsageError({
        where: 'text index',
        what: `its terms are from the analyzer ${data.analyzer}, but queries use ${analyzer.id}.`,
        fix: 'Pass the analyzer of the index, or index the documents again.',
      });
    }
    this.data = data;
    this.#reader = new QueryReader(termsIn(data), analyzer);
    this.#search = new MaxScoreSearch(data);
  }

  /** The number of indexed documents. */
  get size(): number {
    return this.data.lengths.length;
  }

  /**
   * The documents that have at least one term of the query, best first, at most `limit`. A repeated term of
   * the query counts as often as it occurs. The time grows with the number of distinct terms, so limit the
   * length of untrusted queries.
   */
  search(query: string, limit = defaultLimit): readonly Hit[] {
    assertLimit(limit);
    this.#top.begin(Math.min(limit, this.size));
    this.#search.run(this.#reader.read(query), this.#top);
    const { order } = this.data;
    const hits = this.#top.drain();
    if (order.length === 0) return hits;
    return hits.map(({ document, score }) => ({ document: order[document] as number, score }));
  }
}
