import { describe, expect, it } from 'vitest';
import {
  readAsin,
  readProduct,
  type ProductNotes,
} from '../../../../../envs/shop/catalogue/original/read-product.ts';
import type { Product } from '../../../../../envs/shop/catalogue/product.ts';
import { rawItem, without, type RawItem } from '../../../../support/shop-files.ts';

const place = { file: 'items_shuffle.json', item: 812, name: 'B0LAMP' };

/** The product of an item with a usable price. */
function sound(made: ReturnType<typeof readProduct>): Product {
  if (!('kind' in made)) return made;
  throw new Error(made.why);
}

const read = (change: RawItem = {}, more: Partial<ProductNotes> = {}): Product =>
  sound(
    readProduct(
      rawItem('B0LAMP', change),
      'B0LAMP',
      { attributes: ['easy clean'], reviews: [], rating: 'N.A.', ...more },
      place,
    ),
  );

describe('readProduct', () => {
  it('reads an item as the original does', () => {
    expect(read()).toEqual({
      asin: 'B0LAMP',
      name: 'Lamp B0LAMP',
      query: 'desk lamps',
      category: 'garden',
      productCategory: 'Home \u203A Lighting \u203A Lamps',
      description: 'A lamp for the desk, number B0LAMP.',
      bulletPoints: ['Bright light ', 'Long cable '],
      attributes: ['easy clean'],
      options: [
        { name: 'color', values: ['red | blue', 'green'] },
        { name: 'size', values: ['small', 'large', 'x-large'] },
      ],
      pricing: [12.5],
      priceText: '$12.5',
      reviews: [],
      rating: 'N.A.',
    });
  });

  it('gives a product without attributes the attribute that no goal asks for', () => {
    expect(read({}, { attributes: undefined }).attributes).toEqual(['DUMMY_ATTR']);
  });

  // What CPython 3.11 makes of the same texts: float(Decimal(re.sub(r'[^\d.]', '', part))) of the parts, and f'${price}'.
  it.each([
    ['$877.80', [877.8], '$877.8'],
    ['$34.00', [34], '$34.0'],
    ['$1,299.00', [1299], '$1299.0'],
    ['$19.99 - $27.99', [19.99, 27.99], '$19.99 to $27.99'],
    ['$19.99 to $27.99', [19.99, 27.99], '$19.99 to $27.99'],
    ['$19.99\u2013$27.99', [19.99, 27.99], '$19.99 to $27.99'],
    ['$19.99 -$27.99', [19.99, 27.99], '$19.99 to $27.99'],
    ['$5 - $5', [5, 5], '$5.0 to $5.0'],
    ['$1,234,567.5', [1234567.5], '$1234567.5'],
    ['$12,345', [12345], '$12345.0'],
    ['$5 each, ready-made', [5], '$5.0'],
    ['$1.00 - $2.00 - $3.00', [1, 2], '$1.0 to $2.0'],
    ['$3.00 - $2.00 - $1.00', [3, 2], '$3.0 to $2.0'],
    ['$5.00 - $4.00', [5, 4], '$5.0 to $4.0'],
    ['$1,299.00 to $89.99', [1299, 89.99], '$1299.0 to $89.99'],
    ['$10\u2013$5', [10, 5], '$10.0 to $5.0'],
    ['$10 $5', [10, 5], '$10.0 to $5.0'],
    ['$19.99 ($0.50 / Ounce)', [19.99, 0.5], '$19.99 to $0.5'],
    ['from 3 for $5', [5], '$5.0'],
    ['US$ 5.', [5], '$5.0'],
    ['$.5', [0.5], '$0.5'],
    ['$0.00001', [0.00001], '$1e-05'],
    ['$123456789012.25', [123456789012.25], '$123456789012.25'],
    ['', [100], '$100.0'],
    [null, [100], '$100.0'],
    [0, [100], '$100.0'],
    [[], [100], '$100.0'],
    [undefined, [100], '$100.0'],
  ])('reads the pricing %j', (pricing, prices, text) => {
    const product = read({ pricing });
    expect(product.pricing).toEqual(prices);
    expect(product.priceText).toBe(text);
  });

  // the original reads these as 5, 5, 19, 13, 1.23456, 1234, and so on
  it.each([
    '$-5',
    '-$5',
    '$ - 5',
    '$+5',
    '\u2212$5',
    '$5-',
    '$10 - -$15',
    '$10 - $-15',
    '$10 +$15',
    '$1e9',
    '$1e3',
    '$1E-3',
    '$1.234,56',
    '$12,34',
    '$1,23,456',
    '$,5',
    '$5 for 3',
    '$5 (2 pack)',
    '$10 - $1e3',
  ])('refuses the pricing %j, which the original misreads', (pricing) => {
    expect(() => read({ pricing })).toThrow(/^its pricing "[^"]+" is no price\.$/);
  });

  // What CPython 3.11 makes of the same texts; at those without numbers here it stops with an error.
  it.each([
    ['$-5', [5]],
    ['$1e3', [13]],
    ['$12,34', [1234]],
    ['$1.234,56', [1.23456]],
    ['$5 (10% off $6)', [510, 6]],
    ['$12.99 ($0.41 / 100 ml)', [12.99, 0.411]],
    ['$5 for 3', [53]],
    ['$1 - $2 - $-3', [1, 2]],
    [`$${'9'.repeat(16)}`, [1e16]],
    ['free', undefined],
    ['Currently unavailable', undefined],
    ['12.50', undefined],
    ['$', undefined],
    ['$12 - $', undefined],
    ['$1.2.3', undefined],
    ['$.', undefined],
    ['$1 $2 $x', undefined],
    [12.5, undefined],
    [['$1'], undefined],
  ])('refuses the pricing %j, or on request takes it as the original does', (pricing, prices) => {
    expect(() => read({ pricing })).toThrow(/^its pricing /);
    const told: string[] = [];
    const take = (): readonly number[] =>
      read({ pricing }, { oddAsOriginal: true, tally: (name) => void told.push(name) }).pricing;
    if (prices === undefined) expect(take).toThrow(/^its pricing /);
    else expect(take()).toEqual(prices);
    expect(told).toEqual(prices === undefined ? [] : ['odd prices, read as the original does']);
  });

  it('reads ordinary prices the same when odd ones are accepted', () => {
    for (const pricing of [
      '$5',
      '$1,299.00',
      '$19.99 - $27.99',
      '$19.99 ($0.50 / Ounce)',
      '$5 - $4',
      '',
      null,
    ])
      expect(read({ pricing }, { oddAsOriginal: true })).toEqual(read({ pricing }));
  });

  it('refuses a pricing of a million characters at once', () => {
    expect(() => read({ pricing: `$${' '.repeat(1_000_000)}x5` })).toThrow(
      /its pricing "\$ {59}…" is no price/,
    );
  });

  it.each([
    ['$5 $6 $7', ['more than two prices, of which the first two count']],
    ['$1.00 - $2.00 - $3.00', ['more than two prices, of which the first two count']],
    ['$19.99 ($0.50 / Ounce)', ['two prices that are no range, taken for one']],
    ['$5.00 - $4.00', ['price ranges that fall, drawn from as they stand']],
    ['$10 $5', ['price ranges that fall, drawn from as they stand']],
    ['$3 - $2 - $1', ['more than two prices, of which the first two count']],
    ['$5 - $5', []],
    ['$19.99 - $27.99', []],
    ['$5', []],
    ['', []],
  ])('reads the pricing %j as the original does, and counts it when it is odd', (pricing, said) => {
    const told: string[] = [];
    readProduct(
      rawItem('B0LAMP', { pricing }),
      'B0LAMP',
      { attributes: [], reviews: [], rating: '', tally: (name) => void told.push(name) },
      place,
    );
    expect(told).toEqual(said);
  });

  it.each([
    '12.50',
    '$',
    '$ - $',
    '$1.2.3',
    '$.',
    '$12 - $',
    '$\u0661\u0662',
    `$${'9'.repeat(16)}`,
    12.5,
    ['$1'],
    { a: '$1' },
    true,
  ])('refuses the pricing %j', (pricing) => {
    expect(() => read({ pricing })).toThrow(/^its pricing /);
  });

  it.each([
    ['', []],
    [null, []],
    [{}, []],
    [[], []],
    [{ Color: null }, []],
    [{ Color: [] }, [{ name: 'color', values: [] }]],
    [{ Color: null, Size: [{ value: 'A' }] }, [{ name: 'size', values: ['a'] }]],
    [{ SIZE: [{ value: '1/2/3' }] }, [{ name: 'size', values: ['1 | 2 | 3'] }]],
    [
      { Size: [{ value: 'A' }], Color: [{ value: 'B' }], SIZE: [{ value: 'C' }] },
      [
        { name: 'size', values: ['c'] },
        { name: 'color', values: ['b'] },
      ],
    ],
    [
      { Size: [{ value: '\u0085\u001F A \u3000' }, { value: '\uFEFFA' }, { value: '\u0130' }] },
      [{ name: 'size', values: ['a', '\uFEFFa', 'i\u0307'] }],
    ],
  ])('reads the options %j', (customization_options, options) => {
    expect(read({ customization_options }).options).toEqual(options);
  });

  it.each([
    'Color',
    ['Color'],
    { Color: 'Red' },
    { Color: [null] },
    { Color: [{ name: 'Red' }] },
    { Color: [{ value: null }] },
    { Color: ['Red'] },
  ])('refuses the options %j', (customization_options) => {
    expect(() => read({ customization_options })).toThrow(
      /^items_shuffle\.json, item 812 \("B0LAMP"\): its (?:customization_options|option)/,
    );
  });

  it('reads a single feature as a list of one', () => {
    expect(read({ small_description: 'Bright' }).bulletPoints).toEqual(['Bright']);
    expect(read({ small_description: [] }).bulletPoints).toEqual([]);
  });

  it.each([
    'name',
    'full_description',
    'category',
    'product_category',
    'query',
    'small_description',
    'customization_options',
  ])('refuses an item without %s', (field) => {
    const item = without(rawItem('B0LAMP'), field);
    expect(() => readProduct(item, 'B0LAMP', { attributes: [], reviews: [], rating: '' }, place)).toThrow(
      `items_shuffle.json, item 812 ("B0LAMP"): it has no field ${field}. `,
    );
  });

  it.each([
    ['name', null],
    ['name', 3],
    ['full_description', null],
    ['query', ['lamps']],
    ['small_description', null],
    ['small_description', ['a', null]],
    ['category', 1],
  ])('refuses a %s that is %j', (field, value) => {
    expect(() => read({ [field]: value })).toThrow(`item 812 ("B0LAMP"): its ${field} is not`);
  });

  it('ignores missing fields that it does not use', () => {
    const bare = [
      'name',
      'full_description',
      'category',
      'product_category',
      'query',
      'small_description',
      'customization_options',
    ];
    const whole = rawItem('B0LAMP');
    const item = Object.fromEntries(bare.map((field) => [field, whole[field]]));
    expect(
      sound(readProduct(item, 'B0LAMP', { attributes: [], reviews: [], rating: '' }, place)).priceText,
    ).toBe('$100.0');
    expect(read({ category: null, product_category: null })).toMatchObject({
      category: '',
      productCategory: '',
    });
  });
});

describe('readAsin', () => {
  it('returns the id, or why the original passes over the item', () => {
    expect(readAsin({ asin: 'B0LAMP' }, place)).toEqual({ asin: 'B0LAMP' });
    expect(readAsin({ asin: '1234567890' }, place)).toEqual({ asin: '1234567890' });
    expect(readAsin({ asin: 'nan' }, place)).toBe('nan');
    expect(readAsin({ asin: '' }, place)).toBe('empty');
    expect(readAsin({ asin: '12345678901' }, place)).toBe('long');
  });

  it.each([null, 'B0', 3, [], {}, { asin: null }, { asin: 5 }, { asin: 'B\u00E90' }, { asin: 'B\n' }])(
    'refuses %j',
    (item) => {
      expect(() => readAsin(item, place)).toThrow('items_shuffle.json, item 812');
    },
  );
});
