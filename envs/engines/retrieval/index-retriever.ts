import type { Json } from '../../core/json.ts';
import type { TextIndex } from '../text-search/text-index.ts';
import { hitOf, pageOf, type StoredDocument } from './document.ts';
import { plainQuery, type Hit, type Page, type Retriever } from './retriever.ts';

/** The parts of a retriever over our own index. Documents are numbered as they were indexed. */
export interface IndexParts {
  readonly identity: Json;
  readonly index: TextIndex;
  readonly read: (number: number) => StoredDocument;
  /** The number of the document with that id. */
  readonly find: (id: string) => number | undefined;
  readonly close?: () => void;
}

/** A retriever over an index in memory, by BM25. Every call is also available without a wait. */
export class IndexRetriever implements Retriever {
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

  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly Hit[]> {
    signal.throwIfAborted();
    return this.searchNow(query, limit);
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
  foundNow(query: string, limit: number): readonly (readonly [document: StoredDocument, score: number])[] {
    const { index, read } = this.#parts;
    return index.search(plainQuery(query), limit).map(({ document, score }) => [read(document), score]);
  }

  documentNow(id: string): StoredDocument | undefined {
    const number = this.#parts.find(id);
    return number === undefined ? undefined : this.#parts.read(number);
  }
}
