import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertEnv } from '../../../envs/check/check-env.ts';
import { describeConfigKeys } from '../../../envs/core/config-keys.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { createMemoryLogger, type GymEvent } from '../../../envs/core/log.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { openEnv, parseEnvConfig } from '../../../envs/open.ts';
import { shopConfig } from '../../../envs/shop/config.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import { shopText } from '../../../envs/shop/words.ts';
import { rawItem, writeShopFiles } from '../../support/shop-files.ts';
import { context } from './corner-shop.ts';
import { playOut } from './players.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-shop-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the config of shop-v1', () => {
  it('fills in defaults and refuses unknown values', () => {
    expect(shopConfig.parse({})).toEqual({
      catalogue: { kind: 'generated', products: 1_000, seed: 1 },
      observationMode: 'text',
      nouns: { kind: 'tagger' },
      strict: false,
      showAttributes: false,
      maxSteps: 15,
    });
    for (const wrong of [
      { catalogue: { kind: 'generated', products: 999 } },
      { catalogue: { kind: 'original' } },
      { catalogue: { kind: 'generated', folder: 'x' } },
      { observationMode: 'image' },
      { nouns: { kind: 'recorded' } },
      { maxSteps: 0 },
      { limit: 3 },
    ]) {
      expect(shopConfig.safeParse(wrong).success).toBe(false);
    }
  });

  it.each([
    [{ catalogue: { products: 2_000 } }, { catalogue: { kind: 'generated', products: 2_000, seed: 1 } }],
    [{ catalogue: { seed: 2 } }, { catalogue: { kind: 'generated', products: 1_000, seed: 2 } }],
    [
      { catalogue: {}, nouns: {} },
      { catalogue: { kind: 'generated', products: 1_000, seed: 1 }, nouns: { kind: 'tagger' } },
    ],
    [
      { catalogue: { kind: 'original', folder: 'x' } },
      { catalogue: { kind: 'original', folder: 'x', goals: 'human' } },
    ],
  ])('fills in defaults around %j', (given, expected) => {
    expect(parseEnvConfig(shopEnv, given)).toMatchObject(expected);
  });

  it.each([
    [
      { catalogue: { goals: 'human' } },
      'unknown key "goals" in catalogue: it goes only with catalogue.kind original. Keys: kind, products, seed.',
    ],
    [
      { catalogue: { folder: 'webshop', products: 2_000 } },
      'unknown key "folder" in catalogue: it goes only with catalogue.kind original.',
    ],
    [
      { nouns: { file: 'nouns.json' } },
      'unknown key "file" in nouns: it goes only with nouns.kind recorded. Keys: kind.',
    ],
    [
      { catalogue: { kind: 'original', folder: 'x', seed: 2 } },
      'unknown key "seed" in catalogue: it goes only with catalogue.kind generated. Keys: kind, folder, products, goals, oddPrices.',
    ],
    [
      { catalogue: { kind: 'orginal' } },
      'catalogue.kind: "orginal" is not one of generated, original (did you mean original?)',
    ],
    [
      { catalogue: { products: 10 } },
      'catalogue.products: 10 is given where integer 1000 to 2000000 is wanted',
    ],
  ])('refuses %j', (given, words) => {
    expect(() => parseEnvConfig(shopEnv, given)).toThrow(words);
  });

  it('lists its kinds and their defaults', () => {
    const keys = describeConfigKeys(shopConfig);
    expect(keys.filter(({ name }) => name === 'catalogue.kind')).toEqual([
      expect.objectContaining({ default: 'generated', required: false, type: '"generated" | "original"' }),
    ]);
    expect(keys.find(({ name }) => name === 'nouns.kind')).toMatchObject({
      default: 'tagger',
      type: '"tagger" | "recorded"',
    });
    expect(keys.find(({ name }) => name === 'catalogue.goals')?.when).toEqual([
      { key: 'catalogue.kind', is: ['original'] },
    ]);
  });
});

describe('shopText', () => {
  it('removes surrounding white space, and reports several lines or none as malformed', () => {
    expect(shopText.parse(' search[red shoes]\n')).toEqual({ kind: 'action', action: 'search[red shoes]' });
    for (const text of ['', ' \n', 'search[a]\nclick[b]'])
      expect(shopText.parse(text)).toMatchObject({ kind: 'malformed', text });
  });
});

describe('shop-v1', () => {
  it('keeps the contract', async () => {
    const report = await assertEnv(shopEnv, { tasksPerPanel: 2 });
    expect(report.notes.join('\n')).toMatch(/the planner solved 6 of 6 episodes/);
  });

  it('ends an episode as failed at its turn limit', async () => {
    const host = await openEnv(shopEnv, { maxSteps: 3 }, context);
    const { turns, last } = await playOut(host, { panel: 'dev', index: 0 }, () => 'search[lamp]');
    expect(turns.map(({ stepsLeft }) => stepsLeft)).toEqual([3, 2, 1]);
    expect(last).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      limit: 'turn-limit',
      reward: { total: 0, terms: {} },
    });
    await host.close();
  });

  it('lets its planner solve every task and its searcher score above 0.85', async () => {
    const host = await openEnv(shopEnv, {}, context);
    const total = { planner: 0, searcher: 0, random: 0 };
    const tasks = Array.from({ length: 60 }, (_, index) => ({ panel: 'dev', index: index * 4 }));
    for (const [index, task] of tasks.entries()) {
      const plan = [...(host.experts?.planner?.(task) ?? [])];
      const searcher = host.experts?.searcher?.(createRng(index));
      const rng = createRng(index).fork('random');
      total.planner += (await playOut(host, task, () => plan.shift() ?? 'nothing')).last?.reward.total ?? 0;
      total.searcher +=
        (await playOut(host, task, (turn) => searcher?.act(turn) ?? '')).last?.reward.total ?? 0;
      total.random +=
        (await playOut(host, task, ({ admissible }) => rng.pick(admissible ?? []))).last?.reward.total ?? 0;
    }
    expect(total.planner).toBe(60);
    expect(total.searcher / 60).toBeGreaterThan(0.85);
    expect(total.random / 60).toBeLessThan(0.4);
    await host.close();
  });

  const fingerprint = async (config: Parameters<typeof shopConfig.parse>[0]): Promise<string> => {
    const parsed = shopConfig.parse(config);
    const host = await openEnv(shopEnv, parsed, context);
    const { fingerprint: found } = readPanel(host, {
      env: shopEnv.id,
      config: JSON.parse(JSON.stringify(parsed)) as never,
      name: 'test',
      atMost: 2,
    });
    await host.close();
    return found;
  };

  it('keeps its fingerprint with another cache folder, and changes it with every other option', async () => {
    const other = join(folder, 'other');
    const files = {
      items: [rawItem('B000000001'), rawItem('B000000002')],
      attributes: {
        B000000001: {
          attributes: ['bright light'],
          instruction: 'Find me a lamp',
          instruction_attributes: ['bright light'],
        },
        B000000002: { attributes: [] },
      },
    };
    const titles = [
      { tagger: 'hand 1' },
      { title: 'Lamp B000000001', nouns: ['lamp'] },
      { title: 'Lamp B000000002', nouns: ['lamp'] },
    ];
    await writeShopFiles(folder, files);
    await writeFile(join(folder, 'nouns.json'), JSON.stringify(titles));
    await writeFile(join(folder, 'nouns.json.gz'), gzipSync(JSON.stringify(titles)));
    const original = {
      catalogue: { kind: 'original', folder, goals: 'synthetic' },
      cacheFolder: join(folder, 'cache'),
    } as const;
    const first = await fingerprint(original);
    expect(await fingerprint({ ...original, cacheFolder: other })).toBe(first);
    const others = await Promise.all([
      fingerprint({ ...original, strict: true }),
      fingerprint({ ...original, observationMode: 'html' }),
      fingerprint({ ...original, nouns: { kind: 'recorded', file: join(folder, 'nouns.json') } }),
      fingerprint({ ...original, maxSteps: 100 }),
      fingerprint({}),
      fingerprint({ catalogue: { kind: 'generated', seed: 2 } }),
      fingerprint({ catalogue: { kind: 'generated', products: 1_001 } }),
    ]);
    expect(new Set([first, ...others]).size).toBe(8);
  });

  it('reports once how many files are read whole because the cache cannot be written', async () => {
    await writeShopFiles(folder, {
      items: [rawItem('B000000001')],
      attributes: {
        B000000001: {
          attributes: ['bright light'],
          instruction: 'Find me a lamp',
          instruction_attributes: ['bright light'],
        },
      },
    });
    const file = join(folder, 'nouns.json');
    await writeFile(
      file,
      JSON.stringify([{ tagger: 'hand 1' }, { title: 'Lamp B000000001', nouns: ['lamp'] }]),
    );
    const cacheFolder = join(folder, 'cache');
    const log = createMemoryLogger();
    const open = () =>
      openEnv(
        shopEnv,
        shopConfig.parse({
          catalogue: { kind: 'original', folder, goals: 'synthetic' },
          nouns: { kind: 'recorded', file },
          cacheFolder,
        }),
        { ...context, log },
      );
    await (await open()).close();
    for (const name of (await readdir(cacheFolder)).filter((entry) => entry.endsWith('.json'))) {
      await rm(join(cacheFolder, name));
      await mkdir(join(cacheFolder, name)); // no digest can be stored there, not even by root
    }
    await (await open()).close();
    const tallies = log.events.flatMap(({ event }) =>
      event.type === 'opening-tally' && event.part === 'files' ? [[event.name, event.count]] : [],
    );
    expect(tallies).toEqual([['read whole at each opening, for the cache cannot be written', 3]]);
  });

  it('refuses a folder without data, and names it', async () => {
    await expect(
      openEnv(shopEnv, { catalogue: { kind: 'original', folder }, cacheFolder: folder }, context),
    ).rejects.toSatisfy((thrown) => UsageError.is(thrown) && thrown.message.includes(folder));
  });
});

describe('a shop whose opening is aborted', () => {
  it('leaves no partial catalogue in the cache', async () => {
    const caller = new AbortController();
    const reason = new Error('interrupted');
    let begun: readonly string[] = [];
    const log = {
      event: (_path: string, event: GymEvent): void => {
        if (event.type !== 'opening-advance' || caller.signal.aborted) return;
        begun = readdirSync(folder, { recursive: true }).map(String);
        caller.abort(reason);
      },
    };
    await expect(
      openEnv(
        shopEnv,
        { catalogue: { products: 20_000 }, cacheFolder: folder },
        { ...context, signal: caller.signal, log },
      ),
    ).rejects.toBe(reason);
    expect(begun.filter((name) => name.endsWith('.part'))).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });
});
