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
  /** Milliseconds that a page may take. */
  readonly patienceMs: number;
  /** Of the shop: which actions mean what. */
  readonly strict: boolean;
}

/** What pages are laid out for; nothing that agents see depends on it. */
export const viewport = { width: 1024, height: 768 } as const;

/** The shop's own host, whose episodes are played in a browser. Closing it closes both. */
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

/** Browsers and their patience tell no results apart. */
const browsedIdentity = (identity: Json, observationMode: BrowsedMode): Json => ({
  ...(identity as Readonly<Record<string, Json>>),
  observationMode,
});
