import { mkdtemp, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawnPrice } from '../../../../../envs/shop/catalogue/drawn-price.ts';
import {
  originalRecipe,
  type OriginalOptions,
} from '../../../../../envs/shop/catalogue/original/original-recipe.ts';
import type { Product } from '../../../../../envs/shop/catalogue/product.ts';
import { pythonText, rawItem, without, writeShopFiles } from '../../../../support/shop-files.ts';

const { signal } = new AbortController();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-original-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Reading {
  readonly products: readonly Product[];
  readonly counts: Readonly<Record<string, number>>;
  readonly identity: unknown;
}

async function read(options: Partial<OriginalOptions> = {}): Promise<Reading> {
  const recipe = await originalRecipe({ folder, memoFolder: join(folder, 'digests'), signal, ...options });
  const products: Product[] = [];
  const counts: Record<string, number> = {};
  const tally = (name: string, amount = 1): void => void (counts[name] = (counts[name] ?? 0) + amount);
  for await (const product of recipe.products({
    signal: options.signal ?? signal,
    tally,
    advance: () => undefined,
  }))
    products.push(product);
  return { products, counts, identity: recipe.identity };
}

const items = [
  rawItem('B000000001'),
  rawItem('nan'),
  rawItem('B000000002', { pricing: '$5.00 - $8.00' }),
  rawItem('B000000001', { name: 'Another lamp' }),
  rawItem('B0000000033'),
  rawItem('B000000004'),
];
const attributes = {
  B000000001: { attributes: ['easy clean'] },
  B000000002: { attributes: [] },
  'A name that is no id': { attributes: 'nothing' },
};

describe('originalRecipe', () => {
  it('reads products in order, and counts those that the original passes over', async () => {
    await writeShopFiles(folder, { items, attributes });
    const { products, counts } = await read();
    expect(products.map(({ asin, name, attributes: of }) => [asin, name, of])).toEqual([
      ['B000000001', 'Lamp B000000001', ['easy clean']],
      ['B000000002', 'Lamp B000000002', []],
      ['B000000004', 'Lamp B000000004', ['DUMMY_ATTR']],
    ]);
    expect(counts).toEqual({
      items: 6,
      'passed over, id nan': 1,
      'passed over, id seen before': 1,
      'passed over, id too long': 1,
      'without attributes': 1,
    });
  });

  it('reads options in the order of the file, even those named by whole numbers', async () => {
    await writeShopFiles(folder, {
      items: [rawItem('B000000001', { customization_options: 'HERE' })],
      attributes,
    });
    const file = join(folder, 'items_shuffle.json');
    const written = await readFile(file, 'utf8');
    const namesOf = async (options: string): Promise<readonly string[]> => {
      await writeFile(file, written.replace('"HERE"', options));
      const { products } = await read();
      expect(products[0]?.options.map(({ values }) => values)).toEqual(
        products[0]?.options.map(() => ['one \\ "1": two']),
      );
      return products[0]?.options.map(({ name }) => name) ?? [];
    };
    const value = String.raw`[{"value": "One \\ \"1\": two"}]`;
    expect(
      await namesOf(
        `{"Size": ${value}, "2": ${value}, "None": null, "1" : ${value}, "007": ${value}, "Pack of \\"3": ${value}}`,
      ),
    ).toEqual(['size', '2', '1', '007', 'pack of "3']);
    expect(await namesOf(`{"Size": ${value}, "1": ${value}, "Size": ${value}}`)).toEqual(['size', '1']);
  });

  it('counts duplicate attribute entries and extra prices, and uses the later entry and the first two prices', async () => {
    await writeShopFiles(folder, { items: [rawItem('B000000001', { pricing: '$5 $6 $7' })] });
    await writeFile(
      join(folder, 'items_ins_v2.json'),
      '{"B000000001": {"attributes": ["old"]}, "B000000001": {"attributes": ["new"]}}',
    );
    const { products, counts } = await read();
    expect(products[0]).toMatchObject({ attributes: ['new'], pricing: [5, 6] });
    expect(counts).toEqual({
      items: 1,
      'attribute entries given twice, of which the later one counts': 1,
      'more than two prices, of which the first two count': 1,
    });
  });

  it.each(['refuse', 'as-original', 'pass-over'] as const)(
    'reads price ranges that fall, and counts them, with oddPrices %s',
    async (oddPrices) => {
      await writeShopFiles(folder, {
        items: [
          rawItem('B000000001', { pricing: '$5.00 - $4.00' }),
          rawItem('B000000002', { pricing: '$24.99 to $9.5' }),
          rawItem('B000000003', { pricing: '$4.00 - $5.00' }),
        ],
        attributes,
      });
      const { products, counts } = await read({ oddPrices });
      expect(products.map(({ pricing, priceText }) => [pricing, priceText])).toEqual([
        [[5, 4], '$5.0 to $4.0'],
        [[24.99, 9.5], '$24.99 to $9.5'],
        [[4, 5], '$4.0 to $5.0'],
      ]);
      expect(counts).toMatchObject({ 'price ranges that fall, drawn from as they stand': 2 });
      for (const product of products) {
        expect(drawnPrice(product)).toBeGreaterThan(Math.min(...product.pricing));
        expect(drawnPrice(product)).toBeLessThan(Math.max(...product.pricing));
      }
    },
  );

  it('reads the same from compressed files', async () => {
    await writeShopFiles(folder, { items, attributes });
    const plain = await read();
    await rm(join(folder, 'items_shuffle.json'));
    await rm(join(folder, 'items_ins_v2.json'));
    await writeShopFiles(folder, { items, attributes }, { compressed: true });
    const compressed = await read();
    expect(compressed.products).toEqual(plain.products);
    expect(compressed.counts).toEqual(plain.counts);
  });

  it('reads only the requested number of items, counted before any is passed over', async () => {
    await writeShopFiles(folder, { items, attributes });
    const text = await readFile(join(folder, 'items_shuffle.json'), 'utf8');
    await writeFile(
      join(folder, 'items_shuffle.json'),
      `${text.slice(0, text.indexOf('"Another lamp"'))}rubbish`,
    );
    const { products, counts } = await read({ products: 3 });
    expect(products.map(({ asin }) => asin)).toEqual(['B000000001', 'B000000002']);
    expect(counts).toEqual({ items: 3, 'passed over, id nan': 1 });
  });

  it('refuses fewer items than requested', async () => {
    await writeShopFiles(folder, { items, attributes });
    await expect(read({ products: 7 })).rejects.toThrow(
      'it has 6 items, fewer than the 7 products asked for. Ask for at most 6 products.',
    );
  });

  it('shows reviews on request, in either wording', async () => {
    const reviews = [
      {
        asin: 'B000000001',
        average_rating: 4.5,
        reviews: [
          { title: 'Fine', review: 'Lights up', score: 5 },
          { title: 'Dim', stars: '2.0' },
        ],
      },
      { asin: 'B000000009', average_rating: '', reviews: [] },
    ];
    await writeShopFiles(folder, { items, attributes, reviews });
    const published = await read();
    expect(
      published.products.every((product) => product.rating === 'N.A.' && product.reviews.length === 0),
    ).toBe(true);
    const shown = await read({ reviews: true });
    expect(shown.products[0]).toMatchObject({
      rating: '4.5',
      reviews: [
        { title: 'Fine', body: 'Lights up', score: '5' },
        { title: 'Dim', body: '', score: '2.0' },
      ],
    });
    expect(shown.products[1]).toMatchObject({ rating: 'N.A.', reviews: [] });
    expect(shown.identity).not.toEqual(published.identity);
    await writeShopFiles(folder, {
      reviews: [{ asin: 'B000000001', average_rating: 4, reviews: [{ title: 'Fine' }] }],
    });
    await expect(read({ reviews: true })).rejects.toThrow(
      'reviews.json, item 1: its reviews.0 is not what the original reads there',
    );
    await rm(join(folder, 'reviews.json'));
    await expect(read({ reviews: true })).rejects.toThrow('there is no reviews.json');
  });

  it('stops when its signal aborts', async () => {
    await writeShopFiles(folder, { items, attributes });
    const controller = new AbortController();
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(read({ signal: controller.signal })).rejects.toBe(reason);
  });

  it('detects a file that changes while it is read', async () => {
    await writeShopFiles(folder, { items, attributes });
    const recipe = await originalRecipe({ folder, memoFolder: join(folder, 'digests'), signal });
    await writeShopFiles(folder, { items: [...items, rawItem('B000000005')] });
    const drain = async (): Promise<void> => {
      for await (const product of recipe.products({
        signal,
        tally: () => undefined,
        advance: () => undefined,
      }))
        expect(product.asin).not.toBe('');
    };
    await expect(drain()).rejects.toThrow('it changed while it was read');
  });
});

describe('a faulty data file', () => {
  it.each([
    [
      'truncated between two items',
      (text: string) => text.slice(0, text.lastIndexOf(', {"name"')),
      /the file is cut short: it ends at item 5, before its last bracket, after \d+ bytes\./,
    ],
    [
      'truncated in a string',
      (text: string) => text.slice(0, -100),
      /the file is cut short: it ends at item 6, before its last bracket, after \d+ bytes\./,
    ],
    ['truncated at the last bracket', (text: string) => text.slice(0, -1), 'the file is cut short'],
    ['empty', () => '', 'the file is empty'],
    ['an object', () => '{}', 'the file is not a list [ … ]'],
    ['items without a list', (text: string) => text.slice(1, -1), 'the file is not a list [ … ]'],
    [
      'without a comma between items',
      (text: string) => text.replaceAll('}, {"name"', '} {"name"'),
      'items_shuffle.json, item 1 ("B000000001"): it is not JSON',
    ],
    [
      'with a lost quote',
      (text: string) => text.replace('"Bright light "', 'Bright light "'),
      'items_shuffle.json',
    ],
    ['with text after the list', (text: string) => `${text}]`, 'something stands after the end'],
    [
      'in UTF-16',
      (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
      'items_shuffle.json: the file is UTF-16 text, not UTF-8',
    ],
    [
      'in Latin-1',
      (text: string) => Buffer.from(text.replace('Another lamp', 'Another l\u00E0mp'), 'latin1'),
      /item 4 \("B000000001"\): it is not UTF-8 text\. It begins at byte \d{4}\./,
    ],
    [
      'with a number as an item',
      (text: string) => text.replace('[', '[5, '),
      'items_shuffle.json, item 1: it is no product',
    ],
  ])('raises an error with its name: %s', async (_, spoil, words) => {
    await writeShopFiles(folder, { items, attributes });
    const file = join(folder, 'items_shuffle.json');
    await writeFile(file, spoil(await readFile(file, 'utf8')));
    await expect(read()).rejects.toThrow(words);
    await expect(read()).rejects.toThrow(/^\S*items_shuffle\.json/);
  });

  it('raises an error with item and id for a missing field or a wrong price', async () => {
    await writeShopFiles(folder, { items: [...items, without(rawItem('B000000005'), 'query')], attributes });
    await expect(read()).rejects.toThrow('items_shuffle.json, item 7 ("B000000005"): it has no field query.');
    await writeShopFiles(folder, { items: [rawItem('B000000005', { pricing: '$ten' })], attributes });
    await expect(read()).rejects.toThrow(
      'items_shuffle.json, item 1 ("B000000005"): its pricing "$ten" is no price.',
    );
    await writeShopFiles(folder, { items: [...items, without(rawItem('B000000005'), 'asin')], attributes });
    await expect(read()).rejects.toThrow('items_shuffle.json, item 7: it has no field asin.');
  });

  it('raises an error for odd prices with the first one, their number and the fixes', async () => {
    const odd = [
      rawItem('B000000005', { pricing: '$5 (10% off $6)' }),
      rawItem('B000000006', { pricing: 'free' }),
      rawItem('B000000006', { pricing: 'free, too' }),
    ];
    await writeShopFiles(folder, { items: [...items, ...odd, rawItem('B000000007')], attributes });
    await expect(read()).rejects.toThrow(
      /items_shuffle\.json, item 7 \("B000000005"\): its pricing "\$5 \(10% off \$6\)" is no price\. 2 of 10 items have such prices\. It begins at byte \d+\. Fix the price, or leave such products out: set catalogue\.oddPrices to "pass-over", or to "as-original" to take/,
    );
    await expect(read()).rejects.not.toThrow('Fetch');
    await expect(read({ products: 7 })).rejects.toThrow('1 of 7 items has such a price.');
    await expect(read({ oddPrices: 'as-original' })).rejects.toThrow(
      /item 8 \("B000000006"\): its pricing "free" has no \$\. 1 of 10 items has such a price\. It begins at byte \d+\. Fix the price, or leave such products out: set catalogue\.oddPrices to "pass-over"\. At this one WebShop's own code stops, too\./,
    );
    expect((await read({ products: 6 })).products).toHaveLength(3);
  });

  it('gives no product after the first odd price', async () => {
    await writeShopFiles(folder, {
      items: [rawItem('B000000001'), rawItem('B000000005', { pricing: '$ten' }), rawItem('B000000007')],
      attributes,
    });
    const recipe = await originalRecipe({ folder, memoFolder: join(folder, 'digests'), signal });
    const given: string[] = [];
    const drain = async (): Promise<void> => {
      for await (const { asin } of recipe.products({
        signal,
        tally: () => undefined,
        advance: () => undefined,
      }))
        given.push(asin);
    };
    await expect(drain()).rejects.toThrow('1 of 3 items has such a price.');
    expect(given).toEqual(['B000000001']);
  });

  it('reports odd prices first when it is truncated too, counted as far as it goes', async () => {
    await writeShopFiles(folder, {
      items: [rawItem('B000000005', { pricing: '$ten' }), ...items],
      attributes,
    });
    const file = join(folder, 'items_shuffle.json');
    await truncate(file, (await stat(file)).size - 100);
    await expect(read()).rejects.toThrow(
      'its pricing "$ten" is no price. 1 of 6 items has such a price, as far as the file can be read.',
    );
  });

  it('gives products with odd prices on request, left out or read as the original does', async () => {
    const odd = [
      rawItem('B000000005', { pricing: '$12.99 ($0.41 / 100 ml)' }),
      rawItem('B000000005'),
      rawItem('B000000006', { pricing: 'free' }),
    ];
    await writeShopFiles(folder, { items: [...items, ...odd], attributes });
    const left = await read({ oddPrices: 'pass-over' });
    expect(left.products.map(({ asin }) => asin)).toEqual(['B000000001', 'B000000002', 'B000000004']);
    expect(left.counts).toMatchObject({
      items: 9,
      'passed over, odd price': 2,
      'passed over, id seen before': 2,
    });
    const taken = await read({ oddPrices: 'as-original', products: 8 });
    expect(taken.products.at(-1)).toMatchObject({
      asin: 'B000000005',
      pricing: [12.99, 0.411],
      priceText: '$12.99 to $0.411',
    });
    expect(taken.counts).toMatchObject({ 'odd prices, read as the original does': 1 });
    expect(left.identity).not.toEqual((await read({ oddPrices: 'as-original', products: 8 })).identity);
    await writeShopFiles(folder, { items: odd.slice(2), attributes });
    await expect(read({ oddPrices: 'pass-over' })).rejects.toThrow(
      'no product is left of its 1 item: 0 with the id nan and 0 with an id of more than ten characters are passed over, as the original does; so are 1 with odd prices, as catalogue.oddPrices says.',
    );
  });

  it('gives no product for an empty id', async () => {
    await writeShopFiles(folder, { items: [...items, rawItem('')], attributes });
    const { products, counts } = await read();
    expect([products.length, counts['passed over, id empty']]).toEqual([3, 1]);
    await writeShopFiles(folder, { items: [rawItem('')], attributes });
    await expect(read()).rejects.toThrow('; so are 1 with an empty id.');
  });

  it('may have faults in items that are passed over', async () => {
    await writeShopFiles(folder, {
      items: [rawItem('B000000001'), { asin: 'nan' }, { asin: 'B000000001' }, { asin: 'far too long an id' }],
      attributes,
    });
    expect((await read()).products).toHaveLength(1);
  });

  it('raises an error with the causes when no product is left', async () => {
    await writeShopFiles(folder, {
      items: [rawItem('nan'), rawItem('nan'), rawItem('far too long an id')],
      attributes,
    });
    await expect(read()).rejects.toThrow(
      /items_shuffle\.json: no product is left of its 3 items: 2 with the id nan and 1 with an id of more than ten characters are passed over/,
    );
    await writeShopFiles(folder, { items: [] });
    await expect(read()).rejects.toThrow('items_shuffle.json: it has no items.');
  });

  it('raises an error for an item of 100 MB before holding it in memory', async () => {
    await writeShopFiles(folder, { attributes });
    await writeFile(
      join(folder, 'items_shuffle.json'),
      `[${pythonText(rawItem('B000000001'))}, {"asin": "B000000002", "name": "${'x'.repeat(100_000_000)}`,
    );
    await expect(read()).rejects.toThrow('items_shuffle.json, item 2: it has more than 16777216 bytes');
  });

  it('raises an error for a million brackets', async () => {
    await writeShopFiles(folder, { attributes });
    await writeFile(join(folder, 'items_shuffle.json'), '['.repeat(1_000_000));
    await expect(read()).rejects.toThrow('items_shuffle.json, item 1: it is more than 32 brackets deep');
  });

  it('raises an error when its compressed data is truncated or damaged', async () => {
    await writeShopFiles(folder, { items, attributes }, { compressed: true });
    const file = join(folder, 'items_shuffle.json.gz');
    const bytes = await readFile(file);
    await truncate(file, bytes.length - 20);
    await expect(read()).rejects.toThrow('items_shuffle.json.gz: the compressed file is cut short');
    await writeFile(file, Buffer.concat([bytes.subarray(0, 30), Buffer.alloc(200, 0xff)]));
    await expect(read()).rejects.toThrow('items_shuffle.json.gz: the compressed file is damaged');
  });

  it('raises an error for compressed attributes cut in the middle', async () => {
    await writeShopFiles(folder, { items });
    await writeShopFiles(folder, { attributes }, { compressed: true });
    const file = join(folder, 'items_ins_v2.json.gz');
    const { size } = await stat(file);
    await truncate(file, Math.floor(size / 2));
    await expect(read()).rejects.toThrow('items_ins_v2.json.gz: the compressed file is cut short');
  });

  it('raises an error for an attribute entry of 100 MB before holding it in memory', async () => {
    await writeShopFiles(folder, { items });
    await writeFile(
      join(folder, 'items_ins_v2.json'),
      `{"B000000001": {"attributes": ["easy clean"]}, "B000000002": {"attributes": ["${'x'.repeat(100_000_000)}`,
    );
    await expect(read()).rejects.toThrow(
      'items_ins_v2.json, item 2: it has more than 1048576 bytes, which no item of such a file comes near. It begins at byte 46.',
    );
  });

  it('raises an error for attributes of other products, which would spoil every score', async () => {
    await writeShopFiles(folder, { items, attributes: { B0STRANGER: { attributes: ['easy clean'] } } });
    await expect(read()).rejects.toThrow(
      /items_ins_v2\.json: it has attributes of none of the 3 products of .*items_shuffle\.json\. Take the attributes file/,
    );
    await expect(read({ products: 1 })).rejects.toThrow('of none of the 1 products');
  });

  it('raises an error for malformed attributes of a product that is used', async () => {
    await writeShopFiles(folder, {
      items,
      attributes: { ...attributes, B000000004: { attributes: 'easy clean' } },
    });
    await expect(read()).rejects.toThrow(
      'items_ins_v2.json, item 4 ("B000000004"): its attributes is not what the published files hold there',
    );
    await writeShopFiles(folder, { items, attributes: { B000000004: ['easy clean'] } });
    await expect(read()).rejects.toThrow('items_ins_v2.json, item 1 ("B000000004"): it is not an object');
    await writeFile(join(folder, 'items_ins_v2.json'), '{"B000000004": {"attributes": []}, 5}');
    await expect(read()).rejects.toThrow('items_ins_v2.json, item 2: it has no name in quotes');
  });
});

describe('the identity of an original catalogue', () => {
  const identity = async (options: Partial<OriginalOptions> = {}): Promise<unknown> =>
    (await originalRecipe({ folder, memoFolder: join(folder, 'digests'), signal, ...options })).identity;

  it('changes with the content of either file, the number of products and oddPrices only', async () => {
    await writeShopFiles(folder, { items, attributes });
    const first = await identity();
    expect(await identity()).toEqual(first);
    expect(await identity({ products: 3 })).not.toEqual(first);
    expect(await identity({ oddPrices: 'refuse' })).toEqual(first);
    expect(
      new Set(
        [first, await identity({ oddPrices: 'pass-over' }), await identity({ oddPrices: 'as-original' })].map(
          (of) => JSON.stringify(of),
        ),
      ).size,
    ).toBe(3);
    await writeShopFiles(folder, { items, attributes });
    expect(await identity()).toEqual(first);
    await writeShopFiles(folder, { items, attributes: {} });
    expect(await identity()).not.toEqual(first);
    await writeShopFiles(folder, { items: items.slice(1), attributes });
    expect(await identity()).not.toEqual(first);
  });

  it('changes with the content even when size and time of change are restored', async () => {
    await writeShopFiles(folder, { items, attributes });
    const file = join(folder, 'items_shuffle.json');
    const past = new Date(1_600_000_000_000);
    await utimes(file, past, past);
    const first = await identity();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('Another', 'Brother'));
    await utimes(file, past, past);
    expect(await identity()).not.toEqual(first);
  });

  it('ignores a compressed file beside the plain one', async () => {
    await writeShopFiles(folder, { items, attributes });
    const first = await identity();
    await writeFile(join(folder, 'items_shuffle.json.gz'), gzipSync('[]'));
    expect(await identity()).toEqual(first); // the plain file counts
  });
});

describe('a folder of original data', () => {
  it('raises an error that names the missing files', async () => {
    await expect(read()).rejects.toThrow('there is no items_shuffle.json (nor items_shuffle.json.gz).');
    await writeShopFiles(folder, { items });
    await expect(read()).rejects.toThrow(
      'there is no items_ins_v2.json beside items_shuffle.json (nor items_ins_v2.json.gz).',
    );
    await expect(read({ folder: join(folder, 'nowhere') })).rejects.toThrow('the folder cannot be read');
  });

  it('provides the part that is large enough', async () => {
    await writeShopFiles(folder, { items, attributes }, { size: 6 });
    expect((await read()).products).toHaveLength(3); // the only one
    await writeShopFiles(
      folder,
      { items: [...items, rawItem('B000000007')], attributes },
      { size: 7, compressed: true },
    );
    await expect(read()).rejects.toThrow(
      'the catalogue may be any of items_shuffle_6.json, items_shuffle_7.json.gz',
    );
    expect((await read({ products: 2 })).counts['items']).toBe(2);
    expect((await read({ products: 7 })).products).toHaveLength(4);
    await expect(read({ products: 8 })).rejects.toThrow('items_shuffle_7.json.gz has fewer than 8 products');
    await writeShopFiles(folder, { items: items.slice(0, 1), attributes });
    expect((await read()).products).toHaveLength(1); // the whole one
  });
});
