import type { Json } from '../../../core/json.ts';
import { hitOf, pageOf, type StoredDocument } from '../document.ts';
import type { IndexRetriever } from '../index-retriever.ts';
import { plainQuery, type Hit, type Page } from '../retriever.ts';
import type { Found, StoredRetriever } from '../stored-retriever.ts';
import type { DenseConfig, Embedder } from './embedder.ts';
import { fuseRankings } from './fuse.ts';
import type { VectorTable } from './vector-table.ts';

/** Vectors of the documents of an index, beside its BM25. */
export class DenseRetriever implements StoredRetriever {
  readonly identity: Json;
  readonly #base: IndexRetriever;
  readonly #table: VectorTable;
  readonly #embedder: Embedder;
  readonly #config: Pick<DenseConfig, 'ranking' | 'depth'>;

  /** @param of.vectors whether the vectors are those of the corpus, or made by the embedder */
  constructor(
    base: IndexRetriever,
    of: {
      readonly table: VectorTable;
      readonly vectors: 'given' | 'made';
      readonly embedder: Embedder;
      readonly config: Pick<DenseConfig, 'ranking' | 'depth'>;
    },
  ) {
    const { table, vectors, embedder, config } = of;
    this.#base = base;
    this.#table = table;
    this.#embedder = embedder;
    this.#config = config;
    embedder.expect(table.dimensions);
    this.identity = {
      kind: 'dense',
      documents: base.identity,
      vectors: vectors === 'given' ? 'given' : embedder.documentIdentity,
      queries: embedder.queryIdentity,
      ranking: config.ranking,
      ...(config.ranking === 'fused' ? { depth: config.depth } : {}),
    };
  }

  get size(): number {
    return this.#base.size;
  }

  get hasUrls(): boolean | undefined {
    return this.#base.hasUrls;
  }

  async found(
    queries: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly Found[])[]> {
    const plain = queries.map(plainQuery);
    const asked = [...new Set(plain.filter((query) => query !== ''))];
    const vectors = await this.#embedder.queries(asked, signal);
    const rankings = new Map<string, readonly Found[]>();
    for (const [at, query] of asked.entries())
      rankings.set(query, await this.#ranked(query, { vector: vectors[at] as Float32Array, limit, signal }));
    return plain.map((query) => rankings.get(query) ?? []);
  }

  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly Hit[]> {
    const [found = []] = await this.found([query], limit, signal);
    return found.map(([document, score]) => hitOf(document, score));
  }

  async open(id: string, signal: AbortSignal): Promise<Page | undefined> {
    signal.throwIfAborted();
    const document = this.documentNow(id);
    return document && pageOf(document);
  }

  documentAt(number: number): StoredDocument {
    return this.#base.documentAt(number);
  }

  documentNow(id: string): StoredDocument | undefined {
    return this.#base.documentNow(id);
  }

  async close(): Promise<void> {
    await this.#embedder.close();
    await this.#base.close();
  }

  async #ranked(
    query: string,
    of: { readonly vector: Float32Array; readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly Found[]> {
    const { ranking, depth } = this.#config;
    const reach = Math.max(of.limit, ranking === 'fused' ? depth : 0);
    const dense = await this.#table.best(of.vector, reach, of.signal);
    const best =
      ranking === 'dense' ? dense : fuseRankings([this.#base.rankedNow(query, reach), dense], of.limit);
    return best.map(({ document, score }) => [this.#base.documentAt(document), score]);
  }
}
