import type { Browser } from 'playwright-core';

interface Made {
  /** The position among all tabs that the browser has ever created. */
  readonly place: number;
  /** The tab's context. */
  readonly context: string | undefined;
}

/**
 * The order in which a browser created its tabs, by target id. Pages open windows in a fixed order.
 * Playwright reports each when it is ready, which is a matter of chance where several open at once.
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

  /** Increases from the first tab to the last. */
  placeOf(target: string): number {
    return this.#made.get(target)?.place ?? Infinity; // closed meanwhile
  }

  /** The number of older tabs of the same context that still exist. */
  olderThan(target: string): number {
    const { place, context } = this.#made.get(target) ?? { place: 0, context: undefined };
    return [...this.#made.values()].filter((other) => other.context === context && other.place < place)
      .length;
  }
}
