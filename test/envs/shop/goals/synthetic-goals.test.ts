import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Catalogue } from '../../../../envs/shop/catalogue/catalogue.ts';
import { createCatalogue } from '../../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Goal } from '../../../../envs/shop/goals/goal.ts';
import { shuffledGoals } from '../../../../envs/shop/goals/goal-order.ts';
import type { GoalSet } from '../../../../envs/shop/goals/goal.ts';
import { priceCap } from '../../../../envs/shop/goals/price-cap.ts';
import { syntheticGoals, type SyntheticGoalsOptions } from '../../../../envs/shop/goals/synthetic-goals.ts';
import { plainProduct } from '../../../support/product-arbitrary.ts';
import { writeShopFiles } from '../../../support/shop-files.ts';

const { signal } = new AbortController();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-synthetic-goals-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const options = [
  { name: 'size', values: ['s', 'm', 'l'] },
  { name: '\u{1F4A1}', values: ['on', 'off'] }, // after the next one by code points, before it by UTF-16
  { name: '\uFF5E', values: ['x'] },
  { name: 'color', values: ['red', 'blue'] },
];
const catalogue = createCatalogue('original', [
  plainProduct('B1', { options: [], pricing: [12.5] }),
  plainProduct('B2', { options: [{ name: 'color', values: [] }] }),
  plainProduct('B3', { options, pricing: [985] }),
  plainProduct('B4', { options }),
  plainProduct('B5', { options: [{ name: 'size', values: ['one', 'two'] }], pricing: [5, 9] }),
]);
const asked = (instruction: string, ...attributes: readonly string[]) => ({
  attributes: [...attributes, 'more'],
  instruction,
  instruction_attributes: attributes,
});
const attributes = {
  B5: asked('Find me a shade', 'bright', 'long'),
  B1: asked('Find me a bulb', 'bright'),
  B2: asked('Find me nothing', 'never'),
  B3: asked('Find me a lamp', 'bright', 'easy'),
  B4: { attributes: [], instruction: null },
};

async function load(
  content: unknown = attributes,
  from: Catalogue = catalogue,
  options: Partial<SyntheticGoalsOptions> = {},
): Promise<GoalSet> {
  await writeShopFiles(folder, { attributes: content });
  const file = join(folder, 'items_ins_v2.json');
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return syntheticGoals(from, {
    file,
    digest,
    assertUnchanged: async () => undefined,
    cacheFolder: join(folder, 'cache'),
    signal,
    ...options,
  });
}

const goalsOf = (set: GoalSet): readonly Goal[] =>
  Array.from({ length: set.size }, (_, number) => set.goal(number));

/** In the order in which they were made. */
function unshuffled(set: GoalSet): readonly Goal[] {
  const goals: Goal[] = [];
  [...shuffledGoals(set.size)].forEach((place, number) => void (goals[place] = set.goal(number)));
  return goals;
}

describe('syntheticGoals', () => {
  it('makes every combination of options, names in the order of code points, the last changing first', async () => {
    const set = await load();
    expect(set.size).toBe(1 + 0 + 12 + 2);
    expect(set.counts).toEqual({ 'products with goals': 4 });
    const goals = unshuffled(set);
    expect(goals.map(({ asin }) => asin)).toEqual([
      'B1',
      ...Array.from({ length: 12 }, () => 'B3'),
      'B5',
      'B5',
    ]);
    expect(goals[1]?.options).toEqual([
      { name: 'color', value: 'red' },
      { name: 'size', value: 's' },
      { name: '\uFF5E', value: 'x' },
      { name: '\u{1F4A1}', value: 'on' },
    ]);
    const combinations = goals.slice(1, 13).map((goal) => goal.options.map(({ value }) => value).join(' '));
    const colours = ['red', 'blue'];
    expect(combinations).toEqual(
      colours.flatMap((color) =>
        ['s', 'm', 'l'].flatMap((size) => ['on', 'off'].map((light) => `${color} ${size} x ${light}`)),
      ),
    );
  });

  it('states options by name, and a price when two tens are left', async () => {
    const goals = unshuffled(await load());
    expect(goals[0]?.instruction).toBe(`Find me a bulb${priceCap(12.5, 'B1', 0).text}`);
    expect(goals[1]?.instruction).toBe(
      'Find me a lamp with color: red, and size: s, and \uFF5E: x, and \u{1F4A1}: on',
    );
    expect(goals[1]?.priceUpper).toBe(1_000_000);
    const cap = priceCap(catalogue.price(4), 'B5', 0);
    expect(goals.slice(13).map(({ instruction }) => instruction)).toEqual([
      `Find me a shade with size: one${cap.text}`,
      `Find me a shade with size: two${cap.text}`,
    ]);
    expect(goals[13]).toMatchObject({
      asin: 'B5',
      attributes: ['bright', 'long'],
      priceUpper: cap.priceUpper,
      name: 'Lamp B5',
      query: 'desk lamps',
    });
  });

  it('weighs goals by how rare their attributes are among all goals', async () => {
    const goals = unshuffled(await load());
    expect(goals[0]?.weight).toBeCloseTo(1 / 15, 12);
    expect(goals[5]?.weight).toBeCloseTo((1 / 15 + 1 / 12) / 2, 12);
    expect(goals[14]?.weight).toBeCloseTo((1 / 15 + 1 / 2) / 2, 12);
  });

  it('repeats its goals', async () => {
    expect(goalsOf(await load())).toEqual(goalsOf(await load()));
  });

  it('counts once for a catalogue and its attributes, unless the stored counts are damaged', async () => {
    const looks: number[] = [];
    const watched: Catalogue = {
      ...catalogue,
      product: (number) => (looks.push(number), catalogue.product(number)),
    };
    const looksOf = async (content: unknown): Promise<readonly number[]> => {
      looks.length = 0;
      await load(content, watched);
      return [...looks];
    };
    const all = [0, 1, 2, 3, 4];
    expect(await looksOf(attributes)).toEqual(all);
    const first = goalsOf(await load());
    expect(await looksOf(attributes)).toEqual([]);
    expect(await looksOf({ ...attributes, B2: asked('Find me nothing', 'ever') })).toEqual(all);
    for (const damage of [
      (bytes: Buffer) => bytes.subarray(0, -4),
      (bytes: Buffer) => Buffer.from(bytes.with(-1, 9)),
      (bytes: Buffer) =>
        Buffer.from(bytes.toString('latin1').replace('["bright",15]', '["bright",16]'), 'latin1'),
      () => Buffer.from('{}\n'),
    ]) {
      for (const name of await readdir(join(folder, 'cache'))) {
        const path = join(folder, 'cache', name);
        await writeFile(path, damage(await readFile(path)));
      }
      expect(await looksOf(attributes)).toEqual(all);
      expect(goalsOf(await load())).toEqual(first);
    }
  });

  it('counts for each catalogue, even when attributes agree and count files were mixed up', async () => {
    const first = await load();
    const other = createCatalogue('original', [
      plainProduct('B1', { options: [], pricing: [12.5] }),
      plainProduct('B5', { options: [{ name: 'size', values: ['one', 'two'] }] }),
    ]);
    expect((await load(attributes, other)).size).toBe(3);
    const cache = join(folder, 'cache');
    const [one = '', two = ''] = await readdir(cache);
    await copyFile(join(cache, one), join(cache, two));
    expect([(await load()).size, (await load(attributes, other)).size]).toEqual([first.size, 3]);
  });

  it('gives the same goals when the counts cannot be stored, and reports it', async () => {
    await writeFile(join(folder, 'cache'), 'no folder');
    const set = await load();
    expect(set.counts).toEqual({
      'products with goals': 4,
      'counted again at each opening, because the cache is not writable': 5,
    });
    expect(goalsOf(set)).toEqual(
      goalsOf(await load(attributes, catalogue, { cacheFolder: join(folder, 'other') })),
    );
  });

  it('stores no counts when the attributes changed since their digest, or when it is aborted', async () => {
    const changed = new Error('it was changed while it was read');
    await expect(
      load(attributes, catalogue, { assertUnchanged: () => Promise.reject(changed) }),
    ).rejects.toBe(changed);
    const given = new AbortController();
    const many: Catalogue = {
      ...catalogue,
      size: 10_000,
      product: (number) => (
        number === 5_000 ? given.abort(new Error('given up')) : undefined,
        catalogue.product(number % 5)
      ),
    };
    await expect(load(attributes, many, { signal: given.signal })).rejects.toThrow('given up');
    expect(await readdir(folder)).not.toContain('cache');
  });

  it('refuses too many goals and names the product', async () => {
    const values = Array.from({ length: 60 }, (_, value) => `v${value}`);
    const wide = createCatalogue('original', [
      plainProduct('B1', { options: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, values })) }),
    ]);
    await expect(load(attributes, wide)).rejects.toThrow(
      /items_ins_v2\.json: it makes more than 134,217,728 goals.*the product B1.* has 777,600,000\. .*leave that one out/,
    );
  });

  it('throws for goal numbers out of range', async () => {
    const set = await load();
    for (const number of [-1, 15, 0.5]) expect(() => set.goal(number)).toThrow(RangeError);
  });

  it('refuses attributes without an entry for a product of the catalogue, as the original does', async () => {
    const { B1, B3, B4, B5 } = attributes;
    await expect(load({ B1, B3, B4, B5 })).rejects.toThrow(
      'it has no entry for the product B2. Take the attributes file that belongs to the products file',
    );
  });

  it.each([
    [{ instruction: 'a', attributes: [] }, 'it has an instruction without instruction_attributes'],
    [
      { instruction: 'a', instruction_attributes: [] },
      'it has an instruction without instruction_attributes',
    ],
    [
      { instruction: 'a', instruction_attributes: null },
      'it has an instruction without instruction_attributes',
    ],
    [
      { instruction: 3, instruction_attributes: ['a'] },
      'its instruction is not what the published files hold there',
    ],
  ])('refuses %j', async (entry, words) => {
    await expect(load({ ...attributes, B3: entry })).rejects.toThrow(
      `items_ins_v2.json, item 4 ("B3"): ${words}`,
    );
  });
});
