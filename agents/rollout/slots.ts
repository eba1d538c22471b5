/** Somebody who waits for a slot. */
interface Waiter {
  readonly turn: number;
  readonly take: () => void;
}

/** A number of slots; whoever finds none free waits: the smaller turn first, and of equals who came first. */
export class Slots {
  #free: number;
  readonly #waiting: Waiter[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Undefined when a slot is the caller's at once; else what to await until one is. Whoever is aborted waits no more. */
  acquire(signal: AbortSignal, turn = 0): Promise<void> | undefined {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        turn,
        take: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      const later = this.#waiting.findIndex((other) => other.turn > turn);
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiter);
    });
  }

  /** Gives a slot back, to the first who waits. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.take();
  }
}
