import { boundary, type Fault } from '../../envs/core/errors.ts';

/**
 * The waits of one episode, which come one after the other. The signal ends a wait also where what is waited for does not
 * heed it. One listener serves the whole episode: adding and taking away one a wait costs more than a step.
 */
export class BoundedWait {
  readonly #signal: AbortSignal;
  #cutShort: ((reason: unknown) => void) | undefined;

  /** The signal must be the episode's own, so that the listener goes with it. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#cutShort?.(signal.reason), { once: true });
  }

  /** What `run` gives. What escapes it gets its name by {@link boundary}; when the signal aborts, its reason is thrown. */
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
