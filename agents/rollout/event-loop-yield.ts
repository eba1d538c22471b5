/** How long, and for how many steps of one episode, a rollout may keep the event loop to itself. */
const longestHoldMs = 8;
const longestHoldSteps = 64; // holds also where the clock stands still

/** Counts the turns of the event loop while anybody asks. One serves all episodes that run beside each other. */
export class LoopClock {
  readonly #now: () => number;
  #turn = 0;
  #began: number;
  #next: Promise<void> | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#began = now();
  }

  /** The number of this turn. */
  get turn(): number {
    void this.next();
    return this.#turn;
  }

  /** Milliseconds since this turn began. */
  get heldMs(): number {
    return this.#now() - this.#began;
  }

  /** Resolves in the next turn, after timers and sockets have been served. */
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
 * Keeps an episode that never waits for anything outside from starving the event loop: without it no deadline, no signal of
 * the operating system and no socket would be served until it ends. An episode that waits of its own accord is never held.
 */
export class EventLoopYield {
  readonly #clock: LoopClock;
  #turn = -1;
  #steps = 0;

  constructor(clock: LoopClock) {
    this.#clock = clock;
  }

  /** Called once a step. Undefined while the episode has not held the loop for long; else what to await before going on. */
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
