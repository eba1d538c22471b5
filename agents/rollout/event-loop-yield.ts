/** Longest time, and most steps of one episode, before a rollout yields to the event loop. */
const longestHoldMs = 8;
const longestHoldSteps = 64; // applies even if the clock stands still

/** Counts the turns of the event loop while it is used. Concurrent episodes share one. */
export class LoopClock {
  readonly #now: () => number;
  #turn = 0;
  #began: number;
  #next: Promise<void> | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#began = now();
  }

  /** The number of the current turn. */
  get turn(): number {
    void this.next();
    return this.#turn;
  }

  /** Milliseconds since the current turn began. */
  get heldMs(): number {
    return this.#now() - this.#began;
  }

  /** Resolves in the next turn, after timers and sockets were served. */
  next(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#next = undefined;
        this.#turn += 1;
        this.#began = this.#now();
        resolve();
      });
    });
    return this.#next;
  }
}

/**
 * Stops an episode that never waits for I/O from starving the event loop. Without it, deadlines, signals and
 * sockets would not be served until the episode ends. An episode that waits by itself is not delayed.
 */
export class EventLoopYield {
  readonly #clock: LoopClock;
  #turn = -1;
  #steps = 0;

  constructor(clock: LoopClock) {
    this.#clock = clock;
  }

  /**
   * Called once a step. Returns a promise to await if the episode has held the event loop too long, otherwise
   * undefined.
   */
  maybeYield(): Promise<void> | undefined {
    const { turn } = this.#clock;
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#steps = 0;
      return undefined;
    }
    this.#steps += 1;
    return this.#steps < longestHoldSteps && this.#clock.heldMs < longestHoldMs
      ? undefined
      : this.#clock.next();
  }
}
