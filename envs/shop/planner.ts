import { candidateQueries } from './candidate-queries.ts';
import { clickOn, readCommand, searchFor } from './command.ts';
import { squeeze } from './instruction-parts.ts';
import { buttons } from './pages/page.ts';
import type { Purchase, Score } from './reward/score.ts';
import { productsAPage, type Shop } from './shop.ts';
import type { ShopTask } from './task.ts';

/** What a planner may use: everything. */
export interface PlannerView {
  readonly shop: Shop;
  readonly score: (purchase: Purchase) => Score;
}

interface Offer {
  readonly product: number;
  readonly options: ReadonlyMap<string, string>;
  readonly total: number;
}

/**
 * Actions that end in the best purchase that was found: the product from which the goal was made. Where that
 * does not score in full, the best product that the listed searches find. Empty when nothing that scores can
 * be found by searching.
 */
export function planPurchase(task: ShopTask, view: PlannerView): readonly string[] {
  const own = view.shop.catalogue.find(task.goal.asin);
  const first = own === undefined ? undefined : bestOffer(own, view);
  if (own !== undefined && first?.total === 1) {
    const route = routeTo(task, own, view.shop);
    if (route !== undefined) return [...route, ...purchaseOf(first)];
  }
  const listed = candidateQueries(task.goal.instruction).flatMap((query) => view.shop.search(query).products);
  const offers = [...new Set(own === undefined ? listed : [own, ...listed])].map((product) =>
    bestOffer(product, view),
  );
  for (const offer of offers.toSorted((a, b) => b.total - a.total)) {
    const route = offer.total === 0 ? undefined : routeTo(task, offer.product, view.shop);
    if (route !== undefined) return [...route, ...purchaseOf(offer)];
  }
  return [];
}

/** The product with the best options, chosen one by one as long as another requirement can be met. */
function bestOffer(product: number, { shop, score }: PlannerView): Offer {
  const { product: content, optionOf } = shop.sheet(product);
  const price = shop.catalogue.price(product);
  const scoreWith = (options: ReadonlyMap<string, string>): Score =>
    score({ product: content, price, options });
  let options: ReadonlyMap<string, string> = new Map();
  let best = scoreWith(options);
  for (;;) {
    let better: { readonly options: ReadonlyMap<string, string>; readonly score: Score } | undefined;
    for (const [value, name] of optionOf) {
      const tried = new Map(options).set(name, value);
      const found = scoreWith(tried);
      if (found.optionsMatched > (better?.score ?? best).optionsMatched)
        better = { options: tried, score: found };
    }
    if (better === undefined) return { product, options, total: best.total };
    ({ options, score: best } = better);
  }
}

/**
 * A search, page turns, and the click that opens the product: the shortest way by a listed search, or else by
 * its title.
 */
function routeTo({ goal }: ShopTask, product: number, shop: Shop): readonly string[] | undefined {
  const { open, product: content } = shop.sheet(product);
  if (open === undefined) return undefined;
  const title = squeeze(content.name.toLowerCase().replaceAll(/[[\]]/g, ' '));
  const queries = [
    ...candidateQueries(goal.instruction),
    title,
    `${title} ${content.query}`,
    squeeze(`${title} ${content.description}`.toLowerCase().replaceAll(/[[\]]/g, ' ')),
  ];
  let best: readonly string[] | undefined;
  for (const query of queries) {
    if (readCommand(searchFor(query), shop).kind !== 'search') continue;
    const rank = shop.search(query).products.indexOf(product);
    if (rank < 0) continue;
    const turns = Math.floor(rank / productsAPage);
    if (best !== undefined && best.length <= turns + 2) continue;
    best = [
      searchFor(query),
      ...Array.from({ length: turns }, () => clickOn(buttons.next.toLowerCase())),
      open,
    ];
    if (turns === 0) break;
  }
  return best;
}

const purchaseOf = ({ options }: Offer): readonly string[] => [
  ...[...options.values()].map(clickOn),
  clickOn(buttons.buy.toLowerCase()),
];
