import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cairn } from '../../support/command-line.ts';
import { rawItem, writeShopFiles } from '../../support/shop-files.ts';

let folder = '';
let data: readonly string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  data = [
    '--set',
    `catalogue={"kind": "original", "folder": ${JSON.stringify(folder)}}`,
    '--set',
    `cacheFolder=${path.join(folder, 'cache')}`,
  ];
});
afterAll(() => rm(folder, { recursive: true }));

const attributes = {
  B000000001: { attributes: ['bright light'] },
  B000000002: { attributes: ['long cable'] },
};
const written = [
  { instruction: 'i need a lamp', instruction_attributes: ['bright light'], instruction_options: [] },
];
const clean = {
  items: [rawItem('B000000001'), rawItem('B000000002')],
  attributes,
  instructions: { B000000001: written },
};

/** What went over to stderr of an opening, line by line. */
const openingLines = (err: string): readonly string[] =>
  err.split('\n').filter((line) => line.startsWith('opening: '));

describe('opening the shop’s original data files', () => {
  it('reports skipped items, one line each and as JSON, every time', async () => {
    const items = [
      ...clean.items,
      rawItem('nan'),
      rawItem('nan'),
      rawItem('B000000001'),
      rawItem('far too long an id'),
      rawItem('B000000003', { pricing: '$5 $6 $7' }),
    ];
    await writeShopFiles(folder, {
      items,
      attributes,
      instructions: { B000000001: written, B000000009: written },
    });
    const said = [
      'opening: products: passed over, id nan: 2',
      'opening: products: passed over, id seen before: 1',
      'opening: products: passed over, id too long: 1',
      'opening: products: without attributes: 1',
      'opening: products: more than two prices, of which the first two count: 1',
      'opening: goals: passed over, of unknown products: 1',
    ];
    for (let opening = 0; opening < 2; opening += 1) {
      const { code, out, err } = await cairn(['envs', 'shop', ...data, '--json']); // made, then taken from the cache
      expect(code, err).toBe(0);
      expect(openingLines(err).toSorted()).toEqual(said.toSorted());
      const tallies = (JSON.parse(out) as { readonly opening: readonly object[] }).opening;
      expect(tallies).toHaveLength(said.length);
      expect(tallies).toContainEqual({ part: 'products', name: 'passed over, id nan', count: 2 });
    }
  });

  it('prints nothing when nothing is skipped', async () => {
    await writeShopFiles(folder, clean);
    const { code, out, err } = await cairn(['envs', 'shop', ...data, '--json']);
    expect(code, err).toBe(0);
    expect(openingLines(err)).toEqual([]);
    expect(JSON.parse(out)).not.toHaveProperty('opening');
  });

  it('falls back in eval and bench to the test panel when it is the only one, and says so', async () => {
    await writeShopFiles(folder, clean);
    const evaluated = await cairn(['eval', 'shop', '--agent', 'random', ...data, '--json']);
    expect(evaluated.code, evaluated.err).toBe(0);
    expect(JSON.parse(evaluated.out)).toMatchObject({ panel: { name: 'test', tasks: 1 } });
    expect(evaluated.err).toContain(
      'there is no panel dev: test is played, of 1 task; --panel names another\n',
    );
    const benched = await cairn(['bench', 'shop', '--agent', 'random', ...data]);
    expect(benched.code, benched.err).toBe(0);
    expect(benched.out).toMatch(
      /^shop-v1, panel test .*\ncatalogue\.kind original; catalogue\.products 2; catalogue\.part all items; catalogue\.goals\.kind human; catalogue\.goals\.count 1; catalogue\.catalogue sha256:/,
    );
    const prefix = await cairn([
      'bench',
      'shop',
      '--agent',
      'random',
      ...data,
      '--set',
      'catalogue.products=1',
    ]);
    expect(prefix.out, prefix.err).toContain(
      'catalogue.products 1; catalogue.part the first 1 items; catalogue.goals.kind human; catalogue.goals.count 1;',
    );
    expect(benched.err).not.toContain('there is no panel');
    const wrong = await cairn(['eval', 'shop', '--agent', 'random', '--panel', 'dev', ...data]);
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('this panel does not exist') as string,
    });
  });

  it('fails with file, item, id, byte and line of the fault', async () => {
    await writeShopFiles(folder, clean);
    await writeFile(
      path.join(folder, 'items_shuffle.json'),
      `[\n${JSON.stringify(rawItem('B000000001'))},\n${JSON.stringify(rawItem('B000000002', { pricing: '$-5' }))}\n]`,
    );
    const { code, err } = await cairn(['envs', 'shop', ...data]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /items_shuffle\.json, item 2 \("B000000002"\): its pricing "\$-5" is no price\. 1 of 2 items has such a price\. It begins at byte \d+, on line 3\. Fix the price, or leave/,
    );
  });

  it('sets single keys of the catalogue, and keeps the others', async () => {
    const { code, out, err } = await cairn([
      'bench',
      'shop',
      '--set',
      'catalogue.products=1001',
      '--dry-run',
    ]);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      config: { catalogue: { kind: 'generated', products: 1_001, seed: 1 } },
    });
    const wrong = await cairn(['bench', 'shop', '--set', 'catalogue.goals=human', '--dry-run']);
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'unknown key "goals" in catalogue: it goes only with catalogue.kind original.',
      ) as string,
    });
  });
});
