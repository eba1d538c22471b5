import fc from 'fast-check';
import type { Product } from '../../envs/shop/catalogue/product.ts';

const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 });

/** Any product, however odd its texts. */
export const productArbitrary: fc.Arbitrary<Product> = fc.record({
  asin: fc.stringMatching(/^[A-Z0-9]{0,10}$/),
  name: fc.string({ unit: 'grapheme', maxLength: 300 }),
  query: fc.string(),
  category: fc.string(),
  productCategory: fc.string(),
  description: fc.string({ unit: 'grapheme' }),
  bulletPoints: texts,
  attributes: texts,
  options: fc.array(fc.record({ name: fc.string(), values: texts }), { maxLength: 3 }),
  pricing: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 2 }),
  priceText: fc.string(),
  reviews: fc.array(fc.record({ title: fc.string(), body: fc.string(), score: fc.string() }), {
    maxLength: 3,
  }),
  rating: fc.string(),
});

/** A plain product of that id. */
export function plainProduct(asin: string, change: Partial<Product> = {}): Product {
  return {
    asin,
    name: `Lamp ${asin}`,
    query: 'desk lamps',
    category: 'garden',
    productCategory: 'Home \u203A Lamps',
    description: 'A lamp.',
    bulletPoints: ['Bright', 'Long cable'],
    attributes: ['easy clean'],
    options: [{ name: 'color', values: ['red', 'green'] }],
    pricing: [12.5],
    priceText: '$12.5',
    reviews: [],
    rating: 'N.A.',
    ...change,
  };
}
