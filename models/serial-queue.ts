import { afterDispose } from './wrong-use.ts';

/** Runs pieces of work one after the other, in the order they came; one that fails does not hold up the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The same, until it is closed. */
export class ClosableQueue {
  readonly #queue = new SerialQueue();
  readonly #owner: string;
  #isClosed = false;

  /** @param owner in errors, such as `choice model` */
  constructor(owner: string) {
    this.#owner = owner;
  }

  /** @throws UsageError once it was closed */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw afterDispose(this.#owner);
    return this.#queue.run(work);
  }

  /** Takes nothing more, and does the last piece of work after those before it. A second call does nothing. */
  async close(last: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#queue.run(last);
  }
}
