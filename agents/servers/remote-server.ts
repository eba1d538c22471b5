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

/** What is asked of a server, and how its answer is read. */
export interface ServerQuestion<Result> {
  readonly path: string;
  /** In JSON; undefined where nothing is posted (`GET`). */
  readonly body: string | undefined;
  readonly reading: AnswerReader<Result>;
}

/** The context of one question; `rng` spreads the waits between tries. */
export type RequestContext = Pick<Context, 'now' | 'rng' | 'signal'>;

/** Connects when it is first asked. `serves` says what the server is taken to be a server of, such as `chat completions`. */
export async function openRemoteServer(options: ServerOptions, serves: string): Promise<RemoteServer> {
  const { Pool: PoolOfConnections } = await import('undici'); // who asks no server need not wait for it to load
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
  `Try again in ${pause}, with --keep FOLDER so that what is finished stays and the same command goes on, or raise --request-timeout: all tries together may take five times as long.`;

/** A server that is busy for hours is no news with every request. */
const retryNewsMs = 30_000;

/** A server that is asked with patience: as many at once as it takes, again where that may help, and with an end to everything. */
export class RemoteServer implements AsyncDisposable {
  readonly #options: ServerOptions;
  readonly #serves: string;
  readonly #pool: Pool;
  readonly #connections: Semaphore;
  /** Names the server and its model in errors. */
  readonly where: string;
  /** True once the server has given a usable answer. */
  #hasWorked = false;
  /** Requests in a row that came to nothing after all tries. */
  #lostInARow = 0;
  /** The server asked not to be asked before this time of the context's clock. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** What it said with that. */
  #pausedWhy = '';
  /** When a retry was last told of, on the context's clock. */
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
   * @throws UsageError for what only the user can fix, such as a wrong key or model, before any usable answer; RunError when the
   * server never gave one, or gives none any more; FaultError of kind `sampler-failed` when this request came to nothing after all tries
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
      throw this.#lost(`no usable answer within ${totalMs} ms; the last: ${lastWhy.text}`);
    }
  }

  /** The names of the models that it says it has, as it says them; none where it does not say. */
  models(signal: AbortSignal): Promise<readonly string[]> {
    const { endpoint, key } = this.#options;
    return listModels(this.#pool, { path: endpoint.modelsPath, headers: requestHeaders(key) }, signal);
  }

  /** The words without secrets. */
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
          `no usable answer in ${tried} tries; the last: ${verdict.why}`,
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

  /** Waits until the server takes requests again, as it told any of its clients here. What has not the time for that ends at once. */
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

  /** Notes the pause that the server asks for, for all who ask it. */
  #notePause({ askedWaitMs, why }: ServerProblem, { now, endsAt }: Attempting): void {
    if (askedWaitMs === undefined) return;
    const until = now() + askedWaitMs;
    if (until > this.#pausedUntil) {
      this.#pausedUntil = until;
      this.#pausedWhy = why;
    }
    if (until >= endsAt) throw this.#pausedTooLong(askedWaitMs);
  }

  /** The error of a request that has not the time for the pause that is left; of a pause that no request has the time for, that of the run. */
  #pausedTooLong(leftMs: number): Error {
    const { totalMs } = this.#options.limits;
    const pause = durationWords(leftMs);
    const why = `it asks for a pause of ${pause}, and all tries of a request may take ${durationWords(totalMs)} together; ${this.#pausedWhy}`;
    return leftMs >= totalMs
      ? new RunError({ where: this.where, what: `${why}.`, fix: tryIn(pause) })
      : this.#lost(why, tryIn(pause));
  }

  /** The error of a problem that no other try would fix. */
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
      ? ` None was sent: ${keyName} is not set, or is not sent there.`
      : ` The one sent is that of ${key.name}.`;
  }

  /** The error of a request that came to nothing: a fault of its episode, unless the server is no server, or is gone. */
  #lost(why: string, fix?: string): Error {
    if (!this.#hasWorked) {
      return new RunError({
        where: this.where,
        what: `${why}.`,
        fix: fix ?? `See that this is a server of ${this.#serves}, and that it runs and answers.`,
      });
    }
    this.#lostInARow += 1;
    if (this.#lostInARow <= this.#options.limits.connections)
      return new FaultError({ kind: 'sampler-failed', message: `${this.where}: ${why}`, retryable: true });
    return new RunError({
      where: this.where,
      what: `it has stopped answering: ${this.#lostInARow} requests in a row came to nothing; ${why}.`,
      fix: `${fix ?? 'See to the server, then go on.'}${this.#keyHint(why)}`,
    });
  }
}

/** The context of one request with all its tries. */
interface Attempting extends RequestContext {
  /** When the time for all tries is over, on the context's clock. */
  readonly endsAt: number;
  /** Why the last try failed. */
  readonly lastWhy: { text: string };
}
