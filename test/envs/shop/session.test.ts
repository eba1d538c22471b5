import { describe, expect, it } from 'vitest';
import { readCommand } from '../../../envs/shop/command.ts';
import type { ShopPlace } from '../../../envs/shop/place.ts';
import { follow, freshSession, type ShopSession } from '../../../envs/shop/session.ts';
import { oddities, products, shopOf } from './corner-shop.ts';

const shop = shopOf();
const numberOf = (asin: string): number => shop.catalogue.find(asin) ?? -1;

/** The session after the actions, `no-op` if the last one does nothing, or `bought` if it buys. */
function after(actions: readonly string[], at = shop): ShopSession | 'no-op' | 'bought' {
  let session = freshSession;
  for (const [index, action] of actions.entries()) {
    const consequence = follow(at, session, readCommand(action, at));
    if (consequence?.kind === 'bought') return 'bought';
    if (consequence !== undefined) session = consequence.session;
    else if (index === actions.length - 1) return 'no-op';
  }
  return session;
}

function placeAfter(actions: readonly string[], at = shop): ShopPlace | string {
  const session = after(actions, at);
  return typeof session === 'string' ? session : session.place;
}

const visitedAfter = (actions: readonly string[]): readonly number[] => {
  const session = after(actions);
  return typeof session === 'string' ? [] : [...session.visited];
};

const silk = 'b0shirt020';
const toShirt = ['search[silk shirt]', `click[${silk}]`] as const;
const shirt = numberOf('B0SHIRT020');
const item = (options: readonly (readonly [string, string])[] = []): ShopPlace => ({
  kind: 'item',
  query: 'silk shirt',
  page: 1,
  product: shirt,
  options: new Map(options),
});

describe('the start page of a shop session', () => {
  it('leads to the first page of results by a search', () => {
    expect(placeAfter(['search[Red  Shirts]'])).toEqual({ kind: 'results', query: 'red  shirts', page: 1 });
  });

  it.each(['click[search]', 'click[back to search]', 'click[buy now]', `click[${silk}]`, 'search', 'look'])(
    'does nothing on %s',
    (action) => {
      expect(placeAfter([action])).toBe('no-op');
    },
  );
});

describe('the results of a shop session', () => {
  it('go on without end, and back to the first page', () => {
    const on = 'click[next >]';
    expect(placeAfter(['search[shirt]', on])).toEqual({ kind: 'results', query: 'shirt', page: 2 });
    expect(placeAfter(['search[shirt]', on, on, on, on, on, on])).toMatchObject({ page: 7 });
    expect(placeAfter(['search[shirt]', on, 'click[< prev]'])).toMatchObject({ page: 1 });
    expect(placeAfter(['search[shirt]', 'click[< prev]'])).toBe('no-op');
  });

  it('open the products that they show, and no others', () => {
    expect(placeAfter(toShirt)).toEqual(item());
    expect(placeAfter(['search[silk shirt]', 'click[B0SHIRT020]'])).toEqual(item());
    expect(placeAfter(['search[silk shirt]', 'click[next >]', `click[${silk}]`])).toBe('no-op');
    expect(placeAfter(['search[kettle]', `click[${oddities.linked.asin.toLowerCase()}]`])).toBe('no-op');
    expect(
      placeAfter(
        ['search[kettle]', `click[${oddities.linked.asin.toLowerCase()}]`],
        shopOf(products, { strict: true }),
      ),
    ).toMatchObject({ kind: 'item' });
  });

  it('lead only on and back when nothing was found', () => {
    expect(placeAfter(['search[zeppelin]', 'click[next >]'])).toMatchObject({ page: 2 });
    expect(placeAfter(['search[zeppelin]', 'click[back to search]'])).toEqual({ kind: 'start' });
  });
});

describe('a product of a shop session', () => {
  it('takes option values by themselves, the last of each option', () => {
    expect(placeAfter([...toShirt, 'click[Navy Blue]', 'click[large]'])).toEqual(
      item([
        ['color', 'navy blue'],
        ['size', 'large'],
      ]),
    );
    expect(placeAfter([...toShirt, 'click[red]', 'click[large]', 'click[silk green]'])).toEqual(
      item([
        ['color', 'silk green'],
        ['size', 'large'],
      ]),
    );
    expect(placeAfter([...toShirt, 'click[purple]'])).toBe('no-op');
  });

  it('leads back to its results, and forgets the options', () => {
    const back = [
      'search[silk shirt]',
      'click[next >]',
      'click[< prev]',
      `click[${silk}]`,
      'click[large]',
      'click[< prev]',
    ];
    expect(placeAfter(back)).toEqual({ kind: 'results', query: 'silk shirt', page: 1 });
    expect(placeAfter([...back, `click[${silk}]`])).toEqual(item());
    const second = ['search[tea lamp]', 'click[next >]', 'click[b0tea00090]', 'click[< prev]'];
    expect(placeAfter(second)).toEqual({ kind: 'results', query: 'tea lamp', page: 2 });
  });

  it.each([
    ['description', 'Description'],
    ['FEATURES', 'Features'],
    ['reviews', 'Reviews'],
  ])('opens the sub page %s, and returns from it with its options', (words, name) => {
    const there = [...toShirt, 'click[large]', `click[${words}]`];
    expect(placeAfter(there)).toEqual({ ...(item([['size', 'large']]) as object), kind: 'sub-page', name });
    expect(placeAfter([...there, 'click[< prev]'])).toEqual(item([['size', 'large']]));
    for (const action of ['click[buy now]', 'click[large]', 'click[description]', 'click[next >]'])
      expect(placeAfter([...there, action])).toBe('no-op');
    expect(placeAfter([...there, 'click[back to search]'])).toEqual({ kind: 'start' });
  });

  it('shows attributes only when they are enabled', () => {
    expect(placeAfter([...toShirt, 'click[attributes]'])).toBe('no-op');
    expect(
      placeAfter([...toShirt, 'click[attributes]'], shopOf(products, { showAttributes: true })),
    ).toMatchObject({ kind: 'sub-page', name: 'Attributes' });
  });

  it('can be bought', () => {
    expect(placeAfter([...toShirt, 'click[buy now]'])).toBe('bought');
    expect(placeAfter([...toShirt, 'click[Buy Now] now'])).toBe('bought');
    expect(placeAfter(['search[silk shirt]', 'click[buy now]'])).toBe('no-op');
  });
});

describe('option values that mean two things', () => {
  const toTwins = ['search[kettle cup]', 'click[b0twins001]'];

  it('belong to the last option that has them, and buttons take precedence', () => {
    expect(placeAfter([...toTwins, 'click[red]'])).toMatchObject({ options: new Map([['cup', 'red']]) });
    expect(placeAfter([...toTwins, 'click[description]'])).toMatchObject({ kind: 'sub-page' });
    expect(placeAfter([...toTwins, 'click[kettle]'])).toMatchObject({
      options: new Map([['cup', 'kettle']]),
    });
    expect(placeAfter([...toTwins, 'click[search]'])).toBe('no-op');
  });

  it('may contain brackets in strict mode only', () => {
    const toPillow = ['search[pillow dream]', 'click[b0quotes01]'];
    expect(placeAfter([...toPillow, 'click[red [large]]'])).toBe('no-op');
    expect(placeAfter([...toPillow, 'click[red [large]]'], shopOf(products, { strict: true }))).toMatchObject(
      { options: new Map([['size', 'red [large]']]) },
    );
    expect(placeAfter([...toPillow, 'click[20"X20"]'])).toMatchObject({
      options: new Map([['size', '20"x20"']]),
    });
  });
});

describe('searches of a shop session', () => {
  it('work anywhere, and forget product and options', () => {
    for (const from of [
      [],
      ['search[tea]'],
      toShirt,
      [...toShirt, 'click[large]'],
      [...toShirt, 'click[reviews]'],
    ]) {
      expect(placeAfter([...from, 'search[lamp]'])).toEqual({ kind: 'results', query: 'lamp', page: 1 });
    }
  });
});

describe('visits of a shop session', () => {
  it('last until the start page is shown again', () => {
    expect(visitedAfter(toShirt)).toEqual([shirt]);
    expect(visitedAfter([...toShirt, 'click[< prev]', 'search[tea]'])).toEqual([shirt]);
    expect(visitedAfter([...toShirt, 'click[back to search]'])).toEqual([]);
    expect(visitedAfter([...toShirt, 'search[lamp]', 'click[b0lamp0010]'])).toEqual([
      shirt,
      numberOf('B0LAMP0010'),
    ]);
  });
});
