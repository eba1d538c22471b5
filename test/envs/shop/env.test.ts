import { describe, expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import type { Snapshot } from '../../../envs/core/env.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { createCatalogue } from '../../../envs/shop/catalogue/memory-catalogue.ts';
import { observationModes } from '../../../envs/shop/observation.ts';
import { openShop } from '../../../envs/shop/host.ts';
import { scorePurchase } from '../../../envs/shop/reward/score-purchase.ts';
import type { Acting } from '../../support/played.ts';
import {
  context,
  goalOf,
  openCorner,
  panelOf,
  plainManner,
  plainNouns,
  productOf,
  products,
} from './corner-shop.ts';
import { play, wander } from './players.ts';

/** A linen shirt in red and small, below 30 dollars. */
const shirt = { panel: 'test', index: 0 };
const buying = [
  'search[linen shirt]',
  'click[b0shirt000]',
  'click[red]',
  'click[small]',
  'click[buy now]',
] as const;

describe('a shop episode', () => {
  it('opens on the start page with the searches of its instruction', async () => {
    const opening = await (await openCorner().create()).reset(shirt, context);
    const instruction =
      'Find me machine wash, soft linen linen shirt for men with color: red, and size: small, and price lower than 30.00 dollars';
    expect(opening).toMatchObject({
      instruction,
      observation: `WebShop [SEP] Instruction: [SEP] ${instruction} [SEP] Search`,
      stepsLeft: undefined,
      seat: 0,
    });
    expect(opening.admissible).toEqual([
      'search[machine wash, soft linen linen shirt for men with color: red, and size: small]',
      'search[machine wash, soft linen linen shirt for men]',
      'search[machine wash soft linen shirt men color red size small]',
      'search[machine wash soft linen shirt men]',
      'search[machine wash, soft linen linen shirt]',
      'search[soft linen linen shirt]',
      'search[linen shirt]',
      'search[soft linen linen shirt red small]',
      'search[soft linen linen shirt red]',
      'search[soft linen linen shirt small]',
    ]);
  });

  it('lists the clicks of each page', async () => {
    const { turns } = await play(await openCorner().create(), shirt, [
      'search[linen]',
      'click[next >]',
      'click[< prev]',
      'click[b0shirt000]',
      'click[features]',
    ]);
    expect(turns.slice(1).map(({ admissible }) => admissible)).toEqual([
      [
        'click[back to search]',
        'click[next >]',
        'click[b0shirt000]',
        'click[b0lamp0000]',
        'click[b0tea00000]',
      ],
      ['click[back to search]', 'click[< prev]', 'click[next >]'],
      [
        'click[back to search]',
        'click[next >]',
        'click[b0shirt000]',
        'click[b0lamp0000]',
        'click[b0tea00000]',
      ],
      [
        'click[back to search]',
        'click[< prev]',
        'click[description]',
        'click[features]',
        'click[reviews]',
        'click[buy now]',
        'click[red]',
        'click[navy blue]',
        'click[linen green]',
        'click[small]',
        'click[medium]',
        'click[large]',
      ],
      ['click[back to search]', 'click[< prev]'],
    ]);
  });

  it('ends as solved when the purchase scores in full', async () => {
    const { last } = await play(await openCorner().create(), shirt, buying);
    expect(last).toMatchObject({
      kind: 'terminated',
      outcome: 'solved',
      inadmissible: false,
      reward: { total: 1, terms: { attributes: 2 / 5, options: 2 / 5, price: 1 / 5, type: 0 } },
      metrics: { score: 1, type: 1, attributesMatched: 2, optionsMatched: 2, priceFits: 1, asked: 5 },
    });
    expect(last?.observation).toContain('Your score (min 0.0, max 1.0) [SEP] 1.0');
  });

  it('ends as failed, with its score, when anything else is bought', async () => {
    const { last } = await play(await openCorner().create(), shirt, [
      'search[cotton shirt]',
      'click[b0shirt010]',
      'click[red]',
      'click[buy now]',
    ]);
    expect(last).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      reward: { total: 3 / 5, terms: { attributes: 1 / 5, options: 1 / 5, price: 1 / 5, type: 0 } },
    });
    const { last: lamp } = await play(await openCorner().create(), shirt, [
      'search[linen lamp]',
      'click[b0lamp0000]',
      'click[buy now]',
    ]);
    // One noun of four is shared: above 0.2, so the type fits; the price does not.
    expect(lamp).toMatchObject({
      outcome: 'failed',
      reward: { total: 0 },
      metrics: { titleScore: 1 / 3, type: 1, priceFits: 0 },
    });
  });

  it('reports an action without effect as inadmissible, and pays nothing', async () => {
    const env = await openCorner().create();
    const { turns } = await play(env, shirt, ['search[linen shirt]', 'click[b0shirt000]']);
    for (const action of [
      'click[purple]',
      'click[next >]',
      'look',
      'click[search]',
      'search[]',
      'think[hm]',
      '',
    ]) {
      const result = await env.step(action, context);
      expect(result).toEqual({
        ...(turns.at(-1) as Acting),
        kind: 'ongoing',
        inadmissible: true,
        reward: { total: 0, terms: {} },
      });
    }
  });

  it('accepts any search anywhere, though only some are listed', async () => {
    const { turns } = await play(await openCorner().create(), shirt, [
      'search[flannel lamp]',
      'click[b0lamp0070]',
      'search[hemp tea]',
    ]);
    for (const turn of turns.slice(1)) expect(turn).toMatchObject({ inadmissible: false });
    expect(turns.at(-1)?.observation).toContain('B0TEA00090');
  });

  it('refuses steps before its start and after its end', async () => {
    const env = await openShop(corner(), plainManner).create();
    await expect(env.step('search[x]', context)).rejects.toThrow(UsageError);
    await play(env, shirt, buying);
    await expect(env.step('click[buy now]', context)).rejects.toThrow(UsageError);
    expect(() => env.snapshots?.take()).toThrow(UsageError);
    await env.close();
    await env.close();
  });

  it('refuses to start when it was aborted', async () => {
    const reason = new Error('called off');
    const gone = createContext({ seed: 1, now: () => 0, signal: AbortSignal.abort(reason) });
    await expect((await openCorner().create()).reset(shirt, gone)).rejects.toBe(reason);
  });

  it('gives every turn its own list', async () => {
    const env = await openCorner().create();
    const actions = ['search[linen shirt]', 'click[b0shirt000]', 'click[reviews]', 'click[back to search]'];
    const opening = await env.reset(shirt, context);
    const again = await openCorner().create();
    await again.reset(shirt, context);
    (opening.admissible as string[]).length = 0;
    for (const action of actions) {
      const [one, other] = [await env.step(action, context), await again.step(action, context)];
      expect(one).toEqual(other);
      if (one.kind === 'ongoing') (one.admissible as string[]).length = 0;
    }
  });
});

const corner = (): Parameters<typeof openShop>[0] => ({
  catalogue: createCatalogue('generated', products),
  panels: [panelOf('test', 'held-out', [goalOf(products[0] ?? productOf({ asin: '' }))])],
  nouns: plainNouns,
  score: scorePurchase,
});

describe('shop tasks', () => {
  it('describe everything that their score depends on', () => {
    const info = openShop(corner(), plainManner).describeTask(shirt);
    expect(info).toMatchObject({
      family: 'fashion',
      content: {
        goal: {
          asin: 'B0SHIRT000',
          attributes: ['machine wash', 'soft linen'],
          options: [
            { name: 'color', value: 'red' },
            { name: 'size', value: 'small' },
          ],
          priceUpper: 30,
          query: "men's shirts",
        },
        catalogue: { source: 'generated', fingerprint: createCatalogue('generated', products).fingerprint },
        nouns: { name: 'words-1', recorded: false },
      },
    });
  });

  it('belong to the family other without a category', () => {
    const bare = productOf({ asin: 'B000000000', category: '' });
    const host = openShop(
      {
        ...corner(),
        catalogue: createCatalogue('generated', [bare]),
        panels: [panelOf('train', 'train', [goalOf(bare)])],
      },
      plainManner,
    );
    expect(host.describeTask({ panel: 'train', index: 0 }).family).toBe('other');
  });

  it('raise a UsageError when they do not exist', async () => {
    const host = openCorner();
    for (const ref of [
      { panel: 'test', index: 5 },
      { panel: 'test', index: -1 },
      { panel: 'tset', index: 0 },
    ]) {
      expect(() => host.describeTask(ref)).toThrow(UsageError);
      await expect((await host.create()).reset(ref, context)).rejects.toThrow(UsageError);
    }
  });

  it('name their sessions by the number of the goal in the shop', async () => {
    const env = await openCorner({ observationMode: 'url' }).create();
    expect((await env.reset({ panel: 'train', index: 3 }, context)).observation).toBe(
      'http://127.0.0.1:3000/13',
    );
    expect((await env.reset({ panel: 'dev', index: 0 }, context)).observation).toBe(
      'http://127.0.0.1:3000/5',
    );
  });
});

describe('the keys of shop turns', () => {
  const keysAfter = async (
    ...actions: readonly string[]
  ): Promise<readonly [string | undefined, string | undefined]> => {
    const { turns } = await play(await openCorner().create(), shirt, actions);
    return [turns.at(-1)?.anchorKey, turns.at(-1)?.stateKey];
  };
  const anchor = async (...actions: readonly string[]): Promise<string | undefined> =>
    (await keysAfter(...actions))[0];
  const state = async (...actions: readonly string[]): Promise<string | undefined> =>
    (await keysAfter(...actions))[1];
  const open = ['search[linen shirt]', 'click[b0shirt000]'] as const;

  it('anchor keys ignore query wording, repetition and the order of options', async () => {
    expect(await anchor('search[linen shirt]')).toBe(await anchor('search[Shirt LINEN]'));
    expect(await anchor(...open, 'click[red]', 'click[small]')).toBe(
      await anchor(...open, 'click[small]', 'click[navy blue]', 'click[red]'),
    );
    expect(await anchor(...open, 'click[reviews]', 'click[< prev]')).toBe(await anchor(...open));
    expect(await anchor('search[linen shirt]', 'click[next >]', 'click[< prev]')).toBe(
      await anchor('search[linen shirt]'),
    );
  });

  it('anchor keys distinguish results, page, product, options and what was read or opened', async () => {
    const all = [
      [],
      ['search[linen shirt]'],
      ['search[silk shirt]'],
      ['search[linen shirt]', 'click[next >]'],
      open,
      ['search[linen shirt]', 'click[b0shirt010]'],
      [...open, 'click[red]'],
      [...open, 'click[navy blue]'],
      [...open, 'click[description]'],
      [...open, 'click[features]'],
      [...open, 'click[reviews]'],
      [...open, 'click[description]', 'click[< prev]'],
      [...open, 'click[features]', 'click[< prev]'],
      [...open, 'click[< prev]'],
      ['search[linen shirt]', 'click[back to search]'],
    ];
    const keys = await Promise.all(all.map((actions) => anchor(...actions)));
    expect(new Set(keys).size).toBe(all.length);
  });

  it('state keys distinguish everything that some mode shows', async () => {
    expect(await state('search[linen shirt]')).not.toBe(await state('search[shirt linen]'));
    expect(await state(...open, 'click[red]', 'click[small]')).not.toBe(
      await state(...open, 'click[small]', 'click[red]'),
    );
    expect(await state(...open, 'click[< prev]')).not.toBe(await state('search[linen shirt]'));
    expect(await state(...open, 'click[back to search]')).toBe(await state());
    expect(await state(...open, 'click[reviews]', 'click[< prev]')).toBe(await state(...open));
  });

  it('keys contain nothing of the goal beyond the instruction', async () => {
    const { turns } = await play(await openCorner().create(), shirt, buying);
    for (const { stateKey = '', anchorKey = '' } of turns)
      expect(`${stateKey} ${anchorKey}`).not.toMatch(/B0SHIRT000|soft linen|fashion/);
  });
});

describe('the hidden goal of the shop', () => {
  const target = productOf({
    asin: 'B0TARGET01',
    name: 'Plain chair',
    attributes: ['canaryattribute'],
    category: 'canarycategory',
    query: 'canaryquery',
    productCategory: 'canarypath › chairs',
    options: [{ name: 'color', values: ['red', 'blue'] }],
  });
  const decoy = productOf({ asin: 'B0DECOY001', name: 'Other chair' });
  const goal = goalOf(target, {
    instruction: 'a chair',
    options: [{ name: 'color', value: 'canaryoption' }],
    priceUpper: 987_654,
  });
  const host = (mode: (typeof observationModes)[number]): ReturnType<typeof openShop> =>
    openShop(
      {
        catalogue: createCatalogue('generated', [decoy, target]),
        panels: [panelOf('train', 'train', [goal])],
        nouns: plainNouns,
        score: scorePurchase,
      },
      { ...plainManner, observationMode: mode },
    );

  it.each(observationModes)('appears nowhere in mode %s, not even on the last page', async (mode) => {
    const env = await host(mode).create();
    for (let episode = 0; episode < 40; episode += 1) {
      const { turns, last } = await wander(
        env,
        { panel: 'train', index: 0 },
        { seed: `canary-${episode}`, most: 20 },
      );
      for (const { observation, admissible, anchorKey, stateKey } of turns) {
        expect(JSON.stringify([observation, admissible, anchorKey, stateKey])).not.toMatch(/canary|987654/);
      }
      expect(JSON.stringify([last?.observation, last?.stateKey])).not.toMatch(/canary|987654/);
    }
    const { last } = await play(env, { panel: 'train', index: 0 }, [
      'search[other chair]',
      'click[b0decoy001]',
      'click[buy now]',
    ]);
    expect(last?.observation).not.toMatch(/B0TARGET01|canary|987654/);
  });
});

describe('the snapshots of a shop', () => {
  it('restore refuses invalid ones and those of another shop', async () => {
    const env = await openCorner().create();
    await play(env, shirt, ['search[linen shirt]', 'click[b0shirt000]', 'click[features]']);
    const snapshot = env.snapshots?.take() as Snapshot;
    const world = snapshot.world as Readonly<Record<string, unknown>>;
    const bent = (part: Readonly<Record<string, unknown>>): Snapshot => ({
      ...snapshot,
      world: { ...world, ...part } as Snapshot['world'],
    });
    for (const wrong of [
      { ...snapshot, world: {} },
      { ...snapshot, episode: {} },
      bent({ place: { kind: 'nowhere' } }),
      bent({ place: { ...(world['place'] as object), product: 1_000 } }),
      bent({ visited: [-1] }),
      bent({ goal: { asin: 'x' } }),
      bent({ task: { panel: 'no-such-panel', index: 0 } }),
    ]) {
      const { snapshots } = env;
      expect(() => snapshots?.restore(wrong)).toThrow(UsageError);
    }
    expect(env.snapshots?.restore(snapshot).admissible).toEqual(['click[back to search]', 'click[< prev]']);
  });
});
