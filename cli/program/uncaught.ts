/** Uncaught errors, such as one thrown in a timer of a user's env. */
export interface UncaughtErrors extends Disposable {
  /** Rejects with the first one and never resolves. */
  readonly first: Promise<never>;
  /** True for an error that was uncaught. */
  has(thrown: unknown): boolean;
}

const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Catches uncaught errors, so that they end a command like other errors: with a paragraph instead of a stack
 * trace.
 * @param source usually `process`
 */
export function listenForUncaught(source: NodeJS.EventEmitter): UncaughtErrors {
  const came: unknown[] = [];
  const { promise, reject } = withReject();
  const onError = (thrown: unknown): void => {
    came.push(thrown);
    reject(thrown);
  };
  for (const event of events) source.on(event, onError);
  return {
    first: promise,
    has: (thrown) => came.includes(thrown),
    [Symbol.dispose]: (): void => {
      if (came.length > 0) return; // the process is about to end, and the next error must not end it sooner
      for (const event of events) source.off(event, onError);
    },
  };
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectPromise) => void (reject = rejectPromise));
  promise.catch(() => undefined); // it may reject when nothing awaits it
  return { promise, reject };
}
