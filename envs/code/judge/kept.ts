import { abortable } from '../../core/waiting.ts';

/** The most cached results. Programs that are assembled from pieces come again. */
const most = 20_000;

/** A cache of results by key. Work with the same key runs once, even for concurrent callers. */
export class Kept<T> {
  readonly #found = new Map<string, { readonly value: T }>();
  readonly #running = new Map<string, Promise<T>>();

  /**
   * The result for the key, cached or from `work`, which must observe the signal. Failed work is repeated for
   * each caller.
   */
  async get(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const known = this.#found.get(key);
      if (known !== undefined) {
        this.#keep(key, known);
        return known.value;
      }
      const running = this.#running.get(key);
      if (running === undefined) return this.#begin(key, work);
      const none = (): undefined => undefined; // it may have been cancelled by another caller
      const came = await abortable(
        signal,
        running.then((value) => ({ value }), none),
      );
      if (came !== undefined) return came.value;
    }
  }

  async #begin(key: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#running.set(key, running);
    try {
      const value = await running;
      this.#keep(key, { value });
      return value;
    } finally {
      this.#running.delete(key);
    }
  }

  /** Adds a result at the end of the queue. The first result is dropped when the cache is full. */
  #keep(key: string, found: { readonly value: T }): void {
    this.#found.delete(key);
    this.#found.set(key, found);
    if (this.#found.size <= most) return;
    const [oldest] = this.#found.keys();
    if (oldest !== undefined) this.#found.delete(oldest);
  }
}
