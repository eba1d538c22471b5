import { drawnPrice } from '../catalogue/drawn-price.ts';
import type { Goal } from '../goals/goal.ts';
import { noCap, priceCap } from '../goals/price-cap.ts';
import type { AttributeWords } from './attribute.ts';
import type { Draw } from './draw.ts';
import { fewestAttributes } from './held-attributes.ts';
import { endings, openers, writeInstruction, type Wording } from './instruction.ts';
import { shuffled } from './line.ts';
import type { MadeProduct, ProductMaker } from './product-maker.ts';
import type { AskedOption } from './wish-phrases.ts';

export type GoalUse = 'train' | 'dev' | 'test';

/**
 * The most goals of a product: the number of ways to ask for up to three of three attributes. Products have
 * three or more.
 */
export const goalsPerProduct = 2 ** fewestAttributes - 1;

/** The most attributes of a goal. */
const mostAttributes = 3;

/**
 * The wordings of each use. Uses share no wording, so no instruction occurs in two. Of six endings, each
 * opener has one for `dev`, one for `test` and four for `train`. All openers and all endings occur in all
 * three uses. The original's ending is more frequent than the others.
 */
export const wordingsFor: Readonly<Record<GoalUse, readonly Wording[]>> = {
  train: wordings([2, 3, 4, 5]),
  dev: wordings([1]),
  test: wordings([0]),
};

function wordings(kept: readonly number[]): readonly Wording[] {
  const all = openers.flatMap((_, opener) => endings.map((__, ending): Wording => ({ opener, ending })));
  return all
    .filter(({ opener, ending }) => kept.includes((opener + ending) % endings.length))
    .flatMap((wording) => (wording.ending === 0 ? [wording, wording, wording, wording] : [wording]));
}

/** Generates goals as pure functions of seed, product and number. */
export class GoalMaker {
  readonly #products: ProductMaker;
  readonly #draw: Draw;

  constructor(products: ProductMaker) {
    this.#products = products;
    this.#draw = products.stream();
  }

  /**
   * A goal of a product, by its number from 0 below {@link goalsPerProduct}. No two goals of a product ask
   * for the same attributes. Buying the product with the requested options earns the whole reward. Options
   * are requested by value alone, as people do. By the original's rule a named option, such as the flavor
   * blueberry, may never match (blueberry counts as a blue).
   */
  make(product: number, number: number, use: GoalUse): Goal {
    const made = this.#products.make(product);
    const draw = this.#draw;
    const asked = this.#attributesAsked(made, product, number);
    draw.start('goal', product * goalsPerProduct + number);
    const attributes = asked.map((index) => made.product.attributes[index] as string);
    const options = drawAskedOptions(made, draw);
    const { asin, name, query, category, productCategory } = made.product;
    const { priceUpper } = priceCap(drawnPrice(made.product), asin, number);
    const wish = {
      type: made.type,
      head: made.head,
      attributes: attributes.map((attribute) => wordsOf(made, attribute)),
      options,
      priceUpper: priceUpper === noCap ? undefined : priceUpper,
    };
    const instruction = writeInstruction(wish, draw.pick(wordingsFor[use]), draw);
    return {
      asin,
      instruction,
      attributes,
      options: options.map(({ value }) => ({ name: undefined, value })),
      priceUpper,
      name,
      query,
      category,
      productCategory,
      weight: 1,
    };
  }

  /** Indices of the attributes of the goal of that number. Each set of up to three occurs once. */
  #attributesAsked({ product }: MadeProduct, number: number, goal: number): readonly number[] {
    const sets = setsOf(product.attributes.length);
    const draw = this.#draw.start('goals', number);
    const order = shuffled(draw, sets.length);
    return sets[order[goal] as number] as readonly number[];
  }
}

/** All sets of one to three numbers below the count. */
function setsOf(count: number): readonly (readonly number[])[] {
  const sets: number[][] = [];
  for (let bits = 1; bits < 1 << count; bits += 1) {
    const set: number[] = [];
    for (let index = 0; index < count; index += 1) if ((bits >> index) & 1) set.push(index);
    if (set.length <= mostAttributes) sets.push(set);
  }
  return sets;
}

/** Usually a value for every option, sometimes one option less. */
function drawAskedOptions({ product }: MadeProduct, draw: Draw): readonly AskedOption[] {
  const left = draw.chance(15) ? draw.below(product.options.length + 1) : product.options.length;
  return product.options
    .filter((_, index) => index !== left)
    .map(({ name, values }) => ({ name, value: draw.pick(values) }));
}

function wordsOf({ type }: MadeProduct, name: string): AttributeWords {
  const found = type.attributes.find(({ attribute }) => attribute.name === name);
  if (found === undefined) throw new RangeError(`${type.table.query} has no attribute "${name}"`);
  return found.attribute.words;
}
