import { setMaxListeners } from 'node:events';
import { FaultError, UsageError } from './errors.ts';

/*
 * Everything that waits with an end: promises, pauses, signals and permits. A timer runs and a listener listens only while somebody waits;
 * both are removed as soon as the wait ends.
 */

/** Calls `listener` once when the signal aborts, or at once when it is aborted already. Dispose the result to stop listening. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

/** Rejects with the signal's reason as soon as it aborts; settles as `work` does otherwise. The work itself must heed the signal. */
export function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined); // the abort is reported instead
    return Promise.reject(signal.reason as Error);
  }
  return new Promise<T>((resolve, reject) => {
    const listening = onAbort(signal, () => reject(signal.reason as Error));
    work.then(resolve, reject).finally(() => listening[Symbol.dispose]());
  });
}

/** Resolves after `ms` milliseconds. Rejects with the signal's reason when it aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const wake = (): void => {
      listening?.[Symbol.dispose]();
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const listening =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
  });
}

/** Whether `work` settles within `ms` milliseconds, well or not. The work goes on where it does not. */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return await race(ms, settled, (resolve) => resolve(false));
}

/** Settles as `work` does; rejects with `late()` when it takes longer than `ms` milliseconds. */
export async function withinMs<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return await race(ms, work, (_resolve, reject) => reject(late()));
}

async function race<T>(
  ms: number,
  work: Promise<T>,
  onLate: (resolve: (value: T) => void, reject: (reason: Error) => void) => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve, reject) => {
    timer = setTimeout(() => onLate(resolve, reject), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A signal that its holder can abort. Dispose it, so that it leaves its parent. */
export interface SignalScope extends Disposable {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/** Opens a signal that aborts with `parent`, and whose own abort leaves the parent alone. It takes any number of listeners. */
export function openScope(parent?: AbortSignal): SignalScope {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const listening = parent && onAbort(parent, () => controller.abort(parent.reason));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]: () => listening?.[Symbol.dispose](),
  };
}

/** A signal with a time limit. Dispose it, so that it leaves its parent and its timer stops. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /**
   * Starts the limit again from now; `where` names the work from now on, `ms` is the new limit, if any. Does nothing once the signal is
   * aborted.
   */
  renew(where: string, ms?: number): void;
}

export interface DeadlineOptions {
  /** Names the work, for the fault. */
  readonly where: string;
  /** Milliseconds; no limit when undefined. */
  readonly ms: number | undefined;
}

/** Milliseconds that a timer can hold. A longer one would fire at once. */
const longestTimerMs = 2_147_483_647;

/**
 * A signal that aborts with `parent`, or after `ms` milliseconds with a {@link FaultError} of kind `deadline-passed`.
 *
 * `AbortSignal.timeout` does not work inside `AbortSignal.any` on Node 20: nothing holds it, so it is garbage-collected with its timer.
 *
 * @throws UsageError for a limit that no timer can keep
 */
export function openDeadline(parent: AbortSignal | undefined, { where, ms }: DeadlineOptions): Deadline {
  if (ms !== undefined && !(ms >= 0 && ms <= longestTimerMs)) {
    throw new UsageError({
      where,
      what: `a deadline of ${ms} ms cannot be kept.`,
      fix: `Give 0 to ${longestTimerMs}, or leave it out for none.`,
    });
  }
  const scope = openScope(parent);
  let timer: NodeJS.Timeout | undefined;
  const start = (place: string, afterMs = ms): void => {
    clearTimeout(timer);
    if (afterMs === undefined || scope.signal.aborted) return;
    const fault = { kind: 'deadline-passed', where: place, afterMs } as const;
    timer = setTimeout(() => scope.abort(new FaultError(fault)), afterMs);
  };
  start(where);
  return {
    signal: scope.signal,
    renew: start,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      scope[Symbol.dispose]();
    },
  };
}

interface Waiter {
  readonly priority: number;
  readonly admit: () => void;
}

/** A counting semaphore: at most so many holders at a time. */
export class Semaphore {
  #free: number;
  readonly #waiting: Waiter[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Takes a permit if one is free. */
  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /**
   * Waits for a permit: the smaller `priority` first, of equal ones whoever came first. Rejects with the signal's reason when it aborts,
   * and takes no permit then.
   */
  acquire(signal: AbortSignal, priority = 0): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.tryAcquire()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        priority,
        admit: () => {
          listening[Symbol.dispose]();
          resolve();
        },
      };
      const listening = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      });
      const later = this.#waiting.findIndex((other) => other.priority > priority);
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiter);
    });
  }

  /** Gives a permit back, to the first who waits. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.admit();
  }

  /** {@link acquire}, with the permit given back when the result is disposed. Disposing it again does nothing. */
  async enter(signal: AbortSignal, priority = 0): Promise<Disposable> {
    await this.acquire(signal, priority);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.release();
        isHeld = false;
      },
    };
  }
}
