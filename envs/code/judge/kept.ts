import { abortable } from '../../core/waiting.ts';

/** Results kept for programs that come again, as they do where programs are put together of pieces. */
const most = 20_000;

/** What came of work, by its key: what a program did once is what it does, so it is run once, also where several ask while it runs. */
export class Kept<T> {
  readonly #found = new Map<string, { readonly value: T }>();
  readonly #running = new Map<string, Promise<T>>();

  /** What is known of the key, or what the work gives, which is to heed the signal too. Work that fails is done again for each who asked for it. */
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
      const none = (): undefined => undefined; // it may have been called off for another who asked
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

  /** At the end of the queue; the first of it goes where there are too many. */
  #keep(key: string, found: { readonly value: T }): void {
    this.#found.delete(key);
    this.#found.set(key, found);
    if (this.#found.size <= most) return;
    const [oldest] = this.#found.keys();
    if (oldest !== undefined) this.#found.delete(oldest);
  }
}
