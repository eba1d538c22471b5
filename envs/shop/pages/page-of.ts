import type { Product } from '../catalogue/product.ts';
import type { ItemPlace, ShopPlace } from '../place.ts';
import type { ShopSession } from '../session.ts';
import type { Shop } from '../shop.ts';
import { addressOf, receiptAddress } from './address.ts';
import type { DonePage, Page, SubPageContent, SubPageName } from './page.ts';

/** The shopper of a page. */
export interface Shopper {
  readonly instruction: string;
  /** Name of the session in addresses. */
  readonly name: string;
}

/** The current page of a session. */
export function pageOf(shop: Shop, { place, visited }: ShopSession, { instruction, name }: Shopper): Page {
  const url = addressOf(place, name, asinAt(shop, place));
  switch (place.kind) {
    case 'start':
      return { kind: 'start', url, instruction };
    case 'results': {
      const rows = shop.shown(place.query, place.page).map((number) => {
        const { product } = shop.sheet(number);
        return {
          asin: product.asin,
          title: product.name,
          price: product.priceText,
          visited: visited.has(number),
        };
      });
      return {
        kind: 'results',
        url,
        instruction,
        number: place.page,
        total: shop.search(place.query).products.length,
        rows,
      };
    }
    case 'item': {
      const { product } = shop.sheet(place.product);
      const options = product.options.map((option) => ({
        ...option,
        chosen: place.options.get(option.name.toLowerCase()),
      }));
      const { name: title, priceText: price, rating } = product;
      return { kind: 'item', url, instruction, title, price, rating, options, subPages: shop.subPages };
    }
    case 'sub-page': {
      const { product } = shop.sheet(place.product);
      return {
        kind: 'sub-page',
        url,
        instruction,
        title: product.name,
        content: contentOf(product, place.name),
      };
    }
    default:
      return place satisfies never;
  }
}

/** The page after buying the product at the place. */
export function receiptOf(
  shop: Shop,
  place: ItemPlace,
  shopper: Pick<Shopper, 'name'>,
  score: number,
): DonePage {
  const { asin } = shop.sheet(place.product).product;
  return {
    kind: 'done',
    url: receiptAddress(place, shopper.name, asin),
    asin,
    options: place.options,
    score,
  };
}

const asinAt = (shop: Shop, place: ShopPlace): string =>
  'product' in place ? shop.sheet(place.product).product.asin : '';

function contentOf(product: Product, name: SubPageName): SubPageContent {
  switch (name) {
    case 'Description':
      return { name, description: product.description };
    case 'Features':
      return { name, bulletPoints: product.bulletPoints };
    case 'Reviews':
      return { name, reviews: product.reviews };
    case 'Attributes':
      return {
        name,
        attributes: product.attributes,
        category: product.category,
        query: product.query,
        productCategory: product.productCategory,
      };
    default:
      return name satisfies never;
  }
}
