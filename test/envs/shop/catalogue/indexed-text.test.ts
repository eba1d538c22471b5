import { describe, expect, it } from 'vitest';
import { drawnPrice } from '../../../../envs/shop/catalogue/drawn-price.ts';
import { indexedText } from '../../../../envs/shop/catalogue/indexed-text.ts';
import { plainProduct } from '../../../support/product-arbitrary.ts';

describe('indexedText', () => {
  it('joins title, description, first feature and options in lower case', () => {
    const options = [
      { name: 'color', values: ['red | blue', 'green'] },
      { name: 'size', values: [] },
      { name: 'style', values: ['a'] },
    ];
    const product = plainProduct('B0', {
      name: 'Desk LAMP',
      description: 'Of \u0130ron ',
      bulletPoints: ['Bright ', 'Long'],
      options,
    });
    expect(indexedText(product)).toBe(
      'desk lamp of i\u0307ron  bright  color: red | blue, green, and size: , and style: a',
    );
  });

  it('keeps the places of empty fields', () => {
    expect(
      indexedText(plainProduct('B0', { name: 'A', description: '', bulletPoints: [], options: [] })),
    ).toBe('a   ');
  });
});

describe('drawnPrice', () => {
  it('returns the price, or 100 when there is none', () => {
    expect(drawnPrice({ asin: 'B0', pricing: [12.5] })).toBe(12.5);
    expect(drawnPrice({ asin: 'B0', pricing: [] })).toBe(100);
  });

  it('draws a point of the price range that depends on the id only, spread over the range', () => {
    const draws = Array.from({ length: 1_000 }, (_, number) =>
      drawnPrice({ asin: `B${number}`, pricing: [10, 20] }),
    );
    expect(draws.every((price) => price >= 10 && price < 20)).toBe(true);
    expect(draws.reduce((sum, price) => sum + price, 0) / draws.length).toBeCloseTo(15, 0);
    expect(Math.max(...draws) - Math.min(...draws)).toBeGreaterThan(9.9);
    expect(drawnPrice({ asin: 'B7', pricing: [10, 20] })).toBe(draws[7]);
    expect(drawnPrice({ asin: 'B7', pricing: [20, 10] })).toBeCloseTo(30 - (draws[7] ?? 0), 10);
  });

  it('returns the same price on every machine', () => {
    expect(drawnPrice({ asin: 'B06Y3VLDFB', pricing: [0, 1] })).toBe(0.06408103411603427);
  });
});
