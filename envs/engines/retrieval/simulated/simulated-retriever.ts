import { createRng } from '../../../core/rng.ts';
import type { Json } from '../../../core/json.ts';
import type { Hit, Page, Retriever, SearchPurpose } from '../retriever.ts';
import { splitPage } from '../split-page.ts';
import { noiseAt, type Noise } from './noise.ts';

/** What writes the documents of a simulated search. */
export interface DocumentSource {
  /** What results depend on. */
  readonly identity: Json;
  /** Documents for a query: useful ones, or noise that resembles them. */
  documents(
    query: string,
    options: {
      readonly limit: number;
      readonly isNoisy: boolean;
      readonly purpose: SearchPurpose | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<readonly Hit[]>;
  open?(id: string, signal: AbortSignal): Promise<Page | undefined>;
  close(): Promise<void>;
}

/** Documents whose texts are kept as pages. */
const mostKept = 10_000;

/**
 * A search engine whose documents are useful or noise, by chance (ZeroSearch, arXiv:2505.04588). The chance grows over
 * a training. The draw depends on the seed, the question and the query, so equal searches of a group see equal documents.
 */
export class SimulatedRetriever implements Retriever {
  readonly identity: Json;
  readonly #source: DocumentSource;
  readonly #noise: Noise;
  readonly #seed: number;
  readonly #pages = new Map<string, Hit>();

  constructor(source: DocumentSource, options: { readonly noise: Noise; readonly seed: number }) {
    const { noise, seed } = options;
    this.#source = source;
    this.#noise = noise;
    this.#seed = seed;
    this.identity = { kind: 'simulated', source: source.identity, noise: { ...noise }, seed };
  }

  async search(
    query: string,
    limit: number,
    signal: AbortSignal,
    purpose?: SearchPurpose,
  ): Promise<readonly Hit[]> {
    signal.throwIfAborted();
    const chance = noiseAt(this.#noise, purpose?.progress ?? 1);
    const draw = createRng(this.#seed)
      .fork(`${purpose?.key ?? ''}\n${query}`)
      .uniform();
    const hits = await this.#source.documents(query, { limit, isNoisy: draw < chance, purpose, signal });
    for (const hit of hits) {
      this.#pages.delete(hit.id);
      this.#pages.set(hit.id, hit);
    }
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostKept) break;
      this.#pages.delete(oldest);
    }
    return hits;
  }

  async open(id: string, signal: AbortSignal): Promise<Page | undefined> {
    signal.throwIfAborted();
    const page = await this.#source.open?.(id, signal);
    if (page !== undefined) return page;
    const hit = this.#pages.get(id);
    return hit && { id, title: hit.title, parts: splitPage(hit.text) };
  }

  async close(): Promise<void> {
    this.#pages.clear();
    await this.#source.close();
  }
}
