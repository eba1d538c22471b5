import type { Browser } from 'playwright-core';

interface Made {
  /** Among all tabs that the browser has ever made. */
  readonly place: number;
  /** Of which context. */
  readonly context: string | undefined;
}

/**
 * In what order a browser made its tabs, by their target ids. Pages open windows in an order of their own; Playwright tells of each when it
 * is ready, which is a matter of chance where several open at once.
 */
export class TabOrder {
  readonly #made = new Map<string, Made>();

  static async of(browser: Browser): Promise<TabOrder> {
    const order = new TabOrder();
    const session = await browser.newBrowserCDPSession();
    let place = 0;
    session.on('Target.targetCreated', ({ targetInfo: { targetId, browserContextId } }) => {
      place += 1;
      order.#made.set(targetId, { place, context: browserContextId });
    });
    session.on('Target.targetDestroyed', ({ targetId }) => order.#made.delete(targetId));
    await session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
    return order;
  }

  /** Grows from the first tab to the last. */
  placeOf(target: string): number {
    return this.#made.get(target)?.place ?? Infinity; // closed by now
  }

  /** How many tabs of the same context are older, and still there. */
  olderThan(target: string): number {
    const { place, context } = this.#made.get(target) ?? { place: 0, context: undefined };
    return [...this.#made.values()].filter((other) => other.context === context && other.place < place)
      .length;
  }
}
