/** Rejects with the signal's reason as soon as it aborts, also when `work` never settles. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Rejects with `late()` when `work` takes longer. */
export async function withinMs<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/**
 * A signal that aborts with the caller's, or after so many milliseconds. Dispose of it when the work is over. (`AbortSignal.timeout` will not do within
 * `AbortSignal.any`: on Node 20 nothing holds it, so that it is collected as garbage, and its timer with it.)
 */
export function signalWithin(
  ms: number,
  callers: AbortSignal,
): Disposable & { readonly signal: AbortSignal; readonly isLate: () => boolean } {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`it took more than ${ms / 1000} s`)), ms);
  return {
    signal: AbortSignal.any([callers, late.signal]),
    isLate: () => late.signal.aborted,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
