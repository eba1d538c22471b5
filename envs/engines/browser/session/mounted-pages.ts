import type { Gateway } from './gateway.ts';
import type { PageHandler } from '../page/page-handler.ts';
import { waitingHeader } from '../scripts/work-script.ts';

/** The pages of one episode, served by its gateway, and whether one of them is being asked for. */
export class MountedPages implements Disposable {
  readonly #gateway: Gateway;
  #underway = 0;
  #waiting: (() => void)[] = [];
  /** Ends when requests are answered again. */
  #held: Promise<void> | undefined;

  constructor(gateway: Gateway, handler: PageHandler) {
    gateway.serve(async (request) => {
      const isAwaited = request.headers.has(waitingHeader); // a script or the clock waits for it
      request.headers.delete(waitingHeader);
      return this.#counted(isAwaited ? undefined : this.#held, async () => handler(request));
    });
    this.#gateway = gateway;
  }

  get isIdle(): boolean {
    return this.#underway === 0;
  }

  /** Waits until no request is being answered. */
  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Answers what is asked for meanwhile, and not waited for, after the work, so that nothing comes amid it, now sooner and now later. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    try {
      return await work();
    } finally {
      this.#held = undefined;
      release();
    }
  }

  [Symbol.dispose](): void {
    this.#gateway.serve();
    this.#wake();
  }

  async #counted<T>(held: Promise<void> | undefined, work: () => Promise<T>): Promise<T> {
    this.#underway += 1;
    try {
      await held;
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
