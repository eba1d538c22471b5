import type { StoredDocument } from './document.ts';
import type { Retriever } from './retriever.ts';

/** A document as it is stored, with its score. */
export type Found = readonly [document: StoredDocument, score: number];

/** A search engine that has its documents itself, so that it can be served to other programs. */
export interface StoredRetriever extends Retriever {
  /** The number of documents. */
  readonly size: number;
  /** Whether ids are addresses, where this is known. */
  readonly hasUrls?: boolean | undefined;
  /**
   * The best documents for each query, best first, at most `limit` each. Other work gets turns between them. Failures
   * are those of {@link Retriever.search}.
   */
  found(
    queries: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly Found[])[]>;
  /** The document with that number, from 0. */
  documentAt(number: number): StoredDocument;
  /** The document with that id, without a wait. */
  documentNow(id: string): StoredDocument | undefined;
}

export const isStoredRetriever = (retriever: Retriever): retriever is StoredRetriever =>
  'found' in retriever && 'documentNow' in retriever;
