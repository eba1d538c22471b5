import type { Gateway } from './gateway.ts';
import type { PageHandler } from './page-handler.ts';

/** A script that waits for its request, clock and all, gets it nevertheless. */
const longestHoldMs = 2_000;

/** The pages of one episode, served by its gateway, and whether one of them is being asked for. */
export class MountedPages implements Disposable {
  readonly #gateway: Gateway;
  #underway = 0;
  #waiting: (() => void)[] = [];
  /** Ends when requests are answered again. */
  #held: Promise<void> | undefined;

  constructor(gateway: Gateway, handler: PageHandler) {
    gateway.serve(async (request) => this.#counted(async () => handler(request)));
    this.#gateway = gateway;
  }

  get isIdle(): boolean {
    return this.#underway === 0;
  }

  /** Waits until no request is being answered. */
  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Answers what is asked for meanwhile after the work, so that nothing comes amid it, now sooner and now later. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    const timer = setTimeout(release, longestHoldMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#held = undefined;
      release();
    }
  }

  [Symbol.dispose](): void {
    this.#gateway.serve();
    this.#wake();
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#underway += 1;
    try {
      await this.#held;
      return await work();
    } finally {
      this.#underway -= 1;
      if (this.isIdle) this.#wake();
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
