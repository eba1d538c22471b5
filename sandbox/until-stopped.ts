import { once } from 'node:events';
import type { KilledBy, Limits } from './sandbox.ts';
import { sleep } from '../envs/core/waiting.ts';

/** What was counted of a program with all its children so far. */
export interface Counts {
  readonly cpuMs: number;
  /** Processes that were killed because there was no memory left. */
  readonly memoryKills: number;
  /** Times that no more processes or threads could be started. */
  readonly refusedForks: number;
}

/** The limit that the counts say was hit since `before`. */
export function overrunSince(
  before: Counts,
  now: Counts,
  limits: Pick<Limits, 'cpuMs'>,
): KilledBy | undefined {
  if (now.memoryKills > before.memoryKills) return 'memory';
  if (now.refusedForks > before.refusedForks) return 'pids';
  if (now.cpuMs - before.cpuMs > limits.cpuMs) return 'cpu';
  return undefined;
}

/** Looks at what one call uses. */
export interface Meter {
  /** The limit that was hit by now, while it runs. */
  readonly look: () => Promise<KilledBy | undefined>;
  /** The same when it has ended: processor time that it did not overrun until then it had. */
  readonly after: () => Promise<KilledBy | undefined>;
  /** Until another look is worth while. */
  readonly pauseMs: () => number;
}

/** What ends a program's run: its own end, or the limit that was hit first, as far as it can be told. */
export type Stop<T> =
  | { readonly kind: 'ended'; readonly value: T }
  | { readonly kind: 'limit'; readonly by: KilledBy };

/**
 * Waits for the end of a program, or for what it is to be killed for; kills nothing itself.
 *
 * @param watched.flooded resolves when it has printed too much
 * @throws the reason of the signal; what `ended` and the meter reject with
 */
export async function untilStopped<T>(
  ended: Promise<T>,
  watched: {
    readonly meter: Meter;
    readonly limits: Limits;
    readonly flooded: Promise<void>;
    readonly signal: AbortSignal;
  },
): Promise<Stop<T>> {
  const { meter, limits, flooded, signal } = watched;
  const done = new AbortController();
  const limit = (by: KilledBy): Stop<T> => ({ kind: 'limit', by });
  try {
    signal.throwIfAborted();
    return await Promise.race([
      ended.then(async (value): Promise<Stop<T>> => {
        const by = await meter.after();
        return by === undefined ? { kind: 'ended', value } : limit(by);
      }),
      flooded.then(() => limit('output')),
      sleep(limits.wallMs, done.signal).then(async () => limit((await meter.look()) ?? 'wall')), // where nothing is told any more that is a fault
      overrun(meter, done.signal).then(limit),
      once(signal, 'abort', { signal: done.signal }).then((): never => {
        throw signal.reason;
      }),
    ]);
  } finally {
    done.abort();
  }
}

/** @throws once it is done */
async function overrun({ look, pauseMs }: Meter, done: AbortSignal): Promise<KilledBy> {
  for (;;) {
    await sleep(pauseMs(), done);
    const by = await look();
    if (by !== undefined) return by;
  }
}
