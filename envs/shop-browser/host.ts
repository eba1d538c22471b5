import type { EnvHost } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { BrowserEngine } from '../engines/browser/session/browser-engine.ts';
import type { ShopHost } from '../shop/host.ts';
import type { BrowsedMode } from './config.ts';
import { ShopBrowserEnv } from './env.ts';
import { PageSearcher } from './page-searcher.ts';
import { swapGoalOf } from './snapshot.ts';

/** How a shop is browsed. */
export interface BrowsingManner {
  readonly engine: BrowserEngine;
  readonly observationMode: BrowsedMode;
  /** Time limit of a page in milliseconds. */
  readonly patienceMs: number;
  /** The strict mode of the shop: how actions are interpreted. */
  readonly strict: boolean;
}

/** The size for which pages are laid out. Nothing that agents see depends on it. */
export const viewport = { width: 1024, height: 768 } as const;

/** A shop host whose episodes are played in a browser. Closing it closes the shop and the browser. */
export function browseShop(shop: ShopHost, manner: BrowsingManner): EnvHost<string, string> {
  const { engine, observationMode } = manner;
  const { experts, audit } = shop;
  return {
    panels: shop.panels,
    ...(shop.identity === undefined ? {} : { identity: browsedIdentity(shop.identity, observationMode) }),
    describeTask: (ref) => shop.describeTask(ref),
    create: async () => new ShopBrowserEnv(shop, manner),
    close: async () => {
      await engine.close();
      await shop.close();
    },
    experts: {
      planner: (ref) => experts.planner(ref),
      searcher: (rng) =>
        observationMode === 'text' ? experts.searcher(rng) : new PageSearcher(experts.searcher(rng)),
    },
    audit: { swapHidden: swapGoalOf((snapshot, rng) => audit.swapHidden(snapshot, rng)) },
  };
}

/** Results do not depend on the browser and its time limits. */
const browsedIdentity = (identity: Json, observationMode: BrowsedMode): Json => ({
  ...(identity as Readonly<Record<string, Json>>),
  observationMode,
});
