import { UsageError } from '../../core/errors.ts';
import { TextIndexBuilder } from '../../engines/text-search/index-builder.ts';
import type { Catalogue } from './catalogue.ts';
import { ContentDigest } from './content-digest.ts';
import { drawnPrice } from './drawn-price.ts';
import { indexedText } from './indexed-text.ts';
import type { Product } from './product.ts';
import { findProducts } from './product-search.ts';

/**
 * A catalogue in memory that leaves nothing on disk. It is for small catalogues, which are created faster
 * than read. Equal products give the same answers as a stored catalogue.
 *
 * @throws UsageError for a repeated id
 */
export function createCatalogue(source: Catalogue['source'], products: Iterable<Product>): Catalogue {
  const numbers = new Map<string, number>();
  const list: Product[] = [];
  const prices: number[] = [];
  const digest = new ContentDigest();
  const builder = new TextIndexBuilder();
  for (const product of products) {
    if (numbers.has(product.asin)) {
      throw new UsageError({
        where: 'createCatalogue',
        what: `the id ${JSON.stringify(product.asin)} comes twice.`,
        fix: 'Give every product a unique id.',
      });
    }
    numbers.set(product.asin, list.length);
    list.push(product);
    prices.push(drawnPrice(product));
    digest.add(product);
    builder.add(indexedText(product));
  }
  const index = builder.finish(numbersById(list));
  const at = <T>(items: readonly T[], number: number): T => {
    const item = items[number];
    if (item === undefined) throw new RangeError(`there is no product ${number}`);
    return item;
  };
  return {
    source,
    fingerprint: digest.finish(),
    size: list.length,
    product: (number) => at(list, number),
    find: (asin) => numbers.get(asin),
    price: (number) => at(prices, number),
    search: (query) => findProducts(index, query),
    close: () => Promise.resolve(),
  };
}

/** The numbers of the products in the order of their ids as Anserini compares them: byte by byte, in UTF-8. */
function numbersById(products: readonly Product[]): Uint32Array {
  const ids = products.map(({ asin }) => Buffer.from(asin));
  return Uint32Array.from(ids.keys()).sort((a, b) => Buffer.compare(ids[a] as Buffer, ids[b] as Buffer));
}
