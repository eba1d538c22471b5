import { FaultError } from '../../core/errors.ts';
import { QueryThread } from './query-thread.ts';
import type { QueryLimits, QueryResult } from './result.ts';

/** The limits of queries. */
export interface PoolLimits extends QueryLimits {
  readonly timeMs: number;
}

interface Waiting {
  readonly database: SharedArrayBuffer;
  readonly sql: string;
  readonly signal: AbortSignal;
  readonly take: (thread: QueryThread) => void;
  readonly give: (thrown: unknown) => void;
}

/**
 * Threads that run queries, one at a time each. A query that takes too long is ended with its thread, and
 * that is its result. Other queries are not affected.
 */
export class QueryPool {
  readonly #limits: PoolLimits;
  readonly #most: number;
  readonly #idle: QueryThread[] = [];
  readonly #busy = new Set<QueryThread>();
  readonly #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(limits: PoolLimits, { threads }: { readonly threads: number }) {
    this.#limits = limits;
    this.#most = threads;
  }

  /**
   * Runs a query. An error in it is a result.
   *
   * @throws FaultError where no thread can be started
   * @throws the signal's reason when it aborts
   */
  async run(database: SharedArrayBuffer, sql: string, signal: AbortSignal): Promise<QueryResult> {
    signal.throwIfAborted();
    const thread = await this.#thread({ database, sql, signal });
    try {
      const result = await thread.run({ database, sql, limits: this.#limits }, this.#limits.timeMs, signal);
      if (this.#isClosed) throw closed(); // the query is not the cause of its end
      return result;
    } finally {
      this.#busy.delete(thread);
      if (thread.isUsable && !this.#isClosed) this.#idle.push(thread);
      else await thread.close();
      this.#next();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { give } of this.#waiting.splice(0)) give(closed());
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.close()));
  }

  #thread(of: Pick<Waiting, 'database' | 'sql' | 'signal'>): Promise<QueryThread> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const forget = (): void => of.signal.removeEventListener('abort', onAbort);
      const waiting: Waiting = {
        ...of,
        take: (thread) => {
          forget();
          resolve(thread);
        },
        give: (thrown) => {
          forget();
          reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
        },
      };
      const onAbort = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        waiting.give(of.signal.reason);
      };
      of.signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Gives a thread to the oldest waiting query, where one is free or may be started. */
  #next(): void {
    if (this.#waiting.length === 0) return;
    if (this.#idle.length === 0 && this.#busy.size >= this.#most) return;
    const waiting = this.#waiting.shift();
    const thread = this.#idle.pop() ?? new QueryThread(this.#limits.memoryMegabytes);
    this.#busy.add(thread);
    waiting?.take(thread);
  }
}

const closed = (): FaultError =>
  new FaultError({ kind: 'env-crashed', where: 'sql', message: 'its host was closed' });
