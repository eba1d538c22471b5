import { closeInTime, type ClosingLimit } from '../../envs/core/closing.ts';
import type { ResetContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import { boundary, UsageError, type Fault } from '../../envs/core/errors.ts';
import { silentLogger, type Logger } from '../../envs/core/log.ts';
import { abortable } from '../../envs/core/waiting.ts';

/** Envs of one host. Each is lent to one episode at a time and reused through `reset`. */
export interface EnvPool<Obs, Act> extends AsyncDisposable {
  /**
   * Lends an env while `work` runs. If `work` throws, the env is closed and not lent again, because its state
   * is unknown. The error is rethrown.
   */
  use<T>(context: ResetContext, work: (env: Env<Obs, Act>) => Promise<T>): Promise<T>;
  /** Closes every env. Envs still lent are closed when they return. A second call does nothing. */
  close(): Promise<void>;
  /**
   * Failures and timeouts of closing envs. They are logged here because their episodes did not cause them.
   */
  readonly closeFaults: readonly Fault[];
}

/** A pool over `host`. The caller closes the host after the pool. */
export function createEnvPool<Obs, Act>(
  host: Pick<EnvHost<Obs, Act>, 'create'>,
  options: {
    /** Longest time to wait for one env to close, in milliseconds; 10 s by default. */
    readonly closeMs?: number;
    /** Once aborted, each env has 3 s to close, and never longer than `closeMs`. */
    readonly signal?: AbortSignal;
    readonly log?: Logger;
  } = {},
): EnvPool<Obs, Act> {
  const { closeMs, signal, log = silentLogger } = options;
  return new HostEnvPool(
    host,
    { ...(closeMs === undefined ? {} : { ms: closeMs }), ...(signal === undefined ? {} : { signal }) },
    log,
  );
}

class HostEnvPool<Obs, Act> implements EnvPool<Obs, Act> {
  readonly #host: Pick<EnvHost<Obs, Act>, 'create'>;
  readonly #limit: Omit<ClosingLimit, 'where'>;
  readonly #log: Logger;
  readonly #idle: Env<Obs, Act>[] = [];
  readonly #abandoned = new Set<Promise<void>>();
  readonly #closeFaults: Fault[] = [];
  #closed = false;

  constructor(host: Pick<EnvHost<Obs, Act>, 'create'>, limit: Omit<ClosingLimit, 'where'>, log: Logger) {
    this.#host = host;
    this.#limit = limit;
    this.#log = log;
  }

  get closeFaults(): readonly Fault[] {
    return this.#closeFaults;
  }

  async use<T>(context: ResetContext, work: (env: Env<Obs, Act>) => Promise<T>): Promise<T> {
    const env = await this.#take(context);
    let result: T;
    try {
      result = await work(env);
    } catch (thrown) {
      await this.#closeEnv(env, context.path);
      throw thrown;
    }
    if (this.#closed) await this.#closeEnv(env, context.path);
    else this.#idle.push(env);
    return result;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map((env) => this.#closeEnv(env, 'pool')));
    await Promise.all(this.#abandoned);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #take(context: ResetContext): Promise<Env<Obs, Act>> {
    if (this.#closed) {
      throw new UsageError({
        where: `env pool, used by ${context.path}`,
        what: 'it is closed.',
        fix: 'Close the pool after the last episode, or create a new one.',
      });
    }
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const created = boundary(
      (message) => ({ kind: 'env-crashed', where: 'create', message }),
      context.signal,
      () => this.#host.create(),
    );
    try {
      return await abortable(context.signal, created);
    } catch (thrown) {
      if (context.signal.aborted) this.#abandon(created, context.path);
      throw thrown;
    }
  }

  /** `create` takes no signal: an env that opens after its episode has ended is closed at once. */
  #abandon(created: Promise<Env<Obs, Act>>, path: string): void {
    const late = created.then(
      (env) => this.#closeEnv(env, path),
      () => undefined, // it failed to open, so there is nothing to close
    );
    const settled = this.#withinCloseMs(() => late, `${path}: create`).finally(() =>
      this.#abandoned.delete(settled),
    );
    this.#abandoned.add(settled);
  }

  #closeEnv(env: Env<Obs, Act>, path: string): Promise<void> {
    return this.#withinCloseMs(() => env.close(), `${path}: close`);
  }

  /** Logs failures and timeouts. */
  async #withinCloseMs(work: () => Promise<void>, where: string): Promise<void> {
    const fault = await closeInTime(work, { where, ...this.#limit });
    if (fault === undefined) return;
    this.#closeFaults.push(fault);
    this.#log.event(where, { type: 'fault-raise', fault });
  }
}
