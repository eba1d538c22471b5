import type { SubPageName } from './pages/page.ts';
import type { ItemPlace, ShopPlace, SubPagePlace } from './place.ts';
import type { Shop } from './shop.ts';

/** What has been shown, as plain values. */
export interface ShownFacts {
  /** Digests of the lists of results. */
  readonly lists: readonly string[];
  /** Numbers of the opened products. */
  readonly opened: readonly number[];
  /** Sub pages that were read, as product and name. */
  readonly read: readonly (readonly [number, SubPageName])[];
}

/**
 * Remembers what an episode has shown, and writes the information state of a place: what a shopper who
 * remembers everything knows *and could still use there*. Equal keys have equal admissible actions, and
 * nothing that was not shown can change a key.
 *
 * Kept on a page of results: the results by their products, whatever the query was, the page, and which of
 * its products have been opened. On a product's page: the product, the chosen options, and which of its sub
 * pages have been read. On a sub page: the sub page. On the start page: which lists of results have been
 * seen.
 *
 * Dropped: the number and order of steps, the order in which options were chosen, and the wording of queries.
 * On a product's page also everything about other products. Reviews too, because they do not affect the
 * score.
 */
export class Information {
  readonly #shop: Shop;
  readonly #lists: Set<string>;
  readonly #opened: Set<number>;
  readonly #read: Map<number, Set<SubPageName>>;

  constructor(shop: Shop, shown: ShownFacts = { lists: [], opened: [], read: [] }) {
    this.#shop = shop;
    this.#lists = new Set(shown.lists);
    this.#opened = new Set(shown.opened);
    this.#read = new Map();
    for (const [product, name] of shown.read) this.#noteRead(product, name);
  }

  /** Records that the place has been shown. */
  note(place: ShopPlace): void {
    if (place.kind === 'results') this.#lists.add(this.#shop.search(place.query).digest);
    if (place.kind === 'item') this.#opened.add(place.product);
    if (place.kind === 'sub-page') this.#noteRead(place.product, place.name);
  }

  /** Equal for equal useful knowledge at the place. */
  key(place: ShopPlace): string {
    switch (place.kind) {
      case 'start':
        return `start|${[...this.#lists].toSorted().join()}`;
      case 'results': {
        const opened = this.#shop
          .shown(place.query, place.page)
          .map((product) => (this.#opened.has(product) ? '1' : '0'));
        return `results|${this.#listKey(place)}|${opened.join('')}`;
      }
      case 'item':
        return `item|${this.#productKey(place)}`;
      case 'sub-page':
        return `${place.name}|${this.#productKey(place)}`;
      default:
        return place satisfies never;
    }
  }

  facts(): ShownFacts {
    const read = [...this.#read].flatMap(([product, names]) =>
      [...names].map((name) => [product, name] as const),
    );
    return { lists: [...this.#lists], opened: [...this.#opened], read };
  }

  #noteRead(product: number, name: SubPageName): void {
    const names = this.#read.get(product);
    if (names === undefined) this.#read.set(product, new Set([name]));
    else names.add(name);
  }

  #listKey({ query, page }: { readonly query: string; readonly page: number }): string {
    return `${this.#shop.search(query).digest}/${page}`;
  }

  #productKey(place: ItemPlace | SubPagePlace): string {
    const read = this.#read.get(place.product);
    const known = scoring.map((name) => (read?.has(name) === true ? '1' : '0')).join('');
    const chosen =
      place.options.size === 0
        ? ''
        : JSON.stringify([...place.options].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return `${this.#listKey(place)}|${place.product}|${known}|${chosen}`;
  }
}

/** The sub pages whose words can match the goal. */
const scoring: readonly SubPageName[] = ['Description', 'Features', 'Attributes'];
