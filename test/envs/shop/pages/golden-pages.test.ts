import { describe, expect, it } from 'vitest';
import { drawerOf, type ObservationMode } from '../../../../envs/shop/observation.ts';
import { pageOf, receiptOf } from '../../../../envs/shop/pages/page-of.ts';
import type { ItemPlace, ShopPlace } from '../../../../envs/shop/place.ts';
import type { Shop } from '../../../../envs/shop/shop.ts';
import { oddities, productOf, shopOf } from '../corner-shop.ts';

// Worked out by hand from the rules of the original's pages; nothing here was written by the code under test.

const table = productOf({
  asin: 'B0TABLE001',
  name: 'Oak side table',
  description: 'A table of oak.',
  bulletPoints: ['solid oak', 'round top'],
  attributes: ['solid wood'],
  options: [
    { name: 'color', values: ['natural', 'dark | light'] },
    { name: 'size', values: ['small', 'large'] },
  ],
  pricing: [49.5, 120],
  category: 'garden',
  query: 'side tables',
  productCategory: 'Home › Tables',
  reviews: [{ title: 'Sturdy', body: 'It stands.', score: '4.0' }],
});
const others = Array.from({ length: 12 }, (_, index) =>
  productOf({
    asin: `B0PINE${String(index).padStart(4, '0')}`,
    name: `Pine table ${index}`,
    pricing: [20 + index],
  }),
);
const shop = shopOf([table, ...others, ...Object.values(oddities)]);
const shopper = { instruction: 'i need an oak table, and price lower than 60.00 dollars', name: '7' };
const wish = 'i need an oak table, and price lower than 60.00 dollars';

interface Shown {
  readonly visited?: readonly number[];
  readonly strict?: boolean;
  readonly in?: Shop;
}

const show = (
  mode: ObservationMode,
  place: ShopPlace,
  { visited = [], strict = false, in: at = shop }: Shown = {},
): string => drawerOf(mode, { strict })(pageOf(at, { place, visited: new Set(visited) }, shopper));

const results = (page: number, query = 'oak table'): ShopPlace => ({ kind: 'results', query, page });
const item = (options: readonly (readonly [string, string])[] = [], product = 0): ItemPlace => ({
  kind: 'item',
  query: 'oak table',
  page: 1,
  product,
  options: new Map(options),
});
const sub = (name: 'Description' | 'Features' | 'Reviews' | 'Attributes', product = 0): ShopPlace => ({
  ...item([], product),
  kind: 'sub-page',
  name,
});
const rich = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('the mode text', () => {
  it('shows the start page', () => {
    expect(show('text', { kind: 'start' })).toBe(`WebShop [SEP] Instruction: [SEP] ${wish} [SEP] Search`);
  });

  it('shows ten products on the first page of results, and no way back', () => {
    const rows = Array.from(
      { length: 9 },
      (_, index) => ` [SEP] B0PINE000${index} [SEP] Pine table ${index} [SEP] $${20 + index}.0`,
    ).join('');
    expect(show('text', results(1))).toBe(
      `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] Page 1 (Total results: 13) [SEP] Next > [SEP] B0TABLE001 [SEP] Oak side table [SEP] $49.5 to $120.0${rows}`,
    );
  });

  it('shows the rest on the second page, and both ways', () => {
    expect(show('text', results(2))).toBe(
      `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] Page 2 (Total results: 13) [SEP] < Prev [SEP] Next > [SEP] B0PINE0009 [SEP] Pine table 9 [SEP] $29.0` +
        ' [SEP] B0PINE0010 [SEP] Pine table 10 [SEP] $30.0 [SEP] B0PINE0011 [SEP] Pine table 11 [SEP] $31.0',
    );
  });

  it('shows the way on past the last page and after a search without results', () => {
    expect(show('text', results(3))).toBe(
      `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] Page 3 (Total results: 13) [SEP] < Prev [SEP] Next >`,
    );
    expect(show('text', results(1, 'zeppelin'))).toBe(
      `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] Page 1 (Total results: 0) [SEP] Next >`,
    );
  });

  const drawn = `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] < Prev [SEP] color [SEP] natural [SEP] dark | light [SEP] size [SEP] small [SEP] large [SEP] Oak side table [SEP] Price: $49.5 to $120.0 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now`;

  it('shows a product the same, whatever was chosen', () => {
    expect(show('text', item())).toBe(drawn);
    expect(
      show(
        'text',
        item([
          ['color', 'natural'],
          ['size', 'large'],
        ]),
      ),
    ).toBe(drawn);
  });

  it('names chosen options in strict mode, the last on the page first, as text_rich does', () => {
    expect(
      show(
        'text',
        item([
          ['color', 'natural'],
          ['size', 'large'],
        ]),
        { strict: true },
      ),
    ).toBe(`You have clicked large. [SEP] You have clicked natural. [SEP] ${drawn}`);
    expect(show('text', item(), { strict: true })).toBe(drawn);
  });

  it('shows Attributes of a product when they are enabled', () => {
    const open = shopOf([table], { showAttributes: true });
    expect(show('text', item(), { in: open })).toBe(drawn.replace('Reviews', 'Reviews [SEP] Attributes'));
    expect(show('text', sub('Attributes'), { in: open })).toBe(
      `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] < Prev [SEP] solid wood [SEP] garden [SEP] side tables [SEP] Home › Tables`,
    );
  });

  it('shows sub pages', () => {
    const head = `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] < Prev`;
    expect(show('text', sub('Description'))).toBe(`${head} [SEP] A table of oak.`);
    expect(show('text', sub('Features'))).toBe(`${head} [SEP] solid oak [SEP] round top`);
    expect(show('text', sub('Reviews'))).toBe(`${head} [SEP] "Sturdy" [SEP] 4.0 [SEP] It stands.`);
    for (const name of ['Description', 'Features', 'Reviews'] as const)
      expect(show('text', sub(name, 1))).toBe(head);
  });

  it('keeps the empty places of blank or odd texts, as the original does', () => {
    const head = `Instruction: [SEP] ${wish} [SEP] Back to Search [SEP] < Prev`;
    expect(show('text', sub('Description', 13))).toBe(
      `${head} [SEP] <b>Not bold</b> & "quoted"\nsecond line`,
    );
    expect(show('text', sub('Features', 13))).toBe(`${head} [SEP] a < b [SEP]  [SEP]  [SEP] it's "fine"`);
    expect(show('text', sub('Reviews', 13))).toBe(
      `${head} [SEP] "Great" [SEP] 5.0 [SEP] Very "soft" <3 [SEP] "" [SEP] 1.0`,
    );
    expect(show('text', item([], 15))).toBe(
      `${head} [SEP] Price: $99.5 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now`,
    );
  });

  it('shows purchase and score on the last page, but nothing of the target', () => {
    const bought = item([
      ['size', 'large'],
      ['color', 'natural'],
    ]);
    expect(drawerOf('text', { strict: false })(receiptOf(shop, bought, shopper, 2 / 3))).toBe(
      'Thank you for shopping with us! [SEP] Your code: [SEP] None [SEP] (Paste it in your MTurk interface.) [SEP] Purchased [SEP] asin [SEP] B0TABLE001 [SEP] ' +
        'options [SEP] {"color": "natural", "size": "large"} [SEP] attrs [SEP] None [SEP] category [SEP] None [SEP] query [SEP] None [SEP] product category [SEP] None [SEP] ' +
        'Target [SEP] asin [SEP] options [SEP] attrs [SEP] price upper [SEP] instuction text [SEP] category [SEP] product category [SEP] query [SEP] Goal [SEP] None [SEP] ' +
        'Reward [SEP] Your score (min 0.0, max 1.0) [SEP] 0.6666666666666666 [SEP] Reward Details [SEP] None',
    );
  });
});

describe('the mode text_rich', () => {
  it('shows the start page', () => {
    expect(show('text_rich', { kind: 'start' })).toBe(
      rich('WebShop', 'Instruction: ', wish, '[button] Search [button_]'),
    );
  });

  it('marks visited results', () => {
    expect(show('text_rich', results(2), { visited: [11] })).toBe(
      rich(
        'Instruction:',
        wish,
        '[button] Back to Search [button_]',
        'Page 2 (Total results: 13)',
        '[button] < Prev [button_]',
        '[button] Next > [button_]',
        '\n[button] B0PINE0009 [button_]',
        'Pine table 9',
        '$29.0',
        '\n[clicked button] B0PINE0010 [clicked button_]',
        'Pine table 10',
        '$30.0',
        '\n[button] B0PINE0011 [button_]',
        'Pine table 11',
        '$31.0',
      ),
    );
  });

  it('marks chosen options and names them first', () => {
    expect(
      show(
        'text_rich',
        item([
          ['color', 'dark | light'],
          ['size', 'large'],
        ]),
      ),
    ).toBe(
      rich(
        'You have clicked large.',
        'You have clicked dark | light.',
        'Instruction:',
        wish,
        '[button] Back to Search [button_]',
        '[button] < Prev [button_]',
        'color',
        '  [button] natural [button_]',
        '  [clicked button] dark | light [clicked button_]',
        'size',
        '  [button] small [button_]',
        '  [clicked button] large [clicked button_]',
        'Oak side table',
        'Price: $49.5 to $120.0',
        'Rating: N.A.',
        '[button] Description [button_]',
        '[button] Features [button_]',
        '[button] Reviews [button_]',
        '[button] Buy Now [button_]',
      ),
    );
  });

  it('counts what stands in quotes in the address as chosen, except in strict mode', () => {
    // Both kettle and cup have red; "kettle" is the name of the chosen option and a value of the other one.
    const twins = item(
      [
        ['kettle', 'blue'],
        ['cup', 'red'],
      ],
      14,
    );
    const clicked = (text: string): readonly string[] =>
      text.split('\n').filter((line) => line.startsWith('You have clicked'));
    expect(clicked(show('text_rich', twins))).toEqual([
      'You have clicked kettle.',
      'You have clicked red.',
      'You have clicked blue.',
      'You have clicked red.',
    ]);
    expect(clicked(show('text_rich', twins, { strict: true }))).toEqual([
      'You have clicked red.',
      'You have clicked blue.',
    ]);
    // Python escapes quotes and letters beyond ASCII in the address, so that they are not found there.
    for (const value of ['20"x20"', 'café']) {
      expect(clicked(show('text_rich', item([['size', value]], 13)))).toEqual([]);
      expect(clicked(show('text_rich', item([['size', value]], 13), { strict: true }))).toEqual([
        `You have clicked ${value}.`,
      ]);
    }
  });

  it('keeps the blanks of texts', () => {
    expect(show('text_rich', sub('Features', 13))).toBe(
      rich(
        'Instruction:',
        wish,
        '[button] Back to Search [button_]',
        '[button] < Prev [button_]',
        ' a < b',
        ' ',
        ' ',
        ' it\'s "fine"',
      ),
    );
    expect(
      drawerOf('text_rich', { strict: false })(receiptOf(shop, item(), shopper, 1))
        .split('\n')
        .slice(0, 8),
    ).toEqual([
      'Thank you for shopping with us!',
      'Your code: ',
      'None',
      ' (Paste it in your MTurk interface.)',
      'Purchased',
      'asin',
      'B0TABLE001',
      'options',
    ]);
  });
});

describe('the mode url', () => {
  it('shows the place, unescaped', () => {
    expect(show('url', { kind: 'start' })).toBe('http://127.0.0.1:3000/7');
    expect(show('url', results(2, 'oak  side table'))).toBe(
      'http://127.0.0.1:3000/search_results/7/oak++side+table/2',
    );
    expect(show('url', item())).toBe('http://127.0.0.1:3000/item_page/7/B0TABLE001/oak+table/1/{}');
    expect(
      show(
        'url',
        item([
          ['size', 'large'],
          ['color', 'natural'],
        ]),
      ),
    ).toBe('http://127.0.0.1:3000/item_page/7/B0TABLE001/oak+table/1/{"size": "large", "color": "natural"}');
    expect(show('url', { ...item([['size', 'large']]), kind: 'sub-page', name: 'Features' })).toBe(
      "http://127.0.0.1:3000/item_sub_page/7/B0TABLE001/oak+table/1/Features/{'size': 'large'}",
    );
    expect(receiptOf(shop, item([['size', 'large']]), shopper, 1).url).toBe(
      "http://127.0.0.1:3000/done/7/B0TABLE001/{'size': 'large'}",
    );
  });
});
