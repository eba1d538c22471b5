import { describe, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { createCatalogue } from '../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Product } from '../../../envs/shop/catalogue/product.ts';
import type { Goal } from '../../../envs/shop/goals/goal.ts';
import { openShop, type ShopManner } from '../../../envs/shop/host.ts';
import { observationModes } from '../../../envs/shop/observation.ts';
import { scorePurchase } from '../../../envs/shop/reward/score-purchase.ts';
import { readPage } from '../../../envs/shop/searcher/read-page.ts';
import { Wish } from '../../../envs/shop/searcher/wish.ts';
import {
  goalOf,
  oddities,
  openCorner,
  panelOf,
  plainManner,
  plainNouns,
  productOf,
  products,
} from './corner-shop.ts';
import { play, playOut } from './players.ts';

const everyTask: readonly TaskRef[] = [
  ...Array.from({ length: 20 }, (_, index) => ({ panel: 'train', index })),
  ...['dev', 'test'].flatMap((panel) => Array.from({ length: 5 }, (_, index) => ({ panel, index }))),
];

const openFor = (
  goals: readonly Goal[],
  stock: readonly Product[] = products,
  manner: Partial<ShopManner> = {},
): ReturnType<typeof openShop> =>
  openShop(
    {
      catalogue: createCatalogue('generated', stock),
      panels: [panelOf('train', 'train', goals)],
      nouns: plainNouns,
      score: scorePurchase,
    },
    { ...plainManner, ...manner },
  );

describe('the planner of the shop', () => {
  it('solves every task with listed actions', async () => {
    const host = openCorner();
    for (const task of everyTask) {
      const plan = host.experts?.planner?.(task) ?? [];
      const { turns, last } = await play(await host.create(), task, plan);
      expect(last).toMatchObject({ kind: 'terminated', outcome: 'solved', reward: { total: 1 } });
      for (const [step, action] of plan.entries()) expect(turns[step]?.admissible).toContain(action);
    }
  });

  const planFor = (goal: Goal, stock?: readonly Product[]): readonly string[] =>
    openFor([goal], stock).experts?.planner?.({ panel: 'train', index: 0 }) ?? [];

  it('searches by title when the instruction does not find the product', () => {
    const shirt = products[0] as Product;
    expect(planFor(goalOf(shirt, { instruction: 'zeppelin' }))).toEqual([
      'search[linen shirt for men]',
      'click[b0shirt000]',
      'click[red]',
      'click[small]',
      'click[buy now]',
    ]);
  });

  it('buys the best match when the product itself does not score in full', () => {
    const shirt = products[0] as Product;
    // Made from the linen shirt, but silk is asked for: no other attribute of the linen one fits.
    const goal = goalOf(shirt, { instruction: 'a soft silk shirt', attributes: ['soft silk'], options: [] });
    expect(planFor(goal)).toEqual(['search[soft silk shirt]', 'click[b0shirt020]', 'click[buy now]']);
  });

  it('returns no plan when nothing can be found or nothing scores', () => {
    const bare = oddities.bare;
    expect(planFor(goalOf(bare, { instruction: 'zeppelin' }), [bare])).toEqual([]);
    expect(planFor(goalOf(oddities.linked, { instruction: 'kettle' }), [oddities.linked])).toEqual([]);
    const foreign = productOf({ asin: 'B0FOREIGN1', name: 'Zeppelin' });
    expect(planFor(goalOf(foreign, { instruction: 'tea' }))).toEqual([]);
  });
});

describe('the searcher of the shop', () => {
  it.each(observationModes)('plays from what mode %s shows', async (observationMode) => {
    const host = openCorner({ observationMode });
    let total = 0;
    for (const task of everyTask) {
      const searcher = host.experts?.searcher?.(createRng(3).fork(`${task.panel}/${task.index}`));
      const { turns, actions, last } = await playOut(host, task, (turn) => searcher?.act(turn) ?? '');
      for (const [step, action] of actions.entries()) expect(turns[step]?.admissible).toContain(action);
      expect(last?.kind).toBe('terminated');
      expect(actions.length).toBeLessThanOrEqual(20);
      total += last?.reward.total ?? 0;
    }
    expect(total / everyTask.length).toBeGreaterThan(observationMode === 'url' ? 0.5 : 0.95);
  });

  it('repeats its play for the same random stream', async () => {
    const host = openCorner();
    const once = async (): Promise<readonly string[]> => {
      const searcher = host.experts?.searcher?.(createRng(3));
      return (await playOut(host, { panel: 'train', index: 7 }, (turn) => searcher?.act(turn) ?? '')).actions;
    };
    expect(await once()).toEqual(await once());
  });

  it('reads the same page from text, text_rich and html', async () => {
    for (const strict of [false, true]) {
      const seen = await Promise.all(
        (['text', 'text_rich', 'html'] as const).map(async (observationMode) => {
          const { turns } = await play(
            await openCorner({ observationMode, strict }).create(),
            { panel: 'test', index: 0 },
            [
              'search[linen shirt]',
              'click[b0shirt000]',
              'click[features]',
              'click[< prev]',
              'click[red]',
              'click[small]',
            ],
          );
          return turns.map(({ observation, admissible = [] }) =>
            readPage(observation, admissible, observationMode),
          );
        }),
      );
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
      expect(seen[0]?.at(-1)).toMatchObject({
        kind: 'item',
        title: 'linen shirt for men',
        price: '$20.0',
        groups: [
          { name: 'color', values: [{ value: 'red' }, { value: 'navy blue' }, { value: 'linen green' }] },
          { name: 'size', values: [{ value: 'small' }, { value: 'medium' }, { value: 'large' }] },
        ],
      });
      expect(seen[0]?.[1]).toMatchObject({
        kind: 'results',
        rows: [
          { open: 'click[b0shirt000]', title: 'linen shirt for men', price: '$20.0' },
          {},
          {},
          {},
          {},
          {},
          {},
          {},
          {},
          {},
        ],
      });
      expect(seen[0]?.[3]).toEqual({
        kind: 'sub-page',
        texts: ['soft linen', 'machine wash'],
        back: 'click[< prev]',
      });
    }
  });
});

describe('Wish', () => {
  const group = (name: string, ...values: readonly string[]): Parameters<Wish['pick']>[0] => ({
    name,
    values: values.map((value) => ({ value, choose: `click[${value}]` })),
  });
  const picked = (instruction: string, ...of: Parameters<typeof group>): string | undefined =>
    new Wish(instruction).pick(group(...of))?.value;

  it('picks the named options, or else those whose own words are asked for', () => {
    expect(
      picked('a shirt with color: navy blue, and size: large', 'color', 'blue', 'navy blue', 'navy'),
    ).toBe('navy blue');
    expect(
      picked('a shirt with colour: navy blue, and size: large', 'color', 'blue', 'navy blue', 'navy'),
    ).toBe('navy blue');
    expect(picked('i need a 6.76 fl oz bottle', 'size', '2.5 fl oz', '6.76 fl oz (pack of 1)')).toBe(
      '6.76 fl oz (pack of 1)',
    );
    expect(picked('a red shirt in size 7', 'size', '6', '6.5', '7', '7.5')).toBe('7');
    expect(picked('a red shirt', 'size', 'small', 'large')).toBeUndefined();
  });

  it('rates prices by what it can afford', () => {
    const wish = new Wish('a lamp, and price lower than 50.00 dollars');
    expect(
      ['$49.0', '$51.0', '$40.0 to $60.0', '$60.0 to $80.0', ''].map((price) => wish.affordable(price)),
    ).toEqual([1, 0, 0.5, 0, 1]);
    expect(new Wish('a lamp').affordable('$1000000.0')).toBe(1);
  });
});
