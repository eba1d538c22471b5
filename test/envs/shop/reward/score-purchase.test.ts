import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenSetRatio } from '../../../../envs/engines/fuzzy/token-set-ratio.ts';
import { pythonRepr } from '../../../../envs/engines/python-text/python-text.ts';
import type { Product } from '../../../../envs/shop/catalogue/product.ts';
import type { Goal } from '../../../../envs/shop/goals/goal.ts';
import { colourOf } from '../../../../envs/shop/reward/colours.ts';
import type { NounSource } from '../../../../envs/shop/reward/score.ts';
import {
  countOptions,
  hasAttribute,
  scorePurchase,
  scoreType,
} from '../../../../envs/shop/reward/score-purchase.ts';

/** Every word is a noun. */
const words: NounSource = {
  origin: { name: 'words', recorded: false },
  nounsOf: (title) =>
    title
      .toLowerCase()
      .split(' ')
      .filter((word) => word !== ''),
};

const shoe: Product = {
  asin: 'B000000001',
  name: 'Trail Running Shoe',
  query: 'running shoes',
  category: 'fashion',
  productCategory: 'Clothing › Shoes › Running',
  description: 'Made for Wet Ground.',
  bulletPoints: ['Rubber sole', 'Machine wash'],
  attributes: ['rubber sole', 'slip resistant'],
  options: [{ name: 'color', values: ['navy blue', 'red'] }],
  pricing: [40],
  priceText: '$40.0',
  reviews: [],
  rating: 'N.A.',
};

const goal: Goal = {
  asin: shoe.asin,
  instruction: 'find me running shoes',
  attributes: ['rubber sole', 'machine wash'],
  options: [{ name: 'color', value: 'navy blue' }],
  priceUpper: 50,
  name: shoe.name,
  query: shoe.query,
  category: shoe.category,
  productCategory: shoe.productCategory,
  weight: 1,
};

describe('scorePurchase', () => {
  it('gives 1 for exactly what was asked for', () => {
    const score = scorePurchase(
      { product: shoe, price: 40, options: new Map([['color', 'navy blue']]) },
      goal,
      words,
    );
    expect(score).toMatchObject({
      total: 1,
      type: 1,
      attributesMatched: 2,
      optionsMatched: 1,
      priceFits: true,
      asked: 4,
    });
  });

  it('takes off a quarter for the wrong colour and a quarter for the price', () => {
    expect(
      scorePurchase({ product: shoe, price: 40, options: new Map([['color', 'red']]) }, goal, words).total,
    ).toBe(3 / 4);
    expect(
      scorePurchase({ product: shoe, price: 50.01, options: new Map([['color', 'red']]) }, goal, words).total,
    ).toBe(2 / 4);
    expect(scorePurchase({ product: shoe, price: 50, options: new Map() }, goal, words).priceFits).toBe(true);
  });

  it('gives 1/9, as a public log shows: no option chosen, one attribute of six, over the price', () => {
    const asked = {
      ...goal,
      attributes: ['rubber sole', 'a1', 'b2', 'c3', 'd4', 'e5'],
      options: [
        { name: 'color', value: 'green stripe' },
        { name: 'size', value: 'large' },
      ],
      priceUpper: 30,
    };
    expect(scorePurchase({ product: shoe, price: 40, options: new Map() }, asked, words).total).toBeCloseTo(
      1 / 9,
      12,
    );
  });

  it('stays between 0 and 1 and never falls when the price does', () => {
    const name = fc.constantFrom('color', 'size', 'style');
    const value = fc.constantFrom('navy blue', 'x-large', 'pack of 3', 'dark grey', 'ivory');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, value), { maxLength: 4 }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (chosen, price) => {
          const purchase = { product: shoe, price, options: new Map(chosen) };
          const { total } = scorePurchase(purchase, goal, words);
          expect(total).toBeGreaterThanOrEqual(0);
          expect(total).toBeLessThanOrEqual(1);
          expect(scorePurchase({ ...purchase, price: price / 2 }, goal, words).total).toBeGreaterThanOrEqual(
            total,
          );
        },
      ),
    );
  });
});

describe('scoreType', () => {
  const plain = { name: 'a b c d e f g h i j k', query: 'q', productCategory: 'x › y' };
  const other = { query: 'p', productCategory: 'z' };

  it.each([
    ['the same query', { ...plain, name: 'a z z z z' }, { ...plain, name: 'a b c d e' }, 1],
    ['two categories in any order', { ...plain, query: 'p', productCategory: 'y ›x' }, plain, 1],
    [
      'one category',
      { ...plain, ...other, productCategory: 'x', name: 'a z' },
      { ...plain, name: 'a b c d e' },
      0.5,
    ],
    [
      'more than a fifth of the nouns',
      { ...plain, ...other, name: 'a b z' },
      { ...plain, name: 'a b c d e' },
      1,
    ],
    [
      'a fifth of the nouns and nothing else',
      { ...plain, ...other, name: 'a z' },
      { ...plain, name: 'a b c d e' },
      0.5,
    ],
    ['fewer than a tenth, although the query is the same', { ...plain, name: 'a' }, plain, 0.1],
    [
      'a tenth of the nouns, and the query is the same',
      { ...plain, name: 'a' },
      { ...plain, name: 'a b c d e f g h i j' },
      1,
    ],
    [
      'a tenth of the nouns and nothing else',
      { ...plain, ...other, name: 'a' },
      { ...plain, name: 'a b c d e f g h i j' },
      0.5,
    ],
    ['no noun in common', { ...plain, name: 'z' }, plain, 0],
    ['a title without nouns', { ...plain, name: 'z' }, { ...plain, name: '' }, 1],
    ['a title without nouns and no match', { ...plain, ...other, name: 'z' }, { ...plain, name: '' }, 0.5],
  ])('scores %s', (_, product, wanted, type) => {
    expect(scoreType(product, wanted, words).type).toBe(type);
  });

  it('counts a noun that the goal has twice as two to be found, and found once', () => {
    expect(scoreType({ ...plain, name: 'bar bar' }, { ...plain, name: 'bar bar' }, words).titleScore).toBe(
      0.5,
    );
  });
});

describe('hasAttribute', () => {
  const bare = { name: '', attributes: [], bulletPoints: [], description: '' };
  it.each([
    ['essential oils', { ...bare, attributes: ['essential oil'] }, true],
    ['essential oils', { ...bare, bulletPoints: ['It has Essential Oils inside'] }, true],
    ['wool blend', { ...bare, bulletPoints: ['pure wool', 'blend of two'] }, true],
    ['wool blend', { ...bare, bulletPoints: ['pure wool', ' blend'] }, false],
    ['wet ground', { ...bare, description: 'For Wet Ground' }, true],
    ['Wet Ground', { ...bare, description: 'For Wet Ground' }, false],
    ['gluten free', { ...bare, attributes: ['sugar free'] }, false],
  ])('looks for %s in %j: %j', (attribute, product, held) => {
    expect(hasAttribute(product, attribute)).toBe(held);
  });

  it.each([
    [85, 'abcdefghijkmn', 'abcdefghijkxy', false], // 11 letters of 13
    [86, 'abcdefghijklmn', 'abcdefghijklxy', true], // 12 of 14
  ])('accepts a ratio above 85, as countOptions does: at %d', (ratio, wanted, own, same) => {
    expect(tokenSetRatio(own, wanted)).toBe(ratio);
    expect(hasAttribute({ ...bare, attributes: [own] }, wanted)).toBe(same);
    expect(countOptions([own], [{ name: undefined, value: wanted }])).toBe(same ? 1 : 0);
  });
});

describe('countOptions', () => {
  const valuesOnly = (values: readonly string[]) => values.map((value) => ({ name: undefined, value }));

  it('compares values of human goals, with colours by their first word in the list', () => {
    expect(countOptions(['pack of 12', 'blue', 'XL'], valuesOnly(['grey', 'XL', 'pack of 12']))).toBe(2);
    expect(countOptions(['dusty lavender'], valuesOnly(['violet lavender']))).toBe(1);
    expect(countOptions(['goal 1', 'goal 2'], [])).toBe(0);
    expect(colourOf('violet lavender')).toBe('lavender');
    expect(colourOf('shared')).toBe('red');
  });

  it('compares values alone for synthetic goals in strict mode', () => {
    const asked = (name: string, value: string) => [{ name, value }];
    for (const [bought, name, value, faithful, strict] of [
      ['blueberry', 'flavor name', 'blueberry', 0, 1], // one side has a blue, the other three words
      ['size', 'size', 'large', 1, 0], // a value that is the option's own name
      ['dark blue', 'color', 'dark blue', 1, 1],
      ['large', 'size', 'large', 1, 1],
    ] as const) {
      expect([
        bought,
        countOptions([bought], asked(name, value)),
        countOptions([bought], asked(name, value), { strict: true }),
      ]).toEqual([bought, faithful, strict]);
    }
    const purchase = { product: shoe, price: 40, options: new Map([['flavor name', 'blueberry']]) };
    const wanted = { ...goal, options: [{ name: 'flavor name', value: 'blueberry' }] };
    expect([
      scorePurchase(purchase, wanted, words).total,
      scorePurchase(purchase, wanted, words, { strict: true }).total,
    ]).toEqual([0.75, 1]);
  });

  it.each([
    ['\u200Elarge', 50],
    ['12\u00A0inch wide', 71],
    ['pack\u00A0of 2', 64],
    ['10\u00A0x\u00A012 feet', 61],
  ])('compares synthetic goals as Python prints them: %j is not found in its own goal', (value, ratio) => {
    expect(tokenSetRatio(value, `('size', ${pythonRepr(value)})`)).toBe(ratio); // as difflib and thefuzz 0.19 compute it
    const option = [{ name: 'size', value }];
    expect([countOptions([value], option), countOptions([value], option, { strict: true })]).toEqual([0, 1]);
  });

  it('compares name and value of synthetic goals as one text', async () => {
    expect(countOptions(['dark blue'], [{ name: 'color', value: 'dark blue' }])).toBe(1);
    expect(countOptions(['blue'], [{ name: 'color', value: 'navy' }])).toBe(0);
    const goldens = JSON.parse(
      await readFile(new URL('../../../golden/fuzzy/goldens.json', import.meta.url), 'utf8'),
    ) as {
      readonly tuples: readonly {
        readonly name: string;
        readonly value: string;
        readonly bought: string;
        readonly ratio: number;
      }[];
    };
    const uncoloured = goldens.tuples.filter(
      ({ bought, value }) => colourOf(bought) === bought && value !== '',
    );
    expect(uncoloured.length).toBeGreaterThan(20);
    for (const { name, value, bought, ratio } of uncoloured) {
      expect
        .soft([bought, value, countOptions([bought], [{ name, value }])])
        .toEqual([bought, value, ratio > 85 ? 1 : 0]);
    }
  });
});
