/** What happens when a call returns, before its caller gets the result. */
export interface WaitEnds<T> {
  /** Checks the result and returns what the caller gets. */
  readonly accept: (given: T) => T;
  /** The call failed, or `accept` threw. */
  readonly fail: () => void;
}

/**
 * Waits for calls of one kind, one after the other. {@link cut} can end a wait before the call returns. All
 * calls share one set of functions. One more closure and one more wait per call would cost a fast env a tenth
 * of a step.
 */
export class AbortableWait<T> {
  readonly #ends: WaitEnds<T>;
  #resolve: (given: T) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(ends: WaitEnds<T>) {
    this.#ends = ends;
  }

  /** Makes a call. The previous one must have returned. */
  for(call: () => Promise<T>): Promise<T> {
    const answer = new Promise<T>(this.#take);
    try {
      // a result that is no promise is validated like any other
      Promise.resolve(call()).then(this.#succeed, this.#fail);
    } catch (thrown) {
      this.#fail(thrown);
    }
    return answer;
  }

  /** Rejects the running call. Its later result reaches only the functions in {@link WaitEnds}. */
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
