import type { Pool } from 'undici';
import type { Context } from '../../envs/core/context.ts';
import { FaultError, RunError, UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import { openDeadline, Semaphore, sleep } from '../../envs/core/waiting.ts';
import { backoffMs } from './backoff.ts';
import type { Retry, ServerOptions } from './client-options.ts';
import { durationWords } from './duration-words.ts';
import { exchange } from './exchange.ts';
import {
  judge,
  type AnswerReader,
  type PromptTooLong,
  type UsableAnswer,
  type AnswerVerdict,
} from './judge.ts';
import { requestHeaders } from './request.ts';
import { listModels } from './list-models.ts';
import type { ProblemHandling, ServerProblem } from './problem.ts';

/** A request to a server, and how to read its answer. */
export interface ServerQuestion<Result> {
  readonly path: string;
  /** JSON; undefined for `GET`. */
  readonly body: string | undefined;
  readonly reading: AnswerReader<Result>;
}

/** The context of one request. `rng` spreads the waits between attempts. */
export type RequestContext = Pick<Context, 'now' | 'rng' | 'signal'>;

/**
 * Connects on the first request. `serves` describes what the server should provide, such as `chat
 * completions`.
 */
export async function openRemoteServer(options: ServerOptions, serves: string): Promise<RemoteServer> {
  // loaded on demand: runs without a server do not need it
  const { Pool: PoolOfConnections } = await import('undici');
  const { limits, endpoint } = options;
  const pool = new PoolOfConnections(endpoint.origin, {
    connections: limits.connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: { timeout: Math.min(limits.connectMs, limits.requestMs) },
  });
  return new RemoteServer(options, serves, pool);
}

const tryIn = (pause: string): string =>
  `Try again in ${pause}, with --keep FOLDER to keep finished episodes and resume with the same command, or raise --request-timeout: all attempts together may take five times as long.`;

/** Limits how often a busy server is reported. */
const retryNewsMs = 30_000;

/** A client with limits: concurrency, retries where they may help, and a deadline for everything. */
export class RemoteServer implements AsyncDisposable {
  readonly #options: ServerOptions;
  readonly #serves: string;
  readonly #pool: Pool;
  readonly #connections: Semaphore;
  /** Names the server and its model in errors. */
  readonly where: string;
  /** True after the first usable answer. */
  #hasWorked = false;
  /** Consecutive requests that failed after all attempts. */
  #lostInARow = 0;
  /** The server asked for no requests before this time on the context's clock. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** The server's message with that request. */
  #pausedWhy = '';
  /** When a retry was last reported, on the context's clock. */
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServerOptions, serves: string, pool: Pool) {
    this.#options = options;
    this.#serves = serves;
    this.#pool = pool;
    this.#connections = new Semaphore(options.limits.connections);
    this.where = `${options.model} at ${options.endpoint.host}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }

  /**
   * Asks the server.
   * @throws UsageError before the first usable answer, for what only the user can fix, such as a wrong key or
   * model
   * @throws RunError if the server never gave a usable answer, or gives none any more
   * @throws FaultError of kind `sampler-failed` if this request failed after all attempts
   */
  async ask<Result>(
    question: ServerQuestion<Result>,
    { now, rng, signal }: RequestContext,
  ): Promise<UsableAnswer<Result> | PromptTooLong> {
    using _place = await this.#connections.enter(signal);
    const { totalMs } = this.#options.limits;
    using total = openDeadline(signal, { where: this.where, ms: totalMs });
    const lastWhy = { text: 'nothing came' };
    try {
      return await this.#askInTime(question, {
        now,
        rng,
        signal: total.signal,
        endsAt: now() + totalMs,
        lastWhy,
      });
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown !== total.signal.reason) throw thrown;
      throw this.#lost(`no usable answer within ${totalMs} ms; the last problem: ${lastWhy.text}`);
    }
  }

  /** The names of the models that the server lists, unchanged; empty if it lists none. */
  models(signal: AbortSignal): Promise<readonly string[]> {
    const { endpoint, key } = this.#options;
    return listModels(this.#pool, { path: endpoint.modelsPath, headers: requestHeaders(key) }, signal);
  }

  /** The text without secrets. */
  redact(text: string): string {
    return this.#options.key?.redact(text) ?? text;
  }

  async #askInTime<Result>(
    question: ServerQuestion<Result>,
    context: Attempting,
  ): Promise<UsableAnswer<Result> | PromptTooLong> {
    const { tries } = this.#options.limits;
    for (let tried = 1; ; tried += 1) {
      await this.#pause(context);
      const verdict = await this.#askOnce(question, context.signal);
      if (verdict.kind !== 'problem') {
        this.#hasWorked = true;
        this.#lostInARow = 0;
        return verdict;
      }
      context.lastWhy.text = verdict.why;
      const handling = this.#hasWorked ? verdict.later : verdict.first;
      if (handling !== 'retry') throw await this.#stop(verdict, handling, context);
      this.#notePause(verdict, context);
      const most = Math.min(tries, verdict.tries ?? tries);
      if (tried >= most)
        throw this.#lost(
          `no usable answer in ${tried} attempts; the last problem: ${verdict.why}`,
          verdict.tries === undefined ? undefined : verdict.fix,
        );
      this.#tell({ next: tried + 1, tries: most, why: verdict.why }, context);
      if (verdict.askedWaitMs === undefined)
        await sleep(backoffMs(tried, this.#options.limits.backoff, context.rng.uniform()), context.signal);
    }
  }

  async #askOnce<Result>(
    { path, body, reading }: ServerQuestion<Result>,
    signal: AbortSignal,
  ): Promise<AnswerVerdict<Result>> {
    const { key, limits } = this.#options;
    const sent = body === undefined ? ({ method: 'GET' } as const) : ({ method: 'POST', body } as const);
    const plan = {
      ...sent,
      path,
      headers: requestHeaders(key),
      timeoutMs: limits.requestMs,
      maxBytes: limits.replyBytes,
    };
    return judge(await exchange(this.#pool, plan, signal), reading, (text) => this.redact(text));
  }

  /**
   * Waits until the server accepts requests again, by its last answer to any client of this process. A
   * request without enough time fails at once.
   */
  async #pause({ signal, now, rng, endsAt }: Attempting): Promise<void> {
    for (let wait = this.#pausedUntil - now(); wait > 0; wait = this.#pausedUntil - now()) {
      if (this.#pausedUntil >= endsAt) throw this.#pausedTooLong(wait);
      await sleep(wait + rng.uniform() * this.#options.limits.backoff.firstMs, signal);
    }
  }

  #tell(retry: Retry, { now }: Attempting): void {
    const at = now();
    if (at - this.#toldAt < retryNewsMs) return;
    this.#toldAt = at;
    this.#options.onRetry?.(retry);
  }

  /** Records the pause that the server requests, for all requests to it. */
  #notePause({ askedWaitMs, why }: ServerProblem, { now, endsAt }: Attempting): void {
    if (askedWaitMs === undefined) return;
    const until = now() + askedWaitMs;
    if (until > this.#pausedUntil) {
      this.#pausedUntil = until;
      this.#pausedWhy = why;
    }
    if (until >= endsAt) throw this.#pausedTooLong(askedWaitMs);
  }

  /**
   * The error of a request without enough time for the remaining pause. If no request could have enough time,
   * it is an error of the run.
   */
  #pausedTooLong(leftMs: number): Error {
    const { totalMs } = this.#options.limits;
    const pause = durationWords(leftMs);
    const why = `it asks for a pause of ${pause}, and all attempts of a request may take ${durationWords(totalMs)} together; ${this.#pausedWhy}`;
    return leftMs >= totalMs
      ? new RunError({ where: this.where, what: `${why}.`, fix: tryIn(pause) })
      : this.#lost(why, tryIn(pause));
  }

  /** The error for a problem that a retry does not fix. */
  async #stop(
    problem: ServerProblem,
    handling: Exclude<ProblemHandling, 'retry'>,
    { signal }: Attempting,
  ): Promise<Error> {
    const { why, fix } = problem;
    if (handling === 'fault')
      return new FaultError({ kind: 'sampler-failed', message: `${this.where}: ${why}`, retryable: false });
    if (handling === 'run') return new RunError({ where: this.where, what: `${why}.`, fix });
    const hint = problem.unknownModel === true ? await this.#modelHint(signal) : '';
    return new UsageError({
      where: this.where,
      what: `${why}.`,
      fix: `${hint}${fix}${this.#keyHint(why)}`,
    });
  }

  async #modelHint(signal: AbortSignal): Promise<string> {
    const models = await this.models(signal);
    const [only = ''] = models;
    const near = nearest(this.#options.model, models);
    return this.redact(models.length === 1 && near.length === 0 ? `It has ${only}. ` : didYouMean(near));
  }

  #keyHint(why: string): string {
    if (!/status 40[13]\b/.test(why)) return '';
    const { key, keyName } = this.#options;
    return key === undefined
      ? ` None was sent: ${keyName} is not set, or must not be sent there.`
      : ` The key that was sent is ${key.name}.`;
  }

  /**
   * The error of a failed request: a fault of its episode, unless the server never worked or has stopped
   * answering.
   */
  #lost(why: string, fix?: string): Error {
    if (!this.#hasWorked) {
      return new RunError({
        where: this.where,
        what: `${why}.`,
        fix: fix ?? `Check that this is a server of ${this.#serves}, and that it runs and answers.`,
      });
    }
    this.#lostInARow += 1;
    if (this.#lostInARow <= this.#options.limits.connections)
      return new FaultError({ kind: 'sampler-failed', message: `${this.where}: ${why}`, retryable: true });
    return new RunError({
      where: this.where,
      what: `it has stopped answering: ${this.#lostInARow} consecutive requests failed; ${why}.`,
      fix: `${fix ?? 'See to the server, then go on.'}${this.#keyHint(why)}`,
    });
  }
}

/** The context of one request with all its attempts. */
interface Attempting extends RequestContext {
  /** Deadline for all attempts, on the context's clock. */
  readonly endsAt: number;
  /** Why the last attempt failed. */
  readonly lastWhy: { text: string };
}
