import { copyFile, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import type { OpeningReport } from '../../../envs/shop/catalogue/opening-report.ts';
import type { OddPriceHandling } from '../../../envs/shop/catalogue/original/odd-prices.ts';
import { openOriginal, type Assortment } from '../../../envs/shop/open-original.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { rawItem, writeShopFiles, type ShopFiles } from '../../support/shop-files.ts';

const { signal } = new AbortController();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-open-original-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A product with this many goals, one for each combination of two options. */
const wide = (asin: string, goals: number): ReturnType<typeof rawItem> =>
  rawItem(asin, {
    customization_options: {
      Color: Array.from({ length: goals / 10 }, (_, index) => ({ value: `color ${index}` })),
      Size: Array.from({ length: 10 }, (_, index) => ({ value: `size ${index}` })),
    },
  });

const noted = {
  attributes: ['bright light', 'long cable'],
  instruction: 'Find me a bright lamp',
  instruction_attributes: ['bright light'],
};
const written = {
  instruction: 'i need a lamp.',
  instruction_attributes: ['bright light'],
  instruction_options: ['red'],
};

const files = (goals: number): ShopFiles => ({
  items: [wide('B000000001', goals), rawItem('B000000002')],
  attributes: { B000000001: noted, B000000002: { attributes: ['long cable'] } },
  instructions: { B000000002: [written, { ...written, instruction: 'i want a lamp' }] },
});

const open = (
  goals: 'human' | 'synthetic',
  change: {
    readonly folder?: string;
    readonly products?: number;
    readonly oddPrices?: OddPriceHandling;
  } = {},
): Promise<Assortment> =>
  openOriginal(
    { folder, goals, oddPrices: 'refuse', ...change },
    { cacheFolder: join(folder, 'cache'), signal },
  );

const sizes = ({ panels }: Assortment): readonly (readonly [string, string, number, number])[] =>
  panels.map(({ name, purpose, size, first }) => [name, purpose, size, first] as const);

describe('the original shop', () => {
  it('provides the published splits, numbered as the goals are', async () => {
    await writeShopFiles(folder, files(1_600));
    const shop = await open('synthetic');
    expect(sizes(shop)).toEqual([
      ['train', 'train', 100, 1_500],
      ['dev', 'dev', 1_000, 500],
      ['test', 'held-out', 500, 0],
    ]);
    const instructions = shop.panels.flatMap((panel) =>
      Array.from({ length: panel.size }, (_, index) => panel.goal(index).instruction),
    );
    expect(new Set(instructions).size).toBe(1_600);
    expect(shop.catalogue).toMatchObject({ source: 'original', size: 2 });
    await shop.catalogue.close();
  });

  it('leaves out panels without goals', async () => {
    await writeShopFiles(folder, files(700));
    expect(sizes(await open('synthetic'))).toEqual([
      ['dev', 'dev', 200, 500],
      ['test', 'held-out', 500, 0],
    ]);
    const human = await open('human');
    expect(sizes(human)).toEqual([['test', 'held-out', 2, 0]]);
    expect(human.panels[0]?.goal(0)).toMatchObject({
      asin: 'B000000002',
      options: [{ name: undefined, value: 'red' }],
    });
  });

  it('keeps its identity in another folder, and changes it with goals or products', async () => {
    await writeShopFiles(folder, files(700));
    const other = await mkdtemp(join(tmpdir(), 'cairn-open-original-'));
    await writeShopFiles(other, files(700), { compressed: true });
    const { identity } = await open('human');
    expect((await open('human', { folder: other })).identity).toEqual(identity);
    expect((await open('synthetic')).identity).not.toEqual(identity);
    expect((await open('synthetic', { products: 1 })).identity).not.toEqual(
      (await open('synthetic')).identity,
    );
    await rm(other, { recursive: true });
  });

  it('reports how many products and goals there are, and of which part of the files', async () => {
    await writeShopFiles(folder, files(700));
    const told = async (...words: Parameters<typeof open>): Promise<unknown> => ({
      ...((await open(...words)).identity as object),
      catalogue: undefined,
    });
    expect(await told('human')).toEqual({
      kind: 'original',
      products: 2,
      part: 'all items',
      goals: { kind: 'human', count: 2 },
    });
    expect(await told('synthetic', { products: 1 })).toEqual({
      kind: 'original',
      products: 1,
      part: 'the first 1 items',
      goals: { kind: 'synthetic', count: 700 },
    });
    const part = await mkdtemp(join(tmpdir(), 'cairn-open-original-'));
    await writeShopFiles(part, files(700), { size: 1_000 });
    expect(await told('human', { folder: part })).toMatchObject({
      products: 2,
      part: 'all items of a file of the first 1000',
    });
    await rm(part, { recursive: true });
  });

  it('reports what it did with odd prices, when there are any', async () => {
    const sound = files(700);
    await writeShopFiles(folder, sound);
    const identityOf = async (oddPrices: OddPriceHandling): Promise<Readonly<Record<string, unknown>>> =>
      (await open('human', { oddPrices })).identity as Readonly<Record<string, unknown>>;
    const plain = await identityOf('refuse');
    expect([await identityOf('pass-over'), await identityOf('as-original')]).toEqual([plain, plain]);
    await writeShopFiles(folder, {
      ...sound,
      items: [...(sound.items ?? []), rawItem('B000000003', { pricing: '$5 (10% off $6)' })],
    });
    await expect(identityOf('refuse')).rejects.toThrow('1 of 3 items has such a price');
    expect(await identityOf('pass-over')).toMatchObject({ products: 2, oddPrices: { passedOver: 1 } });
    expect(await identityOf('as-original')).toMatchObject({ products: 3, oddPrices: { asOriginal: 1 } });
  });

  it('reports progress in scanning files, reading them and counting goals', async () => {
    await writeShopFiles(folder, files(700), { compressed: true });
    const told: Parameters<OpeningReport>[] = [];
    const shop = await openOriginal(
      { folder, goals: 'synthetic', oddPrices: 'refuse' },
      { cacheFolder: join(folder, 'cache'), signal, report: (...words) => void told.push(words) },
    );
    const mebibytes = async (name: string): Promise<number> =>
      (await stat(join(folder, name))).size / 2 ** 20;
    const products = await mebibytes('items_shuffle.json.gz');
    const attributes = await mebibytes('items_ins_v2.json.gz');
    expect(told).toEqual([
      ['files', products, products, 'MiB'],
      ['files', attributes, attributes, 'MiB'],
      ['products', products, products, 'MiB'],
      ['goals', 0, 2],
    ]);
    await shop.catalogue.close();
  });

  it('opens from a cache that cannot be written, even after the files were touched, and reports it', async () => {
    await writeShopFiles(folder, files(700));
    const first = await open('synthetic');
    const cacheFolder = join(folder, 'cache');
    for (const name of (await readdir(cacheFolder)).filter((entry) => entry.endsWith('.json'))) {
      await rm(join(cacheFolder, name));
      await mkdir(join(cacheFolder, name)); // no memo can be stored there, not even by root
    }
    const told: [string, string, number][] = [];
    const again = await openOriginal(
      { folder, goals: 'synthetic', oddPrices: 'refuse' },
      { cacheFolder, signal, tell: (...words) => void told.push(words) },
    );
    expect(again.identity).toEqual(first.identity);
    expect(told).toEqual([['files', 'read whole at each opening, for the cache cannot be written', 2]]);
    for (const { catalogue } of [first, again]) await catalogue.close();
  });

  it('reports why a catalogue is rebuilt, and which of several files it uses', async () => {
    await writeShopFiles(folder, files(700));
    const told = async (): Promise<readonly unknown[]> => {
      const lines: unknown[] = [];
      const { catalogue } = await openOriginal(
        { folder, goals: 'human', oddPrices: 'refuse' },
        { cacheFolder: join(folder, 'cache'), signal, tell: (...words) => void lines.push(words) },
      );
      await catalogue.close();
      return lines;
    };
    expect(await told()).toEqual([]);
    const [made = ''] = (await readdir(join(folder, 'cache'))).filter((name) =>
      name.startsWith('catalogue-'),
    );
    await truncate(join(folder, 'cache', made, 'products.bin'), 10);
    expect(await told()).toEqual([
      [
        'products',
        expect.stringMatching(
          /^catalogues built again: what is there is damaged \(products\.bin: /,
        ) as string,
        1,
      ],
    ]);
    for (const name of [
      'items_shuffle.json.gz',
      'items_shuffle_1000.json',
      'items_ins_v2_1000.json',
      'items_human_ins.json.gz',
    ])
      await writeFile(join(folder, name), 'zzz');
    expect(await told()).toEqual([
      [
        'files',
        'left out beside items_shuffle.json, which is taken (items_shuffle_1000.json, items_shuffle.json.gz)',
        2,
      ],
      ['files', 'left out beside items_ins_v2.json, which is taken (items_ins_v2_1000.json)', 1],
      ['files', 'left out beside items_human_ins.json, which is taken (items_human_ins.json.gz)', 1],
    ]);
  });

  it.each([
    ['is missing', (file: string) => rm(file), /items_human_ins\.json .*catalogue\.goals to "synthetic"/],
    ['is a pipe', makePipe, /items_human_ins\.json: it is not a regular file/],
    [
      'is not an object',
      (file: string) => writeFile(file, gzipSync('zzz')),
      /items_human_ins\.json: the file is not an object \{ … \}/,
    ],
    ['is empty', (file: string) => writeFile(file, ''), /items_human_ins\.json: the file is empty/],
    [
      'is a list in braces',
      (file: string) => writeFile(file, '{["B000000002"]}'),
      /items_human_ins\.json, item 1: it is/,
    ],
    [
      'contains attributes',
      (file: string) => copyFile(join(file, '..', 'items_ins_v2.json'), file),
      /items_human_ins\.json, item 1 \("B000000001"\): it is not a list of instructions/,
    ],
    [
      'has text in place of a list',
      (file: string) => writeFile(file, '{"B000000002": "zzz"}'),
      /items_human_ins\.json, item 1 \("B000000002"\): it is not a list of instructions/,
    ],
    [
      'lacks a field',
      (file: string) => writeFile(file, '{"B000000002": [{"instruction": "x"}]}'),
      /items_human_ins\.json, item 1 \("B000000002"\): instruction 1 has no instruction_attributes/,
    ],
    ['has no entries', (file: string) => writeFile(file, '{}'), /items_human_ins\.json: it has no entries/],
    [
      'is truncated',
      (file: string) => writeFile(file, '{"B000000002": [{"instr'),
      /items_human_ins\.json: the file is cut short/,
    ],
    [
      'is a folder',
      (file: string) => rm(file).then(() => mkdir(file)),
      /items_human_ins\.json: it cannot be read: EISDIR/,
    ],
  ])('refuses a file of human goals that %s, before it builds a catalogue', async (_, spoil, message) => {
    await writeShopFiles(folder, files(700));
    await spoil(join(folder, 'items_human_ins.json'));
    await expect(open('human')).rejects.toSatisfy(
      (thrown) => UsageError.is(thrown) && message.test(thrown.message),
    );
    expect((await readdir(join(folder, 'cache'))).filter((name) => name.startsWith('catalogue-'))).toEqual(
      [],
    );
  });

  it('refuses human goals without their file, or for none of its products', async () => {
    const { instructions: _, ...others } = files(700);
    await writeShopFiles(folder, others);
    await expect(open('human')).rejects.toSatisfy(
      (thrown) =>
        UsageError.is(thrown) &&
        /items_human_ins\.json.*catalogue\.goals to "synthetic"/s.test(thrown.message),
    );
    await writeShopFiles(folder, { instructions: { B000000009: [written] } });
    await expect(open('human')).rejects.toSatisfy(
      (thrown) =>
        UsageError.is(thrown) && /no human goal for any of the 2 products.*"synthetic"/s.test(thrown.message),
    );
  });
});
