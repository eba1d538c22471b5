/** What is done with what a call gives back, before its caller has it. */
export interface WaitEnds<T> {
  /** Looks at what came, and gives on what the caller gets. */
  readonly accept: (given: T) => T;
  /** The call failed, or `accept` threw. */
  readonly fail: () => void;
}

/**
 * The wait for calls of one kind, one after the other, which {@link cut} can end before the call comes back. It is written with a promise
 * and functions of its own that serve all calls: a closure and a wait more for each would cost a fast env a tenth of a step.
 */
export class AbortableWait<T> {
  readonly #ends: WaitEnds<T>;
  #resolve: (given: T) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(ends: WaitEnds<T>) {
    this.#ends = ends;
  }

  /** Makes a call. The one before must have come back. */
  for(call: () => Promise<T>): Promise<T> {
    const answer = new Promise<T>(this.#take);
    try {
      Promise.resolve(call()).then(this.#succeed, this.#fail); // what is no promise is refused as what came
    } catch (thrown) {
      this.#fail(thrown);
    }
    return answer;
  }

  /** Rejects the call that is under way; what comes of it later reaches nobody but the ends. */
  cut(reason: unknown): void {
    this.#reject(reason);
  }

  readonly #take = (resolve: (given: T) => void, reject: (reason: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
  };

  readonly #succeed = (given: T): void => {
    try {
      this.#resolve(this.#ends.accept(given));
    } catch (thrown) {
      this.#fail(thrown);
    }
  };

  readonly #fail = (thrown: unknown): void => {
    this.#ends.fail();
    this.#reject(thrown);
  };
}
