import { boundary, type Fault } from '../../envs/core/errors.ts';

/**
 * The sequential waits of one episode. The signal ends a wait even if the awaited work ignores it. One
 * listener serves the whole episode: a listener for each wait would cost more than a step.
 */
export class BoundedWait {
  readonly #signal: AbortSignal;
  #cutShort: ((reason: unknown) => void) | undefined;

  /** The signal must be the episode's own, so that the listener goes with it. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#cutShort?.(signal.reason), { once: true });
  }

  /**
   * The result of `run`. A thrown error is named by {@link boundary}. If the signal aborts, its reason is
   * thrown.
   */
  await<T>(name: (message: string) => Fault, run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#signal.aborted) {
        reject(this.#signal.reason as Error);
        return;
      }
      this.#cutShort = reject;
      const fail = (thrown: unknown): void => {
        boundary(name, this.#signal, () => Promise.reject(thrown)).then(resolve, reject);
      };
      try {
        run().then(resolve, fail);
      } catch (thrown) {
        fail(thrown);
      }
    });
  }
}
