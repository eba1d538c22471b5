import { UsageError } from '../../core/errors.ts';
import type { GoalPanel } from '../goals/goal-panel.ts';
import { drawnPrice } from '../catalogue/drawn-price.ts';
import type { Product } from '../catalogue/product.ts';
import type { CatalogueRecipe, ReadProducts } from '../catalogue/recipe.ts';
import { GoalMaker } from './goal-maker.ts';
import { generatedPanels } from './panels.ts';
import { ProductMaker } from './product-maker.ts';

/** Changes whenever the products or goals of a seed do. */
export const generatorVersion = 2;

export interface GeneratedOptions {
  /** From 1,000 to 2,000,000. */
  readonly products: number;
  /** Another seed is another shop. A whole number from 0. */
  readonly seed: number;
}

/** Products and goals made from a seed, each when it is asked for and the same on every machine. */
export interface GeneratedCatalogue extends CatalogueRecipe {
  readonly source: 'generated';
  readonly identity: { readonly generator: number; readonly seed: number; readonly products: number };
  readonly size: number;
  /**
   * The product of that number: a function of seed and number alone, so that a smaller catalogue is the beginning of a larger one.
   * Throws a `RangeError` for a number that is no product's.
   */
  product(number: number): Product;
  /** What buying it costs, in dollars: its price, or the point drawn from its range. */
  price(number: number): number;
  /** All products in order, made as one goes. */
  products(reading?: Partial<Pick<ReadProducts, 'advance'>>): Iterable<Product>;
  /** `train`, `dev` and `test`: see {@link generatedPanels} for what sets them apart. */
  readonly panels: readonly GoalPanel[];
}

const fewest = 1_000;
const most = 2_000_000;

/** Products that are made before the next word of how far it is. */
const productsAtOnce = 1_024;

/**
 * A catalogue of our own, in the manner of WebShop's: departments, types, titles, features, options, prices and queries look alike
 * and have about the same statistics; texts, brands and products are invented.
 *
 * Makers sell lines of up to five products that differ in an attribute or two, in price, in stock or in wording; one attribute in
 * five is told by no page. So a search finds many products of the type, and which of them is asked for lies in attributes, options
 * and price.
 *
 * @throws UsageError when there are too few or too many products, or the seed is no whole number from 0
 */
export function generatedCatalogue({ products: size, seed }: GeneratedOptions): GeneratedCatalogue {
  assertWhole('products', size, { least: fewest, most });
  assertWhole('seed', seed, { least: 0, most: Number.MAX_SAFE_INTEGER });
  const maker = new ProductMaker(seed);
  const product = (number: number): Product => {
    if (!Number.isInteger(number) || number < 0 || number >= size)
      throw new RangeError(`there is no product ${number}`);
    return maker.make(number).product;
  };
  return {
    source: 'generated',
    identity: { generator: generatorVersion, seed, products: size },
    size,
    product,
    price: (number) => drawnPrice(product(number)),
    *products({ advance }: Partial<Pick<ReadProducts, 'advance'>> = {}) {
      for (let number = 0; number < size; number += 1) {
        if (number % productsAtOnce === 0) advance?.(number, size);
        yield maker.make(number).product;
      }
      advance?.(size, size);
    },
    panels: generatedPanels(new GoalMaker(maker), size),
  };
}

function assertWhole(
  name: string,
  value: number,
  { least, most: limit }: { readonly least: number; readonly most: number },
): void {
  if (Number.isInteger(value) && value >= least && value <= limit) return;
  throw new UsageError({
    where: `generatedCatalogue, ${name}`,
    what: `${value} is not a whole number from ${least} to ${limit}.`,
    fix: `Give one, such as ${name}: ${least}.`,
  });
}
