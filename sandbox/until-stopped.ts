import { once } from 'node:events';
import type { KilledBy, Limits } from './sandbox.ts';
import { sleep, sleepPatiently } from '../envs/core/waiting.ts';

/** The counts of a program with all its children so far. */
export interface Counts {
  readonly cpuMs: number;
  /** Processes that were killed because memory ran out. */
  readonly memoryKills: number;
  /** How often a process or thread could not be started. */
  readonly refusedForks: number;
}

/** The limit that was hit since `before`, according to the counts. */
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

/** Measures what one call uses. */
export interface Meter {
  /** The limit that has been hit by now, while the program runs. */
  readonly look: () => Promise<KilledBy | undefined>;
  /**
   * The limit that was hit, after the program has ended. Processor time does not count here: a program that
   * ended by itself stayed within it.
   */
  readonly after: () => Promise<KilledBy | undefined>;
  /** Milliseconds until another look is useful. */
  readonly pauseMs: () => number;
}

/** What ends a program's run: its own end, or the first limit that was hit, as far as this is known. */
export type Stop<T> =
  | { readonly kind: 'ended'; readonly value: T }
  | { readonly kind: 'limit'; readonly by: KilledBy };

/**
 * Waits for the end of a program, or for a reason to kill it. It kills nothing itself.
 *
 * @param watched.flooded resolves when the program has printed too much
 * @throws the reason of the signal, and what `ended` and the meter reject with
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
      // a meter that cannot answer at the wall limit is a fault
      sleepPatiently(limits.wallMs, done.signal).then(async () => limit((await meter.look()) ?? 'wall')),
      overrun(meter, done.signal).then(limit),
      once(signal, 'abort', { signal: done.signal }).then((): never => {
        throw signal.reason;
      }),
    ]);
  } finally {
    done.abort();
  }
}

/**
 * Waits until a limit is hit.
 *
 * @throws the signal's reason once `done` aborts
 */
async function overrun({ look, pauseMs }: Meter, done: AbortSignal): Promise<KilledBy> {
  for (;;) {
    await sleep(pauseMs(), done);
    const by = await look();
    if (by !== undefined) return by;
  }
}
