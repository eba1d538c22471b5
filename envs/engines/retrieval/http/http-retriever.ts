import { z } from 'zod';
import type { Json } from '../../../core/json.ts';
import { retrieverFault } from '../retriever-fault.ts';
import { plainQuery, type Hit, type Page, type Retriever } from '../retriever.ts';
import { splitPage } from '../split-page.ts';
import { baseOf, JsonClient, requestLimits } from '../../json-client/json-client.ts';
import { accessSchema, hitsOf, pageTextOf, retrieveSchema } from './wire.ts';

/** The settings of a retrieval server. */
export const httpRetrieverSchema = z.strictObject({
  url: z.string().min(1).describe('address of the server, with or without /retrieve at its end'),
  ...requestLimits,
  access: z
    .enum(['server', 'hits'])
    .default('server')
    .describe('pages: asked by /access, or the texts of earlier hits, for servers without /access'),
  cached: z.int().min(0).max(1_000_000).default(10_000).describe('number of answers kept in memory'),
});
export type HttpRetrieverConfig = z.output<typeof httpRetrieverSchema>;

/** Hits whose texts are kept as pages. */
const mostHits = 100_000;

/**
 * A search engine behind `/retrieve` and `/access`, such as the servers of Search-R1 and ASearcher, or
 * `cairn-gym serve search`. Equal requests are asked once and then answered from memory.
 *
 * A server that is down, slow, or answers in another shape is a `FaultError` of kind `retriever-failed`.
 *
 * @param now monotonic milliseconds
 * @throws UsageError where the address is no HTTP address
 */
export function createHttpRetriever(config: HttpRetrieverConfig, now: () => number): Retriever {
  return new HttpRetriever(config, now);
}

class HttpRetriever implements Retriever {
  readonly identity: Json = { kind: 'http' };
  readonly #config: HttpRetrieverConfig;
  readonly #client: JsonClient;
  readonly #known = new Map<string, unknown>();
  /** Hits by id, where pages are texts of hits. */
  readonly #hits = new Map<string, Hit>();

  constructor(config: HttpRetrieverConfig, now: () => number) {
    this.#config = config;
    const base = baseOf(config.url, 'retrieval server', /\/(?:retrieve\/?)?$/);
    this.#client = new JsonClient(base, config, { now, faultOf: retrieverFault });
  }

  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly Hit[]> {
    const body = { queries: [plainQuery(query)], topk: limit, return_scores: true };
    return this.#cached('retrieve', body, async () => {
      const hits = hitsOf(await this.#client.post('retrieve', body, retrieveSchema, signal));
      if (hits === undefined)
        throw this.#client.shape('retrieve', 'a document has neither contents nor title and text');
      return hits.slice(0, limit);
    }).then((hits) => {
      if (this.#config.access === 'hits') for (const hit of hits) keep(this.#hits, hit.id, hit, mostHits);
      return hits;
    });
  }

  async open(id: string, signal: AbortSignal): Promise<Page | undefined> {
    if (this.#config.access === 'hits') {
      signal.throwIfAborted();
      const hit = this.#hits.get(id);
      return hit && { id, title: hit.title, parts: splitPage(hit.text) };
    }
    const body = { urls: [id] };
    return this.#cached('access', body, async () => {
      const {
        result: [page],
      } = await this.#client.post('access', body, accessSchema, signal);
      if (page === null) return undefined;
      const read = pageTextOf(page);
      if (read === undefined) throw this.#client.shape('access', 'the page has no contents');
      return { id, title: read.title ?? id, parts: splitPage(read.text) };
    });
  }

  async close(): Promise<void> {
    this.#known.clear();
    this.#hits.clear();
    await this.#client.close();
  }

  /** The answer that is known for the request, or the new one. Failures are not kept. */
  async #cached<Answer>(path: string, body: object, ask: () => Promise<Answer>): Promise<Answer> {
    const key = `${path} ${JSON.stringify(body)}`;
    const answer = this.#known.has(key) ? (this.#known.get(key) as Answer) : await ask();
    keep(this.#known, key, answer, this.#config.cached);
    return answer;
  }
}

/** Keeps a value as the newest of at most `most`. */
function keep<Value>(values: Map<string, Value>, key: string, value: Value, most: number): void {
  values.delete(key);
  values.set(key, value);
  for (const oldest of values.keys()) {
    if (values.size <= most) return;
    values.delete(oldest);
  }
}
