import { sleep } from '../../core/waiting.ts';

/** Spaces requests: at most `perSecond` a second, evenly, and the first at once. */
export class Pace {
  readonly #gapMs: number;
  readonly #now: () => number;
  #next = Number.NEGATIVE_INFINITY;

  /** @param now monotonic milliseconds */
  constructor(perSecond: number | undefined, now: () => number) {
    this.#gapMs = perSecond === undefined ? 0 : 1_000 / perSecond;
    this.#now = now;
  }

  /** Waits for the turn of the next request. Rejects with the signal's reason when it aborts. */
  async turn(signal: AbortSignal): Promise<void> {
    if (this.#gapMs === 0) return;
    const now = this.#now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    if (at > now) await sleep(at - now, signal);
  }
}
