import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../envs/core/errors.ts';
import { canonicalProduct, ContentDigest } from '../../../../envs/shop/catalogue/content-digest.ts';
import { drawnPrice } from '../../../../envs/shop/catalogue/drawn-price.ts';
import { generatedCatalogue } from '../../../../envs/shop/generate/generated-catalogue.ts';
import { indexedText } from '../../../../envs/shop/catalogue/indexed-text.ts';
import type { Product } from '../../../../envs/shop/catalogue/product.ts';
import { pythonFloat } from '../../../../envs/engines/python-text/python-text.ts';

const large = generatedCatalogue({ products: 1_181_436, seed: 1 });
const small = generatedCatalogue({ products: 1_000, seed: 1 });
const thousand = [...small.products()];
const sample = Array.from({ length: 8_000 }, (_, index) => large.product(147 * index));

const anyNumber = fc.nat(1_181_435);
const anySeed = fc.nat();
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const share = (products: readonly Product[], holds: (product: Product) => boolean): number =>
  products.filter(holds).length / products.length;
const wordCount = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** The stop words of Lucene's English analyzer. */
const stopWords = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
);
const wordsOf = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}.']+/u).filter((word) => word !== '' && !stopWords.has(word));

describe('a generated catalogue', () => {
  it('keeps its recorded digest on every machine until its version changes', () => {
    const digest = new ContentDigest();
    for (const product of thousand) digest.add(product);
    expect(digest.finish()).toBe('sha256:8a0c664750d9e673ba8faa5d724ab27d88ecf44aacde8217bafdc1ba9816ca2e');
    const far = createHash('sha256')
      .update(sample.map((product) => canonicalProduct(product)).join('\n'))
      .digest('hex');
    expect(far).toBe('c5d2157421a4e5c53a0b76754c90aab6b4987182e32143af0e76cb614ee1009e');
    expect(small.identity).toEqual({ generator: 2, seed: 1, products: 1_000 });
  });

  it('makes each product of seed and number alone, so that a small catalogue begins a large one', () => {
    fc.assert(
      fc.property(anySeed, fc.array(fc.nat(999), { minLength: 2, maxLength: 6 }), (seed, numbers) => {
        const one = generatedCatalogue({ products: 1_000, seed });
        const other = generatedCatalogue({ products: 50_000, seed });
        const before = numbers.map((number) => canonicalProduct(one.product(number)));
        expect(numbers.toReversed().map((number) => canonicalProduct(other.product(number)))).toEqual(
          before.toReversed(),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('shares no product name with another seed', () => {
    const other = generatedCatalogue({ products: 1_000, seed: 2 });
    const names = new Set(thousand.map(({ name }) => name));
    expect([...other.products()].filter(({ name }) => names.has(name))).toEqual([]);
  });

  it('streams the products that it gives by number, with the prices of the shop', () => {
    expect(thousand.length).toBe(1_000);
    for (const number of [0, 1, 500, 999]) expect(small.product(number)).toEqual(thousand[number]);
    for (let number = 0; number < 200; number += 1)
      expect(small.price(number)).toBe(drawnPrice(small.product(number)));
  });

  it('refuses invalid sizes, seeds and product numbers', () => {
    for (const [products, seed] of [
      [999, 1],
      [2_000_001, 1],
      [1_000.5, 1],
      [1_000, -1],
      [1_000, 0.5],
      [Number.NaN, 1],
    ] as const) {
      expect(() => generatedCatalogue({ products, seed })).toThrow(UsageError);
    }
    for (const number of [-1, 1_000, 0.5, Number.NaN])
      expect(() => small.product(number)).toThrow(RangeError);
  });
});

describe('generated products', () => {
  const holds = (law: (product: Product) => void): void => {
    fc.assert(
      fc.property(anySeed, anyNumber, (seed, number) => {
        law(generatedCatalogue({ products: 1_181_436, seed }).product(number));
      }),
    );
    for (const product of sample.slice(0, 2_000)) law(product);
  };

  it('ids of products are all different', () => {
    for (const products of [thousand, sample])
      expect(new Set(products.map(({ asin }) => asin)).size).toBe(products.length);
    holds(({ asin }) => expect(asin).toMatch(/^B0[0-9A-Z]{8}$/));
  });

  it('option values are different and written as in the shop, so that a click names its option', () => {
    const buttons = [
      'back to search',
      '< prev',
      'next >',
      'description',
      'features',
      'reviews',
      'attributes',
      'buy now',
      'search',
    ];
    holds(({ options, asin }) => {
      const values = options.flatMap((option) => option.values);
      expect(new Set(values).size).toBe(values.length);
      expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
      for (const { name, values: own } of options) {
        expect(name).toBe(name.toLowerCase());
        expect(own.length).toBeGreaterThanOrEqual(1);
      }
      for (const value of values) {
        expect(value).toBe(value.trim().toLowerCase());
        expect(value).not.toBe('');
        expect(value.replaceAll(' | ', '')).not.toMatch(/[/|[\]\n]/);
        expect(buttons).not.toContain(value);
        expect(value).not.toBe(asin.toLowerCase());
      }
    });
  });

  it('prices are one number or both ends of a range, drawn as the original draws them', () => {
    holds(({ pricing, priceText }) => {
      expect(pricing.length === 1 || pricing.length === 2).toBe(true);
      for (const price of pricing) {
        expect(price).toBeGreaterThanOrEqual(2);
        expect(Math.abs(price * 100 - Math.round(price * 100))).toBeLessThan(1e-6);
      }
      if (pricing.length === 2) expect(pricing[1]).toBeGreaterThan(pricing[0] as number);
      expect(priceText).toBe(pricing.map((price) => `$${pythonFloat(price)}`).join(' to '));
      expect(priceText).toMatch(/^\$\d+\.\d{1,2}(?: to \$\d+\.\d{1,2})?$/);
    });
  });

  it('products have three to eight different attributes, and complete texts', () => {
    holds((product) => {
      const { attributes, name, description, bulletPoints } = product;
      expect(attributes.length).toBeGreaterThanOrEqual(3);
      expect(attributes.length).toBeLessThanOrEqual(8);
      expect(new Set(attributes).size).toBe(attributes.length);
      for (const text of [name, description, ...bulletPoints]) {
        expect(text).toBe(text.trim());
        expect(text).not.toMatch(/[{}]|undefined|NaN| {2}|\.\.|, ,/);
      }
      expect(name).not.toMatch(/ ,|\( |, *$|\| *\||^(?:with|for) /);
      expect(product).toMatchObject({ reviews: [], rating: 'N.A.' });
      expect(product.query).toBe(product.query.toLowerCase().trim());
      expect(product.productCategory).toMatch(/ › /);
    });
  });

  it('repeat no sentence on a page', () => {
    const label = /^(?:★ [^:]+: |【[^】]+】|[A-Z][A-Z' -]*: |[A-Z][\w' -]*? - )/;
    holds(({ description, bulletPoints }) => {
      const page = [
        description.replace(/ ?Specifications: .*/, ''),
        ...bulletPoints.map((text) => text.replace(label, '')),
      ].join(' ');
      const sentences = page.split(/(?<=[.?!]) (?=[^a-z])/).filter((text) => text !== '');
      expect(new Set(sentences).size, page).toBe(sentences.length);
    });
  });

  it('attributes of a product never exclude each other', () => {
    holds(({ attributes }) => {
      for (const pair of [
        ['long sleeve', 'short sleeve'],
        ['slim fit', 'loose fit'],
        ['machine wash', 'dry clean'],
        ['easy assemble', 'fully assembled'],
      ]) {
        expect(pair.every((attribute) => attributes.includes(attribute))).toBe(false);
      }
    });
  });
});

describe('statistics of generated products', () => {
  it.each([
    ['1,000 products', thousand],
    ['8,000 of 1.18 million', sample],
  ] as const)('resemble those of WebShop for %s', (_, products) => {
    const between = (figure: number, low: number, high: number): void => {
      expect(figure).toBeGreaterThan(low);
      expect(figure).toBeLessThan(high);
    };
    between(
      share(products, ({ options }) => options.length > 0),
      0.35,
      0.5,
    ); // 0.42 there
    between(
      share(products, ({ pricing }) => pricing.length === 2),
      0.1,
      0.18,
    ); // 0.13
    between(
      share(products, ({ description }) => description === ''),
      0.25,
      0.38,
    ); // 0.32
    between(mean(products.flatMap(({ options }) => options.map(({ values }) => values.length))), 4, 6); // 5.3
    between(mean(products.map(({ name }) => wordCount(name))), 14, 20); // 18
    between(mean(products.map(({ name }) => name.length)), 90, 120); // 115
    between(mean(products.map(({ bulletPoints }) => bulletPoints.length)), 4.2, 5.2); // 4.7
    between(
      mean(products.flatMap(({ bulletPoints }) => bulletPoints.map((text) => wordCount(text)))),
      17,
      28,
    ); // 25
    between(mean(products.map((product) => wordsOf(indexedText(product)).length)), 90, 115); // 107
    between(mean(products.map(({ attributes }) => attributes.length)), 3, 4.5); // 3.8 among those that have any
    between(mean(products.map(({ pricing }) => pricing[0] as number)), 55, 100); // 83
    expect(1 - new Set(products.map(({ name }) => name)).size / products.length).toBeLessThan(0.01);
    expect(new Set(products.map(({ query }) => query)).size).toBe(85);
  });

  it('leave one attribute in five out of the texts, as WebShop does', () => {
    const told = sample.flatMap((product) => {
      const text = [product.name, product.description, ...product.bulletPoints].join('\n').toLowerCase();
      return product.attributes.map((attribute) => text.includes(attribute));
    });
    const hidden = told.filter((is) => !is).length / told.length;
    expect(hidden).toBeGreaterThan(0.17);
    expect(hidden).toBeLessThan(0.28);
  });

  it("show a vocabulary that grows with the shop and follows Zipf's law", () => {
    const countsOf = (products: readonly Product[]): readonly number[] => {
      const counts = new Map<string, number>();
      for (const product of products)
        for (const word of wordsOf(indexedText(product))) counts.set(word, (counts.get(word) ?? 0) + 1);
      return [...counts.values()].toSorted((a, b) => b - a);
    };
    expect(countsOf(thousand).length).toBeGreaterThan(5_000);
    const counts = countsOf(sample);
    expect(counts.length).toBeGreaterThan(15_000);
    const at = (rank: number): number => Math.log(counts[rank - 1] as number);
    const slope = (at(1_000) - at(10)) / Math.log(100); // Zipf's law: -1
    expect(slope).toBeGreaterThan(-1.2);
    expect(slope).toBeLessThan(-0.6);
  });

  it('place products beside others of their maker that differ in an attribute, an option or a price', () => {
    const key = (product: Product): string => [...product.attributes].toSorted().join();
    let pairs = 0;
    let alike = 0;
    for (let block = 0; block < 125; block += 1) {
      const products = thousand.slice(8 * block, 8 * block + 8);
      for (const [index, one] of products.entries()) {
        for (const other of products.slice(index + 1)) {
          if (one.query !== other.query) continue;
          pairs += 1;
          if (
            key(one) === key(other) &&
            one.priceText === other.priceText &&
            JSON.stringify(one.options) === JSON.stringify(other.options)
          )
            alike += 1;
        }
      }
    }
    expect(pairs).toBeGreaterThan(500);
    expect(alike / pairs).toBeLessThan(0.01);
  });
});
