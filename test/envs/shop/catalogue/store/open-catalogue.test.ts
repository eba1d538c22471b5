import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../../envs/core/json.ts';
import type { Catalogue } from '../../../../../envs/shop/catalogue/catalogue.ts';
import { createCatalogue } from '../../../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Product } from '../../../../../envs/shop/catalogue/product.ts';
import type { CatalogueRecipe } from '../../../../../envs/shop/catalogue/recipe.ts';
import { readManifest, writeManifest } from '../../../../../envs/shop/catalogue/store/manifest.ts';
import {
  openCatalogue,
  type StoredCatalogue,
} from '../../../../../envs/shop/catalogue/store/open-catalogue.ts';
import {
  describeStoreEvent,
  type StoreEvent,
} from '../../../../../envs/shop/catalogue/store/store-events.ts';
import { makePipe } from '../../../../support/make-pipe.ts';
import { plainProduct, productArbitrary } from '../../../../support/product-arbitrary.ts';

const { signal } = new AbortController();
let cacheFolder = '';

beforeEach(async () => {
  cacheFolder = join(await mkdtemp(join(tmpdir(), 'cairn-store-')), 'cache');
});

afterEach(async () => {
  await rm(join(cacheFolder, '..'), { recursive: true, force: true });
});

const things = ['desk lamp', 'floor lamp', 'running shoes', 'tea', 'green tea', 'tea pot', 'lamp shade'];
const products: readonly Product[] = things.map((name, number) =>
  plainProduct(`B${number}`, {
    name,
    pricing: number % 2 === 0 ? [number] : [number, number + 5],
    description: `\u2605 ${'x'.repeat(500 * number)}`,
  }),
);

function recipeOf(list: Iterable<Product>, identity: Json = 1): CatalogueRecipe & { readings: number } {
  return {
    source: 'generated',
    identity,
    readings: 0,
    async *products({ tally }) {
      this.readings += 1;
      for (const product of list) {
        tally('read');
        await setImmediate();
        yield product;
      }
    },
  };
}

async function open(
  recipe: CatalogueRecipe = recipeOf(products),
): Promise<{ readonly catalogue: StoredCatalogue; readonly events: readonly StoreEvent[] }> {
  const events: StoreEvent[] = [];
  const catalogue = await openCatalogue(recipe, {
    cacheFolder,
    signal,
    report: (event) => void events.push(event),
  });
  return { catalogue, events };
}

/** All that a catalogue answers. */
function answers(catalogue: Catalogue, list: readonly Product[] = products): unknown {
  const { source, fingerprint, size } = catalogue;
  const numbers = Array.from({ length: size }, (_, number) => number);
  return {
    source,
    fingerprint,
    products: numbers.map((number) => catalogue.product(number)),
    prices: numbers.map((number) => catalogue.price(number)),
    found: list.map(({ asin }) => catalogue.find(asin)),
    unknown: catalogue.find('B9999'),
    searches: ['tea', 'lamps', 'green tea pot', 'nothing like it', ''].map((query) =>
      catalogue.search(query),
    ),
  };
}

describe('a stored catalogue', () => {
  it('answers like one in memory', async () => {
    const { catalogue } = await open();
    expect(answers(catalogue)).toEqual(answers(createCatalogue('generated', products)));
    expect(catalogue.search('tea')).toHaveLength(3);
    expect(catalogue.find('B3')).toBe(3);
    await catalogue.close();
  });

  it('stores any products', async () => {
    const list = fc.sample(productArbitrary, { numRuns: 200, seed: 7 });
    const unique = [...new Map(list.map((product) => [product.asin, product])).values()];
    const { catalogue } = await open(recipeOf(unique));
    expect(answers(catalogue, unique)).toEqual(answers(createCatalogue('generated', unique), unique));
    await catalogue.close();
  });

  it.each([
    ['of ten characters', ['B09QPX97VW', 'B09HH6P68W', 'B09QPX97VA'], [1, 2, 0]],
    ['with digits, capitals and small letters', ['b1', 'B1', '91', '_1'], [2, 1, 3, 0]],
    ['of different lengths', ['B10', 'B', 'B1', ''], [3, 1, 2, 0]],
    ['in their order already', ['A', 'B', 'C'], [0, 1, 2]],
  ])('finds products of equal score in the order of their ids as strings: ids %s', async (_, ids, wanted) => {
    const alike = ids.map((asin) => plainProduct(asin, { name: 'Red Shoes' }));
    const { catalogue } = await open(recipeOf(alike));
    expect(catalogue.search('shoes')).toEqual(wanted);
    await catalogue.close();
    const again = await open(recipeOf(alike));
    expect(again.events).toEqual([]);
    expect(again.catalogue.search('shoes')).toEqual(wanted);
    await again.catalogue.close();
    expect(createCatalogue('generated', alike).search('shoes')).toEqual(wanted);
  });

  it('finds the 50 lowest ids where more products have the same score', async () => {
    const many = Array.from({ length: 300 }, (_, number) =>
      plainProduct(`B${(number * 7) % 300}`, { name: 'Red Shoes', description: '' }),
    );
    const wanted = many
      .map(({ asin }) => asin)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .slice(0, 50);
    const { catalogue } = await open(recipeOf(many));
    expect(catalogue.search('shoes').map((number) => catalogue.product(number).asin)).toEqual(wanted);
    await catalogue.close();
  });

  it('may be empty', async () => {
    const { catalogue } = await open(recipeOf([]));
    expect(catalogue.size).toBe(0);
    expect(catalogue.search('lamp')).toEqual([]);
    await catalogue.close();
  });

  it('reads and indexes once, then opens unchanged', async () => {
    const recipe = recipeOf(products);
    const first = await open(recipe);
    expect(first.events).toEqual([
      { kind: 'build-start', folder: first.catalogue.folder, reason: { kind: 'absent' } },
      { kind: 'build-end', folder: first.catalogue.folder, products: 7, counts: { read: 7 } },
    ]);
    expect(first.events.map(describeStoreEvent)).toEqual([
      `making the catalogue in ${first.catalogue.folder}: there is none yet`,
      `made the catalogue of 7 products in ${first.catalogue.folder} (read 7)`,
    ]);
    const second = await open(recipe);
    expect(second.events).toEqual([]);
    expect(recipe.readings).toBe(1);
    expect(second.catalogue.counts).toEqual({ read: 7 });
    expect(answers(second.catalogue)).toEqual(answers(first.catalogue));
    await first.catalogue.close();
    await second.catalogue.close();
  });

  it('reports progress when its recipe does', async () => {
    const recipe = recipeOf(products);
    const { events, catalogue } = await open({
      ...recipe,
      async *products(reading) {
        reading.advance(2.5, 9);
        yield* recipe.products(reading);
      },
    });
    expect(events[1]).toEqual({ kind: 'build-advance', done: 2.5, total: 9 });
    expect(events.map(describeStoreEvent)[1]).toBe('making the catalogue: 2 of 9');
    await catalogue.close();
  });

  it('gets its own folder for every content', async () => {
    const other = recipeOf(products.slice(1), { seed: 2 });
    const [a, b] = [(await open()).catalogue, (await open(other)).catalogue];
    expect(a.folder).not.toBe(b.folder);
    expect(a.fingerprint).not.toBe(b.fingerprint);
    expect((await open()).events).toEqual([]);
    expect((await readdir(cacheFolder)).length).toBe(2);
    await a.close();
    await b.close();
  });

  it('throws for any other product number, and once it is closed', async () => {
    const { catalogue } = await open();
    for (const number of [-1, 7, 0.5, Number.NaN]) {
      expect(() => catalogue.product(number)).toThrow(RangeError);
      expect(() => catalogue.price(number)).toThrow(RangeError);
    }
    await catalogue.close();
    await catalogue.close();
    expect(() => catalogue.product(0)).toThrow('the catalogue was closed');
  });

  it('leaves nothing behind when its creation is aborted or fails', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const endless: CatalogueRecipe = {
      source: 'generated',
      identity: 'endless',
      async *products() {
        for (let number = 0; ; number += 1) {
          if (number === 1_000) controller.abort(reason);
          await setImmediate();
          yield plainProduct(`B${number}`);
        }
      },
    };
    await expect(openCatalogue(endless, { cacheFolder, signal: controller.signal })).rejects.toBe(reason);
    await expect(open(recipeOf([...products, plainProduct('B3')]))).rejects.toThrow('the id B3 comes twice');
    await expect(open(recipeOf([plainProduct('B\u00E9')]))).rejects.toThrow(
      'is not of at most ten printable ASCII characters',
    );
    expect(await readdir(cacheFolder)).toEqual([]);
  });

  it('removes old partial files, even of other catalogues, when it opens', async () => {
    const { catalogue } = await open();
    await catalogue.close();
    const left = [join(cacheFolder, 'catalogue-of-another'), catalogue.folder, cacheFolder].map((folder) =>
      join(folder, '.products.bin.12345678-1234-1234-1234-123456789abc.part'),
    );
    await mkdir(join(cacheFolder, 'catalogue-of-another'));
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const part of left) await writeFile(part, 'half').then(() => utimes(part, longAgo, longAgo));
    const again = await open();
    expect(again.events).toEqual([]);
    expect(
      (await readdir(cacheFolder, { recursive: true })).filter((name) => name.endsWith('.part')),
    ).toEqual([]);
    await again.catalogue.close();
  });

  it('may be created several times at once and is kept once', async () => {
    const recipes = Array.from({ length: 4 }, () => recipeOf(products));
    const opened = await Promise.all(recipes.map(open));
    expect(recipes.map(({ readings }) => readings)).toEqual([1, 1, 1, 1]);
    const expected = answers(createCatalogue('generated', products));
    for (const { catalogue } of opened) expect(answers(catalogue)).toEqual(expected);
    expect(await readdir(cacheFolder)).toHaveLength(1);
    for (const { catalogue } of opened) await catalogue.close();
  });
});

describe('the catalogue cache', () => {
  /** Creates the catalogue, damages its folder and opens it again. */
  async function reopen(spoil: (folder: string) => Promise<void>): Promise<readonly StoreEvent[]> {
    const first = await open();
    const expected = answers(first.catalogue);
    await first.catalogue.close();
    await spoil(first.catalogue.folder);
    const second = await open();
    expect(answers(second.catalogue)).toEqual(expected);
    await second.catalogue.close();
    expect(await readdir(cacheFolder)).toHaveLength(1);
    return second.events;
  }

  const changeManifest = async (
    folder: string,
    change: (manifest: ReturnType<typeof readManifest>) => object,
  ): Promise<void> => {
    const path = join(folder, 'manifest.json');
    const { digest, ...content } = readManifest(await readFile(path, 'utf8'));
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    await writeFile(path, writeManifest({ ...content, ...change({ ...content, digest }) }));
  };

  it('rebuilds a catalogue of another version or content, and reports it', async () => {
    const older = await reopen((folder) => changeManifest(folder, () => ({ format: '0' })));
    expect(older.map(describeStoreEvent)[0]).toContain(
      'what is there was made otherwise (it has the format 0)',
    );
    const foreign = await reopen((folder) => changeManifest(folder, () => ({ key: '0'.repeat(64) })));
    expect(foreign[0]).toMatchObject({ reason: { kind: 'stale', detail: 'it has other products' } });
  });

  it('rebuilds a catalogue that was modified', async () => {
    const manifest = (folder: string): string => join(folder, 'manifest.json');
    const spoilt: readonly ((folder: string) => Promise<void>)[] = [
      async (folder) =>
        writeFile(
          manifest(folder),
          (await readFile(manifest(folder), 'utf8')).replace(
            /sha256:(.)/,
            (_, digit) => `sha256:${digit === '0' ? '1' : '0'}`,
          ),
        ),
      async (folder) =>
        writeFile(
          manifest(folder),
          (await readFile(manifest(folder), 'utf8')).replace('"read": 7', '"read": 8'),
        ),
      async (folder) =>
        writeFile(
          manifest(folder),
          (await readFile(manifest(folder), 'utf8')).replace('"products": 7', '"products": 6'),
        ),
      (folder) => truncate(manifest(folder), 100),
      (folder) => rm(join(folder, 'tables.bin')),
      (folder) => rm(join(folder, 'text.index')),
      (folder) => truncate(join(folder, 'text.index'), 1_000),
      (folder) => rm(join(folder, 'products.bin')),
      (folder) => truncate(join(folder, 'products.bin'), 1_000),
      async (folder) =>
        writeFile(
          join(folder, 'products.bin'),
          Buffer.concat([await readFile(join(folder, 'products.bin')), Buffer.alloc(1)]),
        ),
    ];
    for (const spoil of spoilt)
      expect((await reopen(spoil))[0]).toMatchObject({ kind: 'build-start', reason: { kind: 'damaged' } });
  });

  it.each(['manifest.json', 'tables.bin', 'text.index', 'products.bin'])(
    'rebuilds a catalogue when %s is a pipe, without waiting for it',
    async (name) => {
      const [start] = await reopen((folder) => makePipe(join(folder, name)));
      expect(start).toMatchObject({
        kind: 'build-start',
        reason: {
          kind: 'damaged',
          detail: expect.stringMatching(`${name}: it is not a regular file$`) as string,
        },
      });
    },
  );

  it('counts a catalogue without its manifest as absent', async () => {
    expect((await reopen((folder) => rm(join(folder, 'manifest.json'))))[0]).toMatchObject({
      kind: 'build-start',
      reason: { kind: 'absent' },
    });
  });

  it('names a damaged catalogue that cannot be rebuilt, with the cause', async () => {
    const { catalogue } = await open();
    await catalogue.close();
    const tables = join(catalogue.folder, 'tables.bin');
    await rm(tables);
    await mkdir(tables);
    await expect(open()).rejects.toThrow(
      `${tables}: it is a folder. The catalogue in ${catalogue.folder} must be built again: what is there is damaged (${tables}: it is not a regular file). Remove it. The cache file is then written again.`,
    );
    const manifest = join(catalogue.folder, 'manifest.json');
    await truncate(manifest, 20);
    await expect(open()).rejects.toThrow(/must be built again: what is there is damaged \(manifest\.json: /);
  });

  it('refuses a file in the place of its folder', async () => {
    await writeFile(cacheFolder, 'a file');
    await expect(open()).rejects.toThrow(/it could not be written/);
  });

  it('never gives a wrong answer, whatever byte changes', async () => {
    const { catalogue } = await open();
    const expected = answers(catalogue);
    await catalogue.close();
    const kept = join(cacheFolder, '..', 'kept');
    await cp(catalogue.folder, kept, { recursive: true });
    const files = await readdir(kept);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(kept, file))).size));
    const place = fc
      .nat(files.length - 1)
      .chain((file) =>
        fc.tuple(fc.constant(file), fc.nat((sizes[file] ?? 1) - 1), fc.integer({ min: 1, max: 255 })),
      );
    await fc.assert(
      fc.asyncProperty(place, async ([file, at, flip]) => {
        await rm(catalogue.folder, { recursive: true });
        await cp(kept, catalogue.folder, { recursive: true });
        const path = join(catalogue.folder, files[file] ?? '');
        const bytes = await readFile(path);
        bytes[at] = (bytes[at] as number) ^ flip;
        await writeFile(path, bytes);
        const again = await open();
        try {
          expect(answers(again.catalogue)).toEqual(expected);
        } catch (thrown) {
          expect(String(thrown)).toMatch(
            /products\.bin: the stored product \d is damaged: .* Delete the folder of the file\. The catalogue is then built again\./,
          );
          expect(files[file]).toBe('products.bin');
        } finally {
          await again.catalogue.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('ignores what a killed process left half done, and removes it after an hour', async () => {
    const { catalogue } = await open();
    const { folder } = catalogue;
    await catalogue.close();
    const [young, old] = ['.products.bin.young.part', '.products.bin.old.part'].map((name) =>
      join(folder, name),
    ) as [string, string];
    for (const part of [young, old]) await writeFile(part, 'half');
    const past = new Date((await stat(young)).mtimeMs - 7_200_000);
    await utimes(old, past, past);
    await rm(join(folder, 'manifest.json'));
    await (await open()).catalogue.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([
      '.products.bin.young.part',
    ]);
  });
});
