/** How many pieces of work lie with a worker: the one that it does and the next, so that it need not wait for us in between. */
const heldByWorker = 2;
/** For each worker so many pieces are begun ahead of the reader, and no more: what they give is held until its turn. */
const aheadByWorker = 4;

export interface Deal<Worker, Result> {
  readonly workers: readonly Worker[];
  /** Pieces of work, numbered from 0. */
  readonly count: number;
  readonly ask: (worker: Worker, piece: number) => Promise<Result>;
  readonly signal?: AbortSignal;
}

/**
 * Deals pieces of work out among workers in their order, each to whoever has least to do, and gives the results in the same order. When
 * one fails, the signal is aborted or the reader leaves, no more are dealt, and those under way are waited for; what is thrown is that of the
 * first in order that failed.
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
