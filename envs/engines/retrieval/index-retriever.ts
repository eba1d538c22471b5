import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '../../core/json.ts';
import type { SearchableIndex } from '../text-search/text-index.ts';
import type { Hit as Ranked } from '../text-search/top-documents.ts';
import { hitOf, pageOf, type StoredDocument } from './document.ts';
import { plainQuery, type Hit, type Page } from './retriever.ts';
import type { Found, StoredRetriever } from './stored-retriever.ts';

/** The parts of a retriever over our own index. Documents are numbered as they were indexed. */
export interface IndexParts {
  readonly identity: Json;
  readonly index: SearchableIndex;
  readonly read: (number: number) => StoredDocument;
  /** The number of the document with that id. */
  readonly find: (id: string) => number | undefined;
  /** Whether ids are addresses, where this is known. */
  readonly hasUrls?: boolean;
  readonly close?: () => void;
}

/** A retriever over an index in memory or on disk, by BM25. Every call is also available without a wait. */
export class IndexRetriever implements StoredRetriever {
  readonly #parts: IndexParts;

  constructor(parts: IndexParts) {
    this.#parts = parts;
  }

  get identity(): Json {
    return this.#parts.identity;
  }

  get size(): number {
    return this.#parts.index.size;
  }

  get hasUrls(): boolean | undefined {
    return this.#parts.hasUrls;
  }

  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly Hit[]> {
    signal.throwIfAborted();
    return this.searchNow(query, limit);
  }

  async found(
    queries: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly Found[])[]> {
    const all: (readonly Found[])[] = [];
    for (const query of queries) {
      signal.throwIfAborted();
      all.push(this.foundNow(query, limit));
      await nextTurn();
    }
    return all;
  }

  async open(id: string, signal: AbortSignal): Promise<Page | undefined> {
    signal.throwIfAborted();
    const document = this.documentNow(id);
    return document && pageOf(document);
  }

  async close(): Promise<void> {
    this.#parts.close?.();
  }

  searchNow(query: string, limit: number): readonly Hit[] {
    return this.foundNow(query, limit).map(([document, score]) => hitOf(document, score));
  }

  /** The documents as they are stored, with their scores. */
  foundNow(query: string, limit: number): readonly Found[] {
    return this.rankedNow(query, limit).map(({ document, score }) => [this.documentAt(document), score]);
  }

  /** The numbers of the best documents, with their scores. */
  rankedNow(query: string, limit: number): readonly Ranked[] {
    return this.#parts.index.search(plainQuery(query), limit);
  }

  /** The document with that number, from 0. */
  documentAt(number: number): StoredDocument {
    return this.#parts.read(number);
  }

  documentNow(id: string): StoredDocument | undefined {
    const number = this.#parts.find(id);
    return number === undefined ? undefined : this.#parts.read(number);
  }
}
