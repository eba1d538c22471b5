import type { Gateway } from './gateway.ts';
import type { PageHandler } from '../page/page-handler.ts';
import { waitingHeader } from '../scripts/work-script.ts';

/** The pages of one episode as its gateway serves them. It knows whether a request is being answered. */
export class MountedPages implements Disposable {
  readonly #gateway: Gateway;
  #underway = 0;
  #waiting: (() => void)[] = [];
  /** Resolves when requests are answered again. */
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

  /**
   * Does the work and answers unawaited requests only after it. So nothing arrives during the work at varying
   * times.
   */
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
