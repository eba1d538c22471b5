import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Goal } from '../../../../envs/shop/goals/goal.ts';
import { shuffledGoals } from '../../../../envs/shop/goals/goal-order.ts';
import type { GoalSet } from '../../../../envs/shop/goals/goal.ts';
import { humanGoals } from '../../../../envs/shop/goals/human-goals.ts';
import { priceCap } from '../../../../envs/shop/goals/price-cap.ts';
import { plainProduct } from '../../../support/product-arbitrary.ts';
import { writeShopFiles } from '../../../support/shop-files.ts';

const { signal } = new AbortController();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-human-goals-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const catalogue = createCatalogue('original', [
  plainProduct('B1', { pricing: [12.5] }),
  plainProduct('B2', { pricing: [1_500] }),
  plainProduct('B3', { pricing: [10, 20], query: 'floor lamps', category: 'home' }),
]);

const written = (instruction: string, attributes: readonly string[], options: readonly string[] = []) => ({
  asin: 'B0',
  instruction,
  attributes: ['not', 'looked', 'at'],
  options: ['color: red'],
  instruction_attributes: attributes,
  instruction_options: options,
  assignment_id: 'A',
  worker_id: 'W',
});

const instructions = {
  B3: [written('i need a lamp.', ['easy clean'], ['red', 'green'])],
  B9: [written('not in the catalogue', ['easy clean'])],
  B1: [
    written('..a lamp. or two...', ['bright', 'long']),
    written('nothing asked for', []),
    written('another', ['bright']),
  ],
  B2: [written('a dear lamp', ['easy clean'])],
};

async function load(content: unknown = instructions, options = {}): Promise<GoalSet> {
  await writeShopFiles(folder, { instructions: content }, options);
  return humanGoals(catalogue, join(folder, 'items_human_ins.json'), signal);
}

const goalsOf = (set: GoalSet): readonly Goal[] =>
  Array.from({ length: set.size }, (_, number) => set.goal(number));

describe('humanGoals', () => {
  it('orders instructions with attributes by product, shuffled as the original does', async () => {
    const set = await load();
    const order = ['..a lamp. or two...', 'another', 'a dear lamp', 'i need a lamp.'];
    const expected = [...shuffledGoals(4)].map((place) => order[place]);
    expect(goalsOf(set).map(({ asin, instruction }) => [asin, instruction.split(', and price')[0]])).toEqual(
      expected.map((instruction) => [
        instruction === 'i need a lamp.' ? 'B3' : instruction === 'a dear lamp' ? 'B2' : 'B1',
        instruction?.replaceAll(/^\.+|\.+$/g, ''),
      ]),
    );
    expect(set.counts).toEqual({
      'products with instructions': 4,
      'of them in the catalogue': 3,
      'instructions of them': 5,
      'passed over, of unknown products': 1,
      'passed over, without attributes': 1,
      'entries given twice, of which the later one counts': 0,
    });
  });

  it('states the product, what is asked for, and a price above its own', async () => {
    const goals = goalsOf(await load());
    const lamp = goals.find(({ asin }) => asin === 'B3');
    const price = catalogue.price(2);
    const cap = priceCap(price, 'B3', 0);
    expect(lamp).toEqual({
      asin: 'B3',
      instruction: `i need a lamp, and price lower than ${cap.priceUpper}.00 dollars`,
      attributes: ['easy clean'],
      options: [
        { name: undefined, value: 'red' },
        { name: undefined, value: 'green' },
      ],
      priceUpper: cap.priceUpper,
      name: 'Lamp B3',
      query: 'floor lamps',
      category: 'home',
      productCategory: 'Home \u203A Lamps',
      weight: 1,
    });
    expect(cap.priceUpper).toBeGreaterThan(price);
    expect(goals.find(({ asin }) => asin === 'B2')).toMatchObject({
      instruction: 'a dear lamp',
      priceUpper: 1_000_000,
    });
  });

  it('draws a cap for each instruction of a product, and counts those passed over', async () => {
    const goals = goalsOf(await load());
    expect(goals.find(({ instruction }) => instruction.startsWith('another'))?.priceUpper).toBe(
      priceCap(12.5, 'B1', 2).priceUpper,
    );
  });

  it('repeats its goals, even from a compressed file', async () => {
    const first = goalsOf(await load());
    expect(goalsOf(await load())).toEqual(first);
    await writeShopFiles(folder, { instructions }, { compressed: true });
    expect(goalsOf(await humanGoals(catalogue, join(folder, 'items_human_ins.json.gz'), signal))).toEqual(
      first,
    );
  });

  it('uses the later entry of a product that comes twice, as Python does', async () => {
    await writeFile(
      join(folder, 'items_human_ins.json'),
      JSON.stringify({ B1: [written('first', ['a'])], X: [written('second', ['b'])] }).replace('"X"', '"B1"'),
    );
    const set = await humanGoals(catalogue, join(folder, 'items_human_ins.json'), signal);
    expect(goalsOf(set).map(({ attributes }) => attributes)).toEqual([['b']]);
    expect(set.counts).toMatchObject({
      'passed over, of unknown products': 0,
      'entries given twice, of which the later one counts': 1,
    });
  });

  it('may be empty', async () => {
    const set = await load({});
    expect(set.size).toBe(0);
    expect(() => set.goal(0)).toThrow(RangeError);
  });

  it('throws for goal numbers out of range', async () => {
    const set = await load();
    for (const number of [-1, 4, 0.5, Number.NaN]) expect(() => set.goal(number)).toThrow(RangeError);
  });

  it.each([
    [{ B1: 'a lamp' }, 'items_human_ins.json, item 1 ("B1"): it is not a list of instructions'],
    [
      { B1: [written('a', ['b']), { ...written('a', ['b']), instruction_options: 'red' }] },
      'item 1 ("B1"): instruction 2 has no instruction_options of the kind',
    ],
    [
      { B9: 3, B2: [{ instruction: 'a' }] },
      'item 2 ("B2"): instruction 1 has no instruction_attributes of the kind',
    ],
    [[], 'the file is not an object { … }'],
  ])('refuses %j', async (content, words) => {
    await expect(load(content)).rejects.toThrow(words);
  });

  it('refuses a compressed file cut in the middle, and an entry of five megabytes', async () => {
    await writeShopFiles(folder, { instructions }, { compressed: true });
    const file = join(folder, 'items_human_ins.json.gz');
    await truncate(file, Math.floor((await stat(file)).size / 2));
    await expect(humanGoals(catalogue, file, signal)).rejects.toThrow(
      'items_human_ins.json.gz: the compressed file is cut short',
    );
    await expect(
      load({ B1: [written('a', ['b'])], B2: [written('x'.repeat(5_000_000), ['b'])] }),
    ).rejects.toThrow('items_human_ins.json, item 2: it has more than 4194304 bytes');
  });

  it('refuses a truncated file', async () => {
    await load();
    await writeFile(join(folder, 'items_human_ins.json'), JSON.stringify(instructions).slice(0, -40));
    await expect(humanGoals(catalogue, join(folder, 'items_human_ins.json'), signal)).rejects.toThrow(
      'the file is cut short: it ends at item 4',
    );
  });
});
