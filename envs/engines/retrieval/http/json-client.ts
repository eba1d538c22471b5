import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { codeOf, FaultError, messageOf, UsageError, type RetrieverFaultCode } from '../../../core/errors.ts';
import { describeIssues } from '../../../core/issues.ts';
import { openDeadline, Semaphore, sleep } from '../../../core/waiting.ts';
import { Pace } from './pace.ts';

/** Limits of the requests to a server. */
export const requestLimits = {
  timeoutMs: z
    .int()
    .min(1)
    .max(600_000)
    .default(20_000)
    .describe('milliseconds after which a request is given up'),
  retries: z.int().min(0).max(20).default(2).describe('number of tries after the first one that failed'),
  concurrency: z.int().min(1).max(1_024).default(64).describe('number of requests at once'),
  perSecond: z.number().positive().max(100_000).optional().describe('most requests a second; default: any'),
};
const limitsSchema = z.strictObject(requestLimits);
export type RequestLimits = z.output<typeof limitsSchema>;

/** Bytes of an answer, at most. */
const longestAnswer = 64 * 2 ** 20;
const firstPauseMs = 200;

/**
 * Asks a server in JSON, within limits. A server that is down, slow, or answers in another shape is a `FaultError` of
 * kind `retriever-failed`.
 */
export class JsonClient {
  readonly #base: string;
  readonly #limits: RequestLimits;
  readonly #agent: Agent;
  readonly #permits: Semaphore;
  readonly #pace: Pace;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param base address without a slash at its end
   * @param now monotonic milliseconds
   */
  constructor(
    base: string,
    limits: RequestLimits,
    options: { readonly now: () => number; readonly headers?: Readonly<Record<string, string>> },
  ) {
    this.#base = base;
    this.#limits = limits;
    this.#agent = new Agent({ connections: limits.concurrency, connect: { timeout: limits.timeoutMs } });
    this.#permits = new Semaphore(limits.concurrency);
    this.#pace = new Pace(limits.perSecond, options.now);
    this.#headers = options.headers ?? {};
  }

  /** Posts a body and reads the answer with a schema. Rejects with the signal's reason when it aborts. */
  async post<Answer>(
    path: string,
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
      throw this.shape(path, `it is no JSON: ${text.slice(0, 200)}`);
    }
    const read = schema.safeParse(answer);
    if (!read.success) throw this.shape(path, describeIssues(read.error));
    return read.data;
  }

  /** The fault of an answer that cannot be used. */
  shape(path: string, why: string): FaultError {
    return this.#fault('shape', `the answer of /${path} has another shape: ${why}`, false);
  }

  /** Closes the connections. Requests in progress fail. */
  async close(): Promise<void> {
    await this.#agent.destroy();
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
        if (fault.kind !== 'retriever-failed' || !fault.retryable || attempt === this.#limits.retries)
          throw thrown;
        await sleep(firstPauseMs * 2 ** attempt, signal);
      }
    }
  }

  async #once(path: string, body: string, signal: AbortSignal): Promise<string> {
    const { timeoutMs } = this.#limits;
    using deadline = openDeadline(signal, { where: this.#base, ms: timeoutMs });
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(`${this.#base}/${path}`, {
        method: 'POST',
        body,
        headers: { ...this.#headers, 'content-type': 'application/json' },
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

  #fault(code: RetrieverFaultCode, message: string, retryable: boolean, cause?: unknown): FaultError {
    return new FaultError(
      { kind: 'retriever-failed', code, message: `${this.#base}: ${message}`, retryable },
      { cause },
    );
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

/**
 * The address of a server without its last part.
 *
 * @param what the server in words, for errors
 * @param last ends of the path that are left out
 * @throws UsageError where it is no HTTP address
 */
export function baseOf(url: string, what: string, last: RegExp): string {
  const refusal = (flaw: string): UsageError =>
    new UsageError({
      where: what,
      what: `${JSON.stringify(url)} ${flaw}.`,
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
  return `${parsed.origin}${parsed.pathname.replace(last, '')}`;
}
