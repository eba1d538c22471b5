import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import type { ShopHost } from '../shop/host.ts';
import type { BrowsingManner } from './host.ts';
import { Shopping } from './shopping.ts';
import { readShownPoint, saveShownPoint } from './snapshot.ts';

/**
 * An env for one shopper at a time, in a browser context of its own. The context is closed when the episode
 * ends.
 */
export class ShopBrowserEnv implements Env<string, string> {
  readonly snapshots: Snapshots<string, string> = {
    take: () => saveShownPoint(this.#underWay()),
    restore: (snapshot) => this.#restore(snapshot),
  };
  readonly #shop: ShopHost;
  readonly #manner: BrowsingManner;
  #shopping: Shopping | undefined;
  /** Contexts that are closing. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(shop: ShopHost, manner: BrowsingManner) {
    this.#shop = shop;
    this.#manner = manner;
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<string, string>> {
    this.#leave();
    signal.throwIfAborted();
    const visit = this.#shop.visit(ref);
    const shopping = new Shopping(visit, this.#manner);
    this.#shopping = shopping;
    const turn = await this.#orLeave(() => shopping.begin(signal));
    this.#manner.engine.prepare();
    return { ...turn, instruction: visit.task.goal.instruction };
  }

  async step(action: string, { signal }: Context): Promise<StepResult<string, string>> {
    const shopping = this.#underWay();
    const result = await this.#orLeave(() => shopping.step(action, signal));
    if (result.kind !== 'ongoing') this.#leave();
    return result;
  }

  async close(): Promise<void> {
    this.#leave();
    await Promise.all(this.#leaving);
  }

  /** The next step opens the page. It must be the one that was shown. */
  #restore(snapshot: Snapshot): Turn<string, string> {
    const { saved, shown } = readShownPoint(snapshot);
    const visit = this.#shop.revisit(saved);
    this.#leave();
    this.#shopping = new Shopping(visit, this.#manner, shown);
    return this.#shopping.turn();
  }

  /** A fault ends the episode and closes its page. */
  async #orLeave<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }

  #leave(): void {
    const left = this.#shopping;
    this.#shopping = undefined;
    if (left === undefined) return;
    const leaving = left.close().finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  #underWay(): Shopping {
    return currentEpisode('shop-browser', this.#shopping);
  }
}
