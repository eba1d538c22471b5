import { createContext } from '../../../envs/core/context.ts';
import { createCatalogue } from '../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Product } from '../../../envs/shop/catalogue/product.ts';
import type { Goal } from '../../../envs/shop/goals/goal.ts';
import type { GoalPanel } from '../../../envs/shop/goals/goal.ts';
import { openShop, type ShopHost, type ShopManner } from '../../../envs/shop/host.ts';
import { scorePurchase } from '../../../envs/shop/reward/score-purchase.ts';
import type { NounSource } from '../../../envs/shop/reward/score.ts';
import { Shop } from '../../../envs/shop/shop.ts';

// A shop of some forty products, made by hand: enough for every rule, small enough to be worked out on paper.

export const context = createContext({ seed: 1, now: () => 0 });
export const plainManner: ShopManner = { observationMode: 'text', strict: false, showAttributes: false };

/** A product with the properties that a test gives. */
export function productOf(about: Partial<Product> & { readonly asin: string }): Product {
  const pricing = about.pricing ?? [10];
  const money = (price: number | undefined): string => `$${Number.isInteger(price) ? `${price}.0` : price}`;
  return {
    name: `Thing ${about.asin}`,
    query: 'things',
    category: 'garden',
    productCategory: 'Home › Things',
    description: '',
    bulletPoints: [],
    attributes: [],
    options: [],
    reviews: [],
    rating: 'N.A.',
    ...about,
    pricing,
    priceText: pricing.length === 2 ? `${money(pricing[0])} to ${money(pricing[1])}` : money(pricing[0]),
  };
}

const sizes = { name: 'size', values: ['small', 'medium', 'large'] };

/** Shirts, lamps and teas: each kind in ten makes. */
const shelves: readonly Product[] = [
  'linen',
  'cotton',
  'silk',
  'wool',
  'denim',
  'fleece',
  'jersey',
  'flannel',
  'satin',
  'hemp',
].flatMap((make, index) => [
  productOf({
    asin: `B0SHIRT0${index}0`,
    name: `${make} shirt for men`,
    query: "men's shirts",
    category: 'fashion',
    productCategory: 'Clothing › Men › Shirts',
    description: `A shirt of ${make}.`,
    bulletPoints: [`soft ${make}`, 'machine wash'],
    attributes: ['machine wash', `soft ${make}`],
    options: [{ name: 'color', values: ['red', 'navy blue', `${make} green`] }, sizes],
    pricing: [20 + index],
  }),
  productOf({
    asin: `B0LAMP00${index}0`,
    name: `${make} shade table lamp`,
    query: 'table lamps',
    productCategory: 'Home › Lighting › Table Lamps',
    description: `Its shade is of ${make}.`,
    bulletPoints: [`${make} shade`, 'easy to assemble'],
    attributes: ['easy assemble'],
    options: index % 2 === 0 ? [{ name: 'shade color', values: ['white', 'grey'] }] : [],
    pricing: [30 + index, 60 + index],
  }),
  productOf({
    asin: `B0TEA000${index}0`,
    name: `${make} blend black tea, 50 bags`,
    query: 'black tea',
    category: 'grocery',
    productCategory: 'Grocery › Beverages › Tea',
    bulletPoints: [`a blend called ${make}`, 'caffeine free'],
    attributes: ['caffeine free'],
    pricing: [5 + index],
  }),
]);

/** Products as odd as those of real catalogues. */
export const oddities = {
  quotes: productOf({
    asin: 'B0QUOTES01',
    name: 'Pillow "Dream" <20 x 20> & Co\'s   best',
    query: 'pillows',
    description: '  <b>Not bold</b> & "quoted"\nsecond line  ',
    bulletPoints: ['a < b', '', '  ', '\n', 'it\'s "fine"'],
    attributes: ['double sided'],
    options: [{ name: 'Size', values: ['20"x20"', "vanilla 'n fudge", 'café', 'red [large]', 'two\nlines'] }],
    reviews: [
      { title: 'Great', body: 'Very "soft" <3', score: '5.0' },
      { title: '', body: '', score: '1.0' },
    ],
    rating: '4.5',
  }),
  twins: productOf({
    asin: 'B0TWINS001',
    name: 'Kettle and cup',
    query: 'kettles',
    options: [
      { name: 'kettle', values: ['red', 'blue', 'description'] },
      { name: 'cup', values: ['red', 'search', 'kettle', ''] },
    ],
  }),
  bare: productOf({
    asin: 'B0BARE0001',
    name: '',
    query: '',
    category: '',
    productCategory: '',
    pricing: [99.5],
  }),
  linked: productOf({ asin: 'B0[BAD]001', name: 'Kettle that cannot be clicked', query: 'kettles' }),
} as const;

export const products: readonly Product[] = [...shelves, ...Object.values(oddities)];

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Counts every word as a noun, except short function words. */
export const plainNouns: NounSource = {
  origin: { name: 'words-1', recorded: false },
  nounsOf: (title) => wordsOf(title).filter((word) => !['for', 'of', 'and', 'that'].includes(word)),
};

/** The goal of buying that product with the first value of each of its options. */
export function goalOf(product: Product, about: Partial<Goal> = {}): Goal {
  const options = product.options.map(({ name, values }) => ({ name, value: values[0] ?? '' }));
  const wanted =
    options.length === 0
      ? ''
      : ` with ${options.map(({ name, value }) => `${name}: ${value}`).join(', and ')}`;
  const priceUpper = Math.ceil(Math.max(...product.pricing) / 10) * 10 + 10;
  return {
    asin: product.asin,
    instruction: `Find me ${product.attributes.join(', ')} ${product.name}${wanted}, and price lower than ${priceUpper}.00 dollars`,
    attributes: product.attributes,
    options,
    priceUpper,
    name: product.name,
    query: product.query,
    category: product.category,
    productCategory: product.productCategory,
    weight: 1,
    ...about,
  };
}

export function panelOf(
  name: string,
  purpose: GoalPanel['purpose'],
  goals: readonly Goal[],
  first = 0,
): GoalPanel {
  return {
    name,
    purpose,
    summary: `goals of ${name}`,
    size: goals.length,
    first,
    goal: (index) => goals[index] as Goal,
  };
}

const wished = shelves.map((product) => goalOf(product));

/** `train` has 20 goals, `dev` and `test` five each. */
export const panels: readonly GoalPanel[] = [
  panelOf('train', 'train', wished.slice(10), 10),
  panelOf('dev', 'dev', wished.slice(5, 10), 5),
  panelOf('test', 'held-out', wished.slice(0, 5)),
];

export const openCorner = (
  manner: Partial<ShopManner> = {},
  stock: readonly Product[] = products,
): ShopHost =>
  openShop(
    { catalogue: createCatalogue('generated', stock), panels, nouns: plainNouns, score: scorePurchase },
    { ...plainManner, ...manner },
  );

export const shopOf = (
  stock: readonly Product[] = products,
  options: { readonly strict?: boolean; readonly showAttributes?: boolean } = {},
): Shop =>
  new Shop(createCatalogue('generated', stock), { strict: false, showAttributes: false, ...options });
