import { UsageError } from '../../core/errors.ts';
import type { GoalPanel } from '../goals/goal.ts';
import { drawnPrice } from '../catalogue/drawn-price.ts';
import type { Product } from '../catalogue/product.ts';
import type { CatalogueRecipe, ReadProducts } from '../catalogue/recipe.ts';
import { GoalMaker } from './goal-maker.ts';
import { generatedPanels } from './panels.ts';
import { ProductMaker } from './product-maker.ts';

/** Increased whenever the products or goals of a seed change. */
export const generatorVersion = 2;

export interface GeneratedOptions {
  /** From 1,000 to 2,000,000. */
  readonly products: number;
  /** An integer of at least 0. Another seed is another shop. */
  readonly seed: number;
}

/** Products and goals generated from a seed, each on demand and the same on every machine. */
export interface GeneratedCatalogue extends CatalogueRecipe {
  readonly source: 'generated';
  readonly identity: { readonly generator: number; readonly seed: number; readonly products: number };
  readonly size: number;
  /**
   * The product of that number. It is a function of seed and number alone, so a smaller catalogue is the
   * start of a larger one.
   *
   * @throws RangeError for the number of no product
   */
  product(number: number): Product;
  /** Its cost in dollars: its price, or the point drawn from its range. */
  price(number: number): number;
  /** All products in order, generated lazily. */
  products(reading?: Partial<Pick<ReadProducts, 'advance'>>): Iterable<Product>;
  /** `train`, `dev` and `test`. {@link generatedPanels} describes their differences. */
  readonly panels: readonly GoalPanel[];
}

const fewest = 1_000;
const most = 2_000_000;

/** Products that are generated between two progress reports. */
const productsAtOnce = 1_024;

/**
 * A generated catalogue in the style of WebShop's. Departments, types, titles, features, options, prices and
 * queries look alike and have about the same statistics. Texts, brands and products are invented.
 *
 * Makers sell lines of up to five products that differ in an attribute or two, in price, in stock or in
 * wording. One attribute in five is not shown on any page. So a search finds many products of the type, and
 * attributes, options and price decide which one is required.
 *
 * @throws UsageError when there are too few or too many products, or the seed is not an integer of at least 0
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
    fix: `Use one, such as ${name}: ${least}.`,
  });
}
