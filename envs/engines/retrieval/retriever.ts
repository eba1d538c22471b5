import type { AskAgent } from '../../core/context.ts';
import type { Json } from '../../core/json.ts';

/** A document that a search found. */
export interface Hit {
  readonly id: string;
  readonly title: string;
  /** The whole text of a short document, or the passage that the engine returned. Without the title. */
  readonly text: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

/** A document as a reader sees it. */
export interface Page {
  readonly id: string;
  readonly title: string;
  /** The text in reading order, split for reading in several steps; at least one part. */
  readonly parts: readonly string[];
}

/** Why a search is made. Only simulated engines use it: they write documents for the purpose. */
export interface SearchPurpose {
  readonly question: string;
  readonly answers: readonly string[];
  /** The share of a training that is done, from 0 to 1; undefined outside a training. */
  readonly progress: number | undefined;
  /** Names this search: equal searches get equal documents. */
  readonly key: string;
  /** The language model of the agent that searches; undefined where it has none. */
  readonly askAgent?: AskAgent | undefined;
}

/**
 * A search engine over documents. Searches may run concurrently.
 *
 * All calls reject with the signal's reason when it aborts, and with a `FaultError` of kind `retriever-failed` when
 * the engine fails. A failure is never an empty result.
 */
export interface Retriever {
  /** What results depend on, without paths and addresses. It is part of the fingerprints of tasks. */
  readonly identity: Json;
  /**
   * The best documents for a query, best first, at most `limit`. Empty where no document matches.
   *
   * @param limit from 1
   */
  search(query: string, limit: number, signal: AbortSignal, purpose?: SearchPurpose): Promise<readonly Hit[]>;
  /** The document with that id, or undefined where there is none. */
  open(id: string, signal: AbortSignal): Promise<Page | undefined>;
  /** Releases files and connections. A second call does nothing. */
  close(): Promise<void>;
}

/** Queries are cut to this number of characters: time and memory grow with the number of words. */
export const longestQuery = 10_000;

/** The query that is searched for: one line, without surrounding blanks, at most {@link longestQuery} characters. */
export function plainQuery(query: string): string {
  const cut =
    query.length > longestQuery ? query.slice(0, longestQuery).replace(/[\uD800-\uDBFF]$/, '') : query;
  return cut.replaceAll(/\s+/g, ' ').trim();
}
