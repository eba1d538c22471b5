/** How many pieces of work lie with a worker: the one that it does and the next, so that it need not wait for us in between. */
const heldByWorker = 2;
/**
 * The pieces that are started ahead of the reader, for each worker. Their results are kept until their turn.
 */
const aheadByWorker = 4;

export interface Deal<Worker, Result> {
  readonly workers: readonly Worker[];
  /** Pieces of work, numbered from 0. */
  readonly count: number;
  readonly ask: (worker: Worker, piece: number) => Promise<Result>;
  readonly signal?: AbortSignal;
}

/**
 * Distributes pieces of work among workers in order, each to the worker with the least to do. Yields the
 * results in the same order. If one fails, the signal is aborted or the reader leaves, no more are started,
 * and the running ones are awaited. The error is that of the first failure in order.
 */
export async function* dealt<Worker, Result>({
  workers,
  count,
  ask,
  signal,
}: Deal<Worker, Result>): AsyncGenerator<Result, void, undefined> {
  const held = workers.map(() => 0);
  const underWay = new Map<number, Promise<Result>>();
  let [next, taken, isOver] = [0, 0, false];
  const deal = (): void => {
    while (!isOver && next < Math.min(count, taken + aheadByWorker * workers.length)) {
      const least = held.indexOf(Math.min(...held));
      const worker = workers[least];
      if (worker === undefined || (held[least] as number) >= heldByWorker) return;
      held[least]! += 1;
      const result = ask(worker, next);
      underWay.set(next, result);
      next += 1;
      result.then(
        () => {
          held[least]! -= 1;
          deal();
        },
        () => {
          isOver = true;
        },
      );
    }
  };
  try {
    for (; taken < count; taken += 1) {
      signal?.throwIfAborted();
      deal();
      const result = underWay.get(taken);
      if (result === undefined) throw new TypeError('there is nobody to deal work to');
      underWay.delete(taken);
      yield await result;
    }
  } finally {
    isOver = true;
    await Promise.allSettled(underWay.values());
  }
}
