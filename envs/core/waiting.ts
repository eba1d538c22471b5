import { setMaxListeners } from 'node:events';
import { FaultError, UsageError } from './errors.ts';
import { startPatientTimer } from './patient-timer.ts';

/*
 * Everything that waits and must end: promises, pauses, signals and permits. A timer or a listener exists
 * only during the wait. Both are removed as soon as the wait ends.
 */

/** Calls `listener` once when the signal aborts, or at once when it is aborted already. Dispose the result to stop listening. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

/**
 * Rejects with the signal's reason as soon as it aborts. Otherwise it resolves or rejects as `work` does. The work itself
 * must observe the signal.
 */
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

/** Like {@link sleep}, for a limit on others: time in which this thread computed without a pause does not count. */
export function sleepPatiently(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const timer = startPatientTimer(ms, () => {
      listening[Symbol.dispose]();
      resolve();
    });
    const listening = onAbort(signal, () => {
      timer[Symbol.dispose]();
      reject(signal.reason as Error);
    });
  });
}

/**
 * Whether `work` resolves or rejects within `ms` milliseconds. Otherwise the work continues. As in all deadlines here, time in which this thread
 * computed without a pause does not count ({@link startPatientTimer}).
 */
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
  let timer: Disposable | undefined;
  const late = new Promise<T>((resolve, reject) => {
    timer = startPatientTimer(ms, () => onLate(resolve, reject));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer?.[Symbol.dispose]();
  }
}

/** A signal that its owner can abort. Dispose it to detach it from its parent. */
export interface SignalScope extends Disposable {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/**
 * Opens a signal that aborts with `parent`. Its own abort does not affect the parent. It accepts any number
 * of listeners.
 */
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

/** A signal with a time limit. Dispose it to detach it from its parent and to stop its timer. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /**
   * Restarts the limit from now. From now on `where` names the work. `ms` is the new limit, if any. Does
   * nothing once the signal is aborted.
   */
  renew(where: string, ms?: number): void;
}

export interface DeadlineOptions {
  /** Names the work, for the fault. */
  readonly where: string;
  /** Milliseconds; no limit when undefined. */
  readonly ms: number | undefined;
}

/** The longest delay of a timer, in milliseconds. A longer one would fire at once. */
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
      what: `a deadline of ${ms} ms is out of range.`,
      fix: `Give 0 to ${longestTimerMs} ms, or omit it for no deadline.`,
    });
  }
  const scope = openScope(parent);
  let timer: Disposable | undefined;
  const start = (place: string, afterMs = ms): void => {
    timer?.[Symbol.dispose]();
    if (afterMs === undefined || scope.signal.aborted) return;
    const fault = { kind: 'deadline-passed', where: place, afterMs } as const;
    timer = startPatientTimer(afterMs, () => scope.abort(new FaultError(fault)));
  };
  start(where);
  return {
    signal: scope.signal,
    renew: start,
    [Symbol.dispose]: () => {
      timer?.[Symbol.dispose]();
      scope[Symbol.dispose]();
    },
  };
}

interface Waiter {
  readonly priority: number;
  readonly admit: () => void;
}

/** A counting semaphore: limits the number of holders. */
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
   * Waits for a permit. A smaller `priority` goes first, then the earlier call. Rejects with the signal's
   * reason when it aborts, and takes no permit then.
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

  /** Returns a permit, to the first waiting call if there is one. */
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
