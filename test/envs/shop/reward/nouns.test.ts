import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Product } from '../../../../envs/shop/catalogue/product.ts';
import { shopConfig } from '../../../../envs/shop/config.ts';
import { openConfigured } from '../../../../envs/shop/open-configured.ts';
import { checkTitles, readRecordedNouns } from '../../../../envs/shop/reward/recorded-nouns.ts';
import { scoreType } from '../../../../envs/shop/reward/score-purchase.ts';
import { tagNouns } from '../../../../envs/shop/reward/tagged-nouns.ts';
import { makePipe } from '../../../support/make-pipe.ts';
import { plainProduct } from '../../../support/product-arbitrary.ts';
import { rawItem, writeShopFiles } from '../../../support/shop-files.ts';

describe('tagged nouns', () => {
  it('include nouns and proper nouns, in lower case', () => {
    const nouns = tagNouns();
    expect(nouns.origin).toEqual({ name: 'wink-pos-tagger 2.2.2', recorded: false });
    expect(nouns.nounsOf('a blue Wool Sweater for men with pockets')).toEqual([
      'wool',
      'sweater',
      'men',
      'pockets',
    ]);
    expect(nouns.nounsOf('')).toEqual([]);
  });

  // Invented titles, similar to the two of the tests of the original. bench/shop/README.md has the figures for those.
  it.each([
    [
      'Womens Trail Running Shoes Lightweight Mesh Sneakers with Arch Support - Dark Grey',
      'RIDGE Low Top Womens Running Shoes Breathable Outdoor Sneakers Non Slip',
      1 / 3,
    ],
    [
      'Norvane Quiet 3 Speed Desk Fan Power Cord for Office Table 2.1 Amp Home Cooling System',
      'KELT USB Desk Fan Cord Adapter Plug Cable for Home Office Cooling System',
      7 / 13,
    ],
  ])('give the titles %j and %j the score %f', (wanted, bought, score) => {
    const title = (name: string) => ({ name, query: name, productCategory: '' });
    expect(scoreType(title(bought), title(wanted), tagNouns()).titleScore).toBeCloseTo(score, 3);
  });
});

describe('recorded nouns', () => {
  const { signal } = new AbortController();
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cairn-nouns-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const record = async (content: string | Buffer) => {
    const file = path.join(folder, 'nouns.json');
    await writeFile(file, content);
    return readRecordedNouns(file, signal);
  };
  const head = '{"tagger": "spaCy en_core_web_sm 3.3.0"}';

  it('come from the file, plain or gzipped', async () => {
    const text = `[${head}, {"title": "Wool Sweater", "nouns": ["Wool", "Sweater"]}]`;
    for (const content of [text, gzipSync(text)]) {
      const nouns = await record(content);
      expect(nouns.origin).toEqual({
        name: 'spaCy en_core_web_sm 3.3.0',
        recorded: true,
        originalModel: true,
      });
      expect(nouns.nounsOf('Wool Sweater')).toEqual(['wool', 'sweater']);
      expect(() => nouns.nounsOf('Wool Hat')).toThrow(
        /nouns\.json: no nouns are recorded for the title "Wool Hat"/,
      );
    }
  });

  it.each([
    'wink-pos-tagger 2.2.2',
    'spaCy en_core_web_lg 3.4.1',
    'spaCy en_core_web_sm',
    'spaCy en_core_web_sm 3',
    'spaCy en_core_web_sm 3.3',
    'spaCy en_core_web_sm 3.3.1',
    'spaCy en_core_web_sm 3.3.00',
    'spaCy en_core_web_sm 3.4.1',
    'spaCy en_core_web_sm 3.6.0',
    'spaCy en_core_web_sm 3.8.0',
    'spaCy en_core_web_sm 13.3.0',
    'spacy en_core_web_sm 3.3.0',
    'spaCy en_core_web_md 3.3.0',
    'spaCy en_core_web_sm 3.3.0 ',
    'like spaCy en_core_web_sm 3.3.0',
    'spaCy en_core_web_sm 3.3.0 and a lexicon',
  ])('keep the tagger name %j, which is not that of the original', async (tagger) => {
    const nouns = await record(
      `[${JSON.stringify({ tagger })}, {"title": "Wool Sweater", "nouns": ["Wool"]}]`,
    );
    expect(nouns.origin).toEqual({ name: tagger, recorded: true, originalModel: false });
    expect(nouns.nounsOf('Wool Sweater')).toEqual(['wool']);
  });

  it('fail for another catalogue before anything is scored', async () => {
    const products = Array.from({ length: 30 }, (_, number) =>
      plainProduct(`B${number}`, { name: `Lamp ${number}` }),
    );
    const items = (count: number): string =>
      products
        .slice(0, count)
        .map(({ name }) => `{"title": "${name}", "nouns": ["lamp"]}`)
        .join(', ');
    const catalogue = createCatalogue('original', products);
    const whole = await record(`[${head}, ${items(30)}]`);
    expect(() => checkTitles(whole, catalogue)).not.toThrow();
    const short = await record(`[${head}, ${items(29)}]`);
    expect(() => checkTitles(short, catalogue)).toThrow(
      /nouns\.json: no nouns are recorded for the title "Lamp 29"/,
    );
    const first = {
      size: 3_000_000,
      product: (number: number) => ({
        ...(products[0] as Product),
        name: number < 2_900_000 ? 'Lamp 0' : 'Lamp 7,000',
      }),
    };
    expect(() => checkTitles(short, first)).toThrow('no nouns are recorded for the title "Lamp 7,000"');
  });

  it('prevent opening a shop whose titles they lack', async () => {
    const shop = path.join(folder, 'data');
    await mkdir(shop);
    await writeShopFiles(shop, {
      items: [rawItem('B000000001')],
      attributes: {
        B000000001: {
          attributes: ['bright'],
          instruction: 'Find a lamp',
          instruction_attributes: ['bright'],
        },
      },
    });
    const file = path.join(folder, 'nouns.json');
    const config = shopConfig.parse({
      catalogue: { kind: 'original', folder: shop, goals: 'synthetic' },
      nouns: { kind: 'recorded', file },
      cacheFolder: path.join(folder, 'cache'),
    });
    await writeFile(file, `[${head}, {"title": "Lamp B000000002", "nouns": ["lamp"]}]`);
    await expect(openConfigured(config, { signal })).rejects.toThrow(
      /nouns\.json: no nouns are recorded for the title "Lamp B000000001"/,
    );
    await writeFile(file, `[${head}, {"title": "Lamp B000000001", "nouns": ["lamp"]}]`);
    const host = await openConfigured(config, { signal });
    expect(host.identity).toMatchObject({
      nouns: { name: 'spaCy en_core_web_sm 3.3.0', recorded: true, originalModel: true },
    });
    expect(host.describeTask({ panel: 'test', index: 0 }).content).toMatchObject({
      nouns: { name: 'spaCy en_core_web_sm 3.3.0', recorded: true, originalModel: true },
    });
    await host.close();
    await writeFile(
      file,
      '[{"tagger": "wink-pos-tagger 2.2.2"}, {"title": "Lamp B000000001", "nouns": ["lamp"]}]',
    );
    const other = await openConfigured(config, { signal });
    expect(other.identity).toMatchObject({ nouns: { name: 'wink-pos-tagger 2.2.2', originalModel: false } });
    expect(other.describeTask({ panel: 'test', index: 0 }).content).toMatchObject({
      nouns: { name: 'wink-pos-tagger 2.2.2', originalModel: false },
    });
    await other.close();
  });

  it.each([
    ['an empty list', '[]', /the list is empty/],
    ['no head', '[{"title": "a", "nouns": []}]', /item 1: it is not \{"tagger"/],
    ['a title without nouns', `[${head}, {"title": "a"}]`, /item 2: it is not \{"title"/],
    [
      'a duplicate title',
      `[${head}, {"title": "a", "nouns": ["a"]}, {"title": "a", "nouns": []}]`,
      /item 3 \("a"\): the title stands here a second time/,
    ],
    ['a truncated file', `[${head}, {"title": "a", "no`, /nouns\.json/],
    [
      'a gzip cut in the middle',
      gzipSync(`[${head}, {"title": "a", "nouns": []}]`).subarray(0, 40),
      /nouns\.json: the compressed file is cut short/,
    ],
    [
      'an item of a megabyte',
      `[${head}, {"title": "${'a'.repeat(1 << 20)}", "nouns": []}]`,
      /item 2: it has more than 65536 bytes/,
    ],
    ['text that is not JSON', `[${head}, {title: 1}]`, /item 2: it is not JSON/],
    ['an endless item', `[${head}, {"title": "${'a'.repeat(1 << 17)}", "nouns": []}]`, /item 2/],
  ])('refuse %s', async (_, content, message) => {
    await expect(record(content)).rejects.toThrow(message);
    await expect(record(content)).rejects.toThrow(/Record the nouns of all titles of the catalogue again/);
  });

  it.each([
    ['is missing', (file: string) => rm(file, { force: true }), /ENOENT/],
    ['is a pipe', makePipe, /it is not a regular file/],
    ['is a folder', (file: string) => rm(file, { force: true }).then(() => mkdir(file)), /EISDIR/],
  ])('name the key nouns.file when their file %s', async (_, spoil, message) => {
    const file = path.join(folder, 'nouns.json');
    await spoil(file);
    const config = shopConfig.parse({
      nouns: { kind: 'recorded', file },
      cacheFolder: path.join(folder, 'cache'),
    });
    for (const reading of [() => openConfigured(config, { signal }), () => readRecordedNouns(file, signal)]) {
      const thrown = await reading().then(() => undefined, String);
      expect(thrown).toMatch(message);
      expect(thrown).toMatch(/nouns\.json: .* Set nouns\.file to the file with the recorded nouns\.$/);
    }
    await rm(file, { recursive: true, force: true });
  });
});
