import type { Gateway } from './gateway.ts';
import type { PageHandler } from './page-handler.ts';

/** The pages of one episode, served by its gateway, and whether one of them is being asked for. */
export class MountedPages implements Disposable {
  readonly #gateway: Gateway;
  #underway = 0;
  #waiting: (() => void)[] = [];

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

  [Symbol.dispose](): void {
    this.#gateway.serve();
    this.#wake();
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#underway += 1;
    try {
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
