import { clickOn, type Command } from './command.ts';
import { buttons } from './pages/page.ts';
import type { ItemPlace, ShopPlace, ResultsPlace, SubPagePlace } from './place.ts';
import type { Shop } from './shop.ts';

/** All that the shop knows of a shopper. */
export interface ShopSession {
  readonly place: ShopPlace;
  /** Products opened since the start page was last shown. Their links look different. */
  readonly visited: ReadonlySet<number>;
}

export type Consequence =
  | { readonly kind: 'moved'; readonly session: ShopSession }
  | { readonly kind: 'bought'; readonly place: ItemPlace };

export const freshSession: ShopSession = { place: { kind: 'start' }, visited: new Set() };

const words = {
  backToSearch: buttons.backToSearch.toLowerCase(),
  next: buttons.next.toLowerCase(),
  previous: buttons.previous.toLowerCase(),
  buy: buttons.buy.toLowerCase(),
} as const;

/** Whether the command buys, where a purchase is possible. */
export const isPurchase = (command: Command): boolean =>
  command.kind === 'click' && command.target === words.buy;

/**
 * The effect of a command; undefined where there is none. Searches are possible anywhere, even without a
 * search bar.
 */
export function follow(shop: Shop, session: ShopSession, command: Command): Consequence | undefined {
  const { place, visited } = session;
  switch (command.kind) {
    case 'none':
      return undefined;
    case 'search':
      return moved({ kind: 'results', query: command.query, page: 1 }, visited);
    case 'click':
      if (place.kind === 'start') return undefined;
      if (command.target === words.backToSearch) return moved({ kind: 'start' }, freshSession.visited);
      if (place.kind === 'results') return fromResults(shop, place, visited, command.target);
      return place.kind === 'item'
        ? fromItem(shop, place, visited, command.target)
        : fromSubPage(place, visited, command.target);
    default:
      return command satisfies never;
  }
}

const moved = (place: ShopPlace, visited: ReadonlySet<number>): Consequence => ({
  kind: 'moved',
  session: { place, visited },
});

function fromResults(
  shop: Shop,
  place: ResultsPlace,
  visited: ReadonlySet<number>,
  target: string,
): Consequence | undefined {
  const { query, page } = place;
  if (target === words.next) return moved({ kind: 'results', query, page: page + 1 }, visited);
  if (target === words.previous)
    return page > 1 ? moved({ kind: 'results', query, page: page - 1 }, visited) : undefined;
  const action = clickOn(target);
  const product = shop.shown(query, page).find((number) => shop.sheet(number).open === action);
  if (product === undefined) return undefined;
  return moved({ kind: 'item', query, page, product, options: new Map() }, new Set(visited).add(product));
}

function fromItem(
  shop: Shop,
  place: ItemPlace,
  visited: ReadonlySet<number>,
  target: string,
): Consequence | undefined {
  const { query, page, product, options } = place;
  if (target === words.buy) return { kind: 'bought', place };
  if (target === words.previous) return moved({ kind: 'results', query, page }, visited);
  const name = shop.subPage(target);
  if (name !== undefined) return moved({ ...place, kind: 'sub-page', name }, visited);
  const option = shop.sheet(product).optionOf.get(target);
  return option === undefined
    ? undefined
    : moved({ ...place, options: new Map(options).set(option, target) }, visited);
}

function fromSubPage(
  { query, page, product, options }: SubPagePlace,
  visited: ReadonlySet<number>,
  target: string,
): Consequence | undefined {
  return target === words.previous
    ? moved({ kind: 'item', query, page, product, options }, visited)
    : undefined;
}
