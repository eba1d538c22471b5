import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { codeOf, FaultError, messageOf, UsageError, type RetrieverFaultCode } from '../../../core/errors.ts';
import { describeIssues } from '../../../core/issues.ts';
import type { Json } from '../../../core/json.ts';
import { openDeadline, Semaphore, sleep } from '../../../core/waiting.ts';
import { plainQuery, type Hit, type Page, type Retriever } from '../retriever.ts';
import { splitPage } from '../split-page.ts';
import { Pace } from './pace.ts';
import { accessSchema, hitsOf, pageTextOf, retrieveSchema } from './wire.ts';

/** The settings of a retrieval server. */
export const httpRetrieverSchema = z.strictObject({
  url: z.string().min(1).describe('address of the server, with or without /retrieve at its end'),
  timeoutMs: z
    .int()
    .min(1)
    .max(600_000)
    .default(20_000)
    .describe('milliseconds after which a request is given up'),
  retries: z.int().min(0).max(20).default(2).describe('number of tries after the first one that failed'),
  concurrency: z.int().min(1).max(1_024).default(64).describe('number of requests at once'),
  perSecond: z.number().positive().max(100_000).optional().describe('most requests a second; default: any'),
  access: z
    .enum(['server', 'hits'])
    .default('server')
    .describe('pages: asked by /access, or the texts of earlier hits, for servers without /access'),
  cached: z.int().min(0).max(1_000_000).default(10_000).describe('number of answers kept in memory'),
});
export type HttpRetrieverConfig = z.output<typeof httpRetrieverSchema>;

/** Bytes of an answer, at most. */
const longestAnswer = 64 * 2 ** 20;
const firstPauseMs = 200;
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
  readonly #base: string;
  readonly #config: HttpRetrieverConfig;
  readonly #agent: Agent;
  readonly #permits: Semaphore;
  readonly #pace: Pace;
  readonly #known = new Map<string, unknown>();
  /** Hits by id, where pages are texts of hits. */
  readonly #hits = new Map<string, Hit>();

  constructor(config: HttpRetrieverConfig, now: () => number) {
    this.#base = baseOf(config.url);
    this.#config = config;
    this.#agent = new Agent({ connections: config.concurrency, connect: { timeout: config.timeoutMs } });
    this.#permits = new Semaphore(config.concurrency);
    this.#pace = new Pace(config.perSecond, now);
  }

  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly Hit[]> {
    const body = { queries: [plainQuery(query)], topk: limit, return_scores: true };
    return this.#cached('retrieve', body, async () => {
      const hits = hitsOf(await this.#ask('retrieve', body, retrieveSchema, signal));
      if (hits === undefined)
        throw this.#shape('retrieve', 'a document has neither contents nor title and text');
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
      } = await this.#ask('access', body, accessSchema, signal);
      if (page === null) return undefined;
      const read = pageTextOf(page);
      if (read === undefined) throw this.#shape('access', 'the page has no contents');
      return { id, title: read.title ?? id, parts: splitPage(read.text) };
    });
  }

  async close(): Promise<void> {
    this.#known.clear();
    this.#hits.clear();
    await this.#agent.destroy();
  }

  /** The answer that is known for the request, or the new one. Failures are not kept. */
  async #cached<Answer>(path: string, body: object, ask: () => Promise<Answer>): Promise<Answer> {
    const key = `${path} ${JSON.stringify(body)}`;
    const answer = this.#known.has(key) ? (this.#known.get(key) as Answer) : await ask();
    keep(this.#known, key, answer, this.#config.cached);
    return answer;
  }

  async #ask<Answer>(
    path: 'retrieve' | 'access',
    body: object,
    schema: z.ZodType<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    using _permit = await this.#permits.enter(signal);
    const text = await this.#tried(path, JSON.stringify(body), signal);
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw this.#shape(path, `it is no JSON: ${text.slice(0, 200)}`);
    }
    const read = schema.safeParse(answer);
    if (!read.success) throw this.#shape(path, describeIssues(read.error));
    return read.data;
  }

  /** The text of the answer, after as many tries as allowed. */
  async #tried(path: string, body: string, signal: AbortSignal): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      await this.#pace.turn(signal);
      try {
        return await this.#once(path, body, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        if (!FaultError.is(thrown)) throw thrown;
        const { fault } = thrown;
        if (fault.kind !== 'retriever-failed' || !fault.retryable || attempt === this.#config.retries)
          throw thrown;
        await sleep(firstPauseMs * 2 ** attempt, signal);
      }
    }
  }

  async #once(path: string, body: string, signal: AbortSignal): Promise<string> {
    const { timeoutMs } = this.#config;
    using deadline = openDeadline(signal, { where: this.#base, ms: timeoutMs });
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(`${this.#base}/${path}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        dispatcher: this.#agent,
        signal: deadline.signal,
        headersTimeout: 0, // the deadline covers the whole exchange
        bodyTimeout: 0,
      });
      const text = await textOf(answer);
      if (text === undefined)
        throw this.#fault('too-large', `the answer has more than ${longestAnswer} bytes`, false);
      if (answer.statusCode === 200) return text;
      const retryable = answer.statusCode >= 500 || answer.statusCode === 429 || answer.statusCode === 408;
      throw this.#fault('status', `/${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`, retryable);
    } catch (thrown) {
      signal.throwIfAborted();
      if (deadline.signal.aborted)
        throw this.#fault('late', `/${path} did not answer within ${timeoutMs} ms`, true);
      if (FaultError.is(thrown) && thrown.fault.kind === 'retriever-failed') throw thrown;
      const code = codeOf(thrown);
      const why = code === undefined ? messageOf(thrown) : `${code}: ${messageOf(thrown)}`;
      throw this.#fault('unreachable', why, true, thrown);
    }
  }

  #shape(path: string, why: string): FaultError {
    return this.#fault('shape', `the answer of /${path} has another shape: ${why}`, false);
  }

  #fault(code: RetrieverFaultCode, message: string, retryable: boolean, cause?: unknown): FaultError {
    return new FaultError(
      { kind: 'retriever-failed', code, message: `${this.#base}: ${message}`, retryable },
      { cause },
    );
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

/** The text of an answer; undefined where it is too long. */
async function textOf({ body }: Dispatcher.ResponseData): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestAnswer) {
      body.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function baseOf(url: string): string {
  const refusal = (what: string): UsageError =>
    new UsageError({
      where: 'retrieval server',
      what: `${JSON.stringify(url)} ${what}.`,
      fix: 'Give an address such as http://127.0.0.1:8000.',
    });
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw refusal('is no address');
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw refusal('is no HTTP address');
  if (parsed.search !== '' || parsed.hash !== '') throw refusal('has a query or a fragment');
  return `${parsed.origin}${parsed.pathname.replace(/\/(?:retrieve\/?)?$/, '')}`;
}
