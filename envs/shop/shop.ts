import type { Catalogue } from './catalogue/catalogue.ts';
import type { Product } from './catalogue/product.ts';
import { clickOn, isClickable } from './command.ts';
import { buttons, type SubPageName } from './pages/page.ts';
import type { ShopPlace } from './place.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { LruCache } from '../kit/lru-cache.ts';

/** Products on a page of results. */
export const productsAPage = 10;

/** The result of a search. */
export interface Results {
  /** Numbers of the products, best first, at most 50. */
  readonly products: readonly number[];
  /** Equal lists have equal digests; 16 characters. */
  readonly digest: string;
}

/** A product with the actions of its page. */
export interface Sheet {
  readonly product: Product;
  /**
   * Names of the options by value, because clicks name values. Of two options with one value, the last one
   * has it.
   */
  readonly optionOf: ReadonlyMap<string, string>;
  /** The action that opens it from the results; undefined where its id cannot be clicked. */
  readonly open: string | undefined;
  /** The actions of its page. */
  readonly actions: readonly string[];
}

const cachedSearches = 4096;
const cachedSheets = 8192;

const click = (words: string): string => clickOn(words.toLowerCase());

/** The products, the search and the rules that all sessions share. */
export class Shop {
  readonly catalogue: Catalogue;
  readonly strict: boolean;
  /** In the order of their buttons. */
  readonly subPages: readonly SubPageName[];
  readonly #searches = new LruCache<string, Results>(cachedSearches);
  readonly #sheets = new LruCache<number, Sheet>(cachedSheets);

  constructor(catalogue: Catalogue, options: { readonly strict: boolean; readonly showAttributes: boolean }) {
    this.catalogue = catalogue;
    this.strict = options.strict;
    this.subPages = options.showAttributes
      ? ['Description', 'Features', 'Reviews', 'Attributes']
      : ['Description', 'Features', 'Reviews'];
  }

  search(query: string): Results {
    return this.#searches.get(query, () => {
      const products = this.catalogue.search(query);
      return {
        products,
        digest: shortDigest(products.join(), 16),
      };
    });
  }

  /** The products on that page of the results; empty after the last one. */
  shown(query: string, page: number): readonly number[] {
    return this.search(query).products.slice((page - 1) * productsAPage, page * productsAPage);
  }

  sheet(product: number): Sheet {
    return this.#sheets.get(product, () => this.#makeSheet(this.catalogue.product(product)));
  }

  /** The sub page of that button; undefined where there is none. */
  subPage(target: string): SubPageName | undefined {
    return this.subPages.find((name) => name.toLowerCase() === target);
  }

  /**
   * The clickable elements of a place as actions, in the original's order. Searches are possible anywhere.
   */
  clicksAt(place: ShopPlace): readonly string[] {
    switch (place.kind) {
      case 'start':
        return [];
      case 'results': {
        const actions = [...(place.page > 1 ? furtherClicks : firstClicks)];
        for (const product of this.shown(place.query, place.page)) {
          const { open } = this.sheet(product);
          if (open !== undefined) actions.push(open);
        }
        return actions;
      }
      case 'item':
        return this.sheet(place.product).actions;
      case 'sub-page':
        return subPageClicks;
      default:
        return place satisfies never;
    }
  }

  close(): Promise<void> {
    this.#searches.clear();
    this.#sheets.clear();
    return this.catalogue.close();
  }

  #makeSheet(product: Product): Sheet {
    const words = [buttons.backToSearch, buttons.previous, ...this.subPages, buttons.buy].map((button) =>
      button.toLowerCase(),
    );
    const optionOf = new Map<string, string>();
    for (const { name, values } of product.options) {
      for (const value of values)
        if (!words.includes(value) && isClickable(value, this)) optionOf.set(value, name.toLowerCase());
    }
    const link = product.asin.toLowerCase();
    return {
      product,
      optionOf,
      open: isClickable(link, this) ? clickOn(link) : undefined,
      actions: [...words, ...optionOf.keys()].map(clickOn),
    };
  }
}

const firstClicks = [buttons.backToSearch, buttons.next].map(click);
const furtherClicks = [buttons.backToSearch, buttons.previous, buttons.next].map(click);
const subPageClicks = [buttons.backToSearch, buttons.previous].map(click);
