import type { Agent, Dispatcher, request } from 'undici';
import { z } from 'zod';
import {
  codeOf,
  messageOf,
  UsageError,
  type FaultError,
  type RetrieverFaultCode,
} from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { openDeadline, Semaphore, sleep } from '../../core/waiting.ts';
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

/** Why a request brought no answer. */
export interface RequestFailure {
  readonly code: RetrieverFaultCode;
  /** Begins with the address. */
  readonly message: string;
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** A failure on its way to the retries. */
class Failed extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface JsonClientOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fault of a server that is down, slow, or answers in another shape. */
  readonly faultOf: (failure: RequestFailure) => FaultError;
}

/** The connections to a server, and the function that sends a request over them. */
interface Connections {
  readonly agent: Agent;
  readonly request: typeof request;
}

/** Asks a server in JSON, within limits. Its failures are the faults that its owner makes of them. */
export class JsonClient {
  readonly #base: string;
  readonly #limits: RequestLimits;
  #opened: Promise<Connections> | undefined;
  #isClosed = false;
  readonly #permits: Semaphore;
  readonly #pace: Pace;
  readonly #options: JsonClientOptions;

  /** @param base address without a slash at its end */
  constructor(base: string, limits: RequestLimits, options: JsonClientOptions) {
    this.#base = base;
    this.#limits = limits;
    this.#permits = new Semaphore(limits.concurrency);
    this.#pace = new Pace(limits.perSecond, options.now);
    this.#options = options;
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
    const message = `${this.#base}: the answer of /${path} has another shape: ${why}`;
    return this.#options.faultOf({ code: 'shape', message, retryable: false });
  }

  /** Closes the connections. Requests in progress fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#opened)?.agent.destroy();
  }

  async #open(): Promise<Connections> {
    // loaded on demand: a process that asks no server starts faster without it
    const undici = await import('undici');
    const { concurrency, timeoutMs } = this.#limits;
    const agent = new undici.Agent({ connections: concurrency, connect: { timeout: timeoutMs } });
    if (this.#isClosed) await agent.destroy();
    return { agent, request: undici.request };
  }

  /** The text of the answer, after as many tries as allowed. */
  async #tried(path: string, body: string, signal: AbortSignal): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      await this.#pace.turn(signal);
      try {
        return await this.#once(path, body, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof Failed)) throw thrown;
        const { failure } = thrown;
        if (!failure.retryable || attempt === this.#limits.retries) throw this.#options.faultOf(failure);
        await sleep(firstPauseMs * 2 ** attempt, signal);
      }
    }
  }

  async #once(path: string, body: string, signal: AbortSignal): Promise<string> {
    const { timeoutMs } = this.#limits;
    const connections = await (this.#opened ??= this.#open());
    using deadline = openDeadline(signal, { where: this.#base, ms: timeoutMs });
    let answer: Dispatcher.ResponseData;
    try {
      answer = await connections.request(`${this.#base}/${path}`, {
        method: 'POST',
        body,
        headers: { ...this.#options.headers, 'content-type': 'application/json' },
        dispatcher: connections.agent,
        signal: deadline.signal,
        headersTimeout: 0, // the deadline covers the whole exchange
        bodyTimeout: 0,
      });
      const text = await textOf(answer);
      if (text === undefined)
        throw this.#failed('too-large', `the answer has more than ${longestAnswer} bytes`, false);
      if (answer.statusCode === 200) return text;
      const retryable = answer.statusCode >= 500 || answer.statusCode === 429 || answer.statusCode === 408;
      throw this.#failed(
        'status',
        `/${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`,
        retryable,
      );
    } catch (thrown) {
      signal.throwIfAborted();
      if (deadline.signal.aborted)
        throw this.#failed('late', `/${path} did not answer within ${timeoutMs} ms`, true);
      if (thrown instanceof Failed) throw thrown;
      const code = codeOf(thrown);
      const why = code === undefined ? messageOf(thrown) : `${code}: ${messageOf(thrown)}`;
      throw this.#failed('unreachable', why, true, thrown);
    }
  }

  #failed(code: RetrieverFaultCode, why: string, retryable: boolean, cause?: unknown): Failed {
    return new Failed({ code, message: `${this.#base}: ${why}`, retryable, cause });
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
