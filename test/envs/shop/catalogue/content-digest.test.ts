import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../envs/core/json.ts';
import { canonicalProduct, ContentDigest } from '../../../../envs/shop/catalogue/content-digest.ts';
import { createCatalogue } from '../../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Product } from '../../../../envs/shop/catalogue/product.ts';
import { plainProduct, productArbitrary } from '../../../support/product-arbitrary.ts';

describe('canonicalProduct', () => {
  it('equals the canonical JSON of the product, with every field', () => {
    fc.assert(
      fc.property(productArbitrary, (product) => {
        expect(canonicalProduct(product)).toBe(canonicalJson(product));
      }),
    );
  });
});

describe('the fingerprint of a catalogue', () => {
  const products = ['B1', 'B2', 'B3'].map((asin) => plainProduct(asin));
  const print = (list: readonly Product[]): string => createCatalogue('generated', list).fingerprint;

  it('equals SHA-256 over the canonical JSON of its products, one line each', () => {
    const lines = products.map((product) => `${canonicalJson(product)}\n`).join('');
    expect(print(products)).toBe(`sha256:${createHash('sha256').update(lines).digest('hex')}`);
    expect(new ContentDigest().finish()).toBe(`sha256:${createHash('sha256').digest('hex')}`);
  });

  it('changes with any field and with the order', () => {
    const first = print(products);
    expect(print(products.toReversed())).not.toBe(first);
    const changes: readonly Partial<Product>[] = [
      { asin: 'B4' },
      { name: 'x' },
      { query: 'x' },
      { category: 'x' },
      { productCategory: 'x' },
      { description: 'x' },
      { bulletPoints: ['Bright', 'Long'] },
      { attributes: [] },
      { options: [{ name: 'color', values: ['red'] }] },
      { pricing: [13] },
      { priceText: 'x' },
      { reviews: [{ title: 'x', body: '', score: '' }] },
      { rating: 'x' },
    ];
    for (const change of changes)
      expect(print([...products.slice(0, 2), plainProduct('B3', change)])).not.toBe(first);
  });

  it('createCatalogue refuses two products with one id', () => {
    expect(() => createCatalogue('generated', [plainProduct('B1'), plainProduct('B1')])).toThrow(
      'the id "B1" comes twice',
    );
  });
});
