import { describe, expect, it } from 'vitest';
import type { StepResult } from '../../../../envs/core/step.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { createShopSite, type ShopSiteOptions } from '../../../../envs/shop/site/shop-site.ts';
import type { Visit } from '../../../../envs/shop/visit.ts';
import { openCorner, oddities } from '../corner-shop.ts';
import { act, press, sendTo, type Seen, type Send } from './site-visitor.ts';

interface Visited {
  readonly visit: Visit;
  readonly site: PageHandler;
  readonly send: Send;
  readonly results: readonly StepResult<string, string>[];
}

function open(options: ShopSiteOptions = {}, manner: Parameters<typeof openCorner>[0] = {}): Visited {
  const visit = openCorner(manner).visit({ panel: 'dev', index: 1 });
  const results: StepResult<string, string>[] = [];
  const site = createShopSite(visit, { ...options, onStep: (_action, result) => void results.push(result) });
  return { visit, site, send: sendTo(site), results };
}

const search = (send: Send, page: Seen, words: string): Promise<Seen> => act(send, page, { search: words });

async function atShirt({ send }: Visited): Promise<Seen> {
  return press(send, await search(send, await send('/'), 'linen shirt'), 'B0SHIRT000');
}

describe('a page of the shop site', () => {
  it('forms a whole document with its own title, wherever one is', async () => {
    const visited = open({}, { showAttributes: true });
    const { send } = visited;
    const titles: string[] = [];
    const look = (page: Seen): Seen => {
      expect(page).toMatchObject({ status: 200, faults: [], notice: undefined });
      titles.push(page.title);
      return page;
    };
    let page = look(await send('/'));
    page = look(await search(send, page, 'shirt'));
    page = look(await press(send, page, 'Next >'));
    page = look(await press(send, page, '< Prev'));
    page = look(await press(send, page, 'B0SHIRT000'));
    for (const name of ['Description', 'Features', 'Reviews', 'Attributes']) {
      page = look(await press(send, page, name));
      page = await press(send, page, '< Prev');
    }
    look(await press(send, page, 'Buy Now'));
    expect(titles.map((title) => title.replace(' \u2013 WebShop', ''))).toEqual([
      'Search',
      'Results, page 1',
      'Results, page 2',
      'Results, page 1',
      'linen shirt for men',
      ...['Description', 'Features', 'Reviews', 'Attributes'].map((name) => `${name} of linen shirt for men`),
      'Thank you',
    ]);
  });

  it('marks what is chosen, and leaves the keyboard focus there', async () => {
    const visited = open();
    let page = await press(visited.send, await atShirt(visited), 'navy blue');
    expect(
      page.clicks.filter(({ pressed }) => pressed === true).map(({ name, focused }) => [name, focused]),
    ).toEqual([['navy blue', true]]);
    page = await press(visited.send, page, 'small');
    expect(
      page.clicks.filter(({ pressed }) => pressed === true).map(({ name, focused }) => [name, focused]),
    ).toEqual([
      ['navy blue', false],
      ['small', true],
    ]);
    expect(page.clicks.filter(({ look }) => look === 'option').length).toBe(6);
  });

  it('shows one button for a duplicate value, and text for what cannot be clicked', async () => {
    const visited = open();
    let page = await search(visited.send, await visited.send('/'), 'kettle cup');
    expect(page.clicks.map(({ name }) => name)).not.toContain(oddities.linked.asin);
    expect(page.text).toContain(oddities.linked.asin);
    page = await press(visited.send, page, oddities.twins.asin);
    expect(page.faults).toEqual([]);
    expect(page.clicks.map(({ name }) => name)).toEqual([
      'Back to Search',
      '< Prev',
      'blue',
      'red',
      'kettle',
      'Description',
      'Features',
      'Reviews',
      'Buy Now',
    ]);
  });

  it('marks products that were opened before', async () => {
    const visited = open();
    const results = await press(visited.send, await atShirt(visited), '< Prev');
    expect(results.text.match(/opened before/g)).toHaveLength(1);
  });

  it('runs no script, loads its style only and forbids caching', async () => {
    const { site } = open();
    for (const path of ['/step/0', '/shop.css', '/nothing', '/']) {
      const { headers } = await site(new Request(`http://e1.cairn.test${path}`));
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy':
          "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    }
  });

  it('uses a style that loads nothing', async () => {
    const style = await (await open().site(new Request('http://e1.cairn.test/shop.css'))).text();
    expect(style).not.toMatch(/url\(|@import|<\//);
  });
});

describe('an outdated page of the shop site', () => {
  it('does nothing when its button is pressed, says so and shows the current page', async () => {
    const visited = open();
    const { send, results, visit } = visited;
    const old = await atShirt(visited);
    const now = await press(send, old, '< Prev');
    const key = visit.stateKey();
    for (const stale of [
      await press(send, old, 'Buy Now'),
      await search(send, old, 'tea'),
      await act(send, { ...old, step: '' }, { click: '0' }),
    ]) {
      expect(stale).toMatchObject({
        status: 409,
        faults: [],
        notice: expect.stringContaining('nothing was done') as string,
        step: now.step,
        title: now.title,
      });
      expect(stale.clicks).toEqual(now.clicks);
    }
    expect([visit.stateKey(), results.length]).toEqual([key, 3]);
  });

  it('gives way to the current page on Back, which then goes on', async () => {
    const visited = open();
    const { send } = visited;
    const shirt = await atShirt(visited);
    const back = await send('/step/1');
    expect(back).toMatchObject({
      status: 410,
      faults: [],
      notice: expect.stringContaining('out of date') as string,
      title: shirt.title,
    });
    expect((await press(send, back, 'red')).clicks.find(({ name }) => name === 'red')?.pressed).toBe(true);
    expect(await send('/step/99')).toMatchObject({ status: 404, faults: [], step: '3' });
  });

  it('may be reloaded any number of times, and acts once when it is sent twice', async () => {
    const visited = open();
    const { send, results } = visited;
    const shirt = await atShirt(visited);
    expect(await send(shirt.path)).toEqual(shirt);
    const [first, second] = await Promise.all([press(send, shirt, 'Buy Now'), press(send, shirt, 'Buy Now')]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]));
    expect(results).toHaveLength(3);
  });
});

describe('an invalid request to the shop site', () => {
  it.each([
    ['a click that is not listed', { click: '99' }, 400],
    ['a click that is not a number', { click: 'buy now' }, 400],
    ['a negative click', { click: '-1' }, 400],
    ['neither click nor search', {}, 400],
    ['an unknown field', { toString: '1' }, 400],
  ])('does nothing: %s', async (_name, fields, status) => {
    const visited = open();
    const shirt = await atShirt(visited);
    expect(await act(visited.send, shirt, fields)).toMatchObject({ status, faults: [] });
    expect(visited.results).toHaveLength(2);
  });

  it('gets an error status for its method or a body that is not a form', async () => {
    const { site } = open();
    const answer = async (path: string, init: RequestInit): Promise<number> =>
      (await site(new Request(`http://e1.cairn.test${path}`, init))).status;
    expect(
      await answer('/step/0', { method: 'POST', body: new URLSearchParams({ step: '0', search: 'x' }) }),
    ).toBe(405);
    expect(await answer('/step/0', { method: 'DELETE' })).toBe(405);
    expect(
      await answer('/act', {
        method: 'POST',
        body: '{"step":0}',
        headers: { 'content-type': 'application/json' },
      }),
    ).toBe(415);
    expect(
      await answer('/act', { method: 'PUT', body: new URLSearchParams({ step: '0', search: 'x' }) }),
    ).toBe(415);
    expect(await answer('/act', {})).toBe(303);
    expect(await answer('/step/0', { method: 'HEAD' })).toBe(200);
    for (const path of ['/step/', '/step/-1', '/step/1e3', '/step/99999999999999', '/%00', '/step/0/x'])
      expect(await answer(path, {})).toBe(404);
  });
});

describe('an action without meaning on the shop site', () => {
  it('counts as a step, changes nothing and is reported', async () => {
    const { send, results, visit } = open();
    const key = visit.stateKey();
    const page = await search(send, await send('/'), 'a [b] c');
    expect(page).toMatchObject({ status: 200, step: '1', notice: 'Nothing came of that.', faults: [] });
    expect([visit.stateKey(), results.at(-1)?.inadmissible]).toEqual([key, true]);
  });
});

describe('the last page of the shop site', () => {
  it('shows people the score, agents none, and nobody the target', async () => {
    for (const showReward of [true, false]) {
      const visited = open({ showReward });
      const done = await press(
        visited.send,
        await press(visited.send, await atShirt(visited), 'red'),
        'Buy Now',
      );
      const { reward } = visited.results.at(-1) as StepResult<string, string>;
      expect(reward.total).toBeGreaterThan(0);
      expect(done.text.includes(String(Math.round(reward.total * 100) / 100))).toBe(showReward);
      expect(done.text.includes('Your score')).toBe(showReward);
      const { goal } = visited.visit.task;
      expect(goal.asin).not.toBe('B0SHIRT000');
      for (const secret of [goal.asin, goal.name, String(goal.priceUpper)])
        expect(done.text).not.toContain(secret);
      expect(await visited.send('/act', { step: '4', click: '0' })).toMatchObject({
        status: 409,
        title: done.title,
      });
      expect(await visited.send('/step/1')).toMatchObject({ status: 410, title: done.title });
    }
  });

  it('appears after the last step when steps are limited', async () => {
    const visited = open({ stepLimit: 2, exit: { href: '/out', words: 'Out' } });
    expect((await visited.send('/')).text).toContain('0 of 2 steps');
    const spent = await atShirt(visited);
    expect(spent).toMatchObject({
      status: 200,
      clicks: [],
      action: undefined,
      faults: [],
      title: 'No steps left \u2013 WebShop',
    });
    expect(await visited.send('/act', { step: '2', search: 'x' })).toMatchObject({
      status: 409,
      title: spent.title,
      faults: [],
    });
    expect(visited.results).toHaveLength(2);
    const thrifty = open({ stepLimit: 3 });
    expect((await press(thrifty.send, await atShirt(thrifty), 'Buy Now')).title).toContain('Thank you');
  });
});

it('the shop site works below a base path as well as on its own origin', async () => {
  const { site } = open({ base: '/visits/x' });
  const look = async (path: string): Promise<Response> => site(new Request(`http://e1.cairn.test${path}`));
  expect((await look('/visits/x/')).headers.get('location')).toBe('/visits/x/step/0');
  expect((await look('/visits/x/shop.css')).headers.get('content-type')).toContain('text/css');
  const source = await (await look('/visits/x/step/0')).text();
  expect(source).toContain('href="/visits/x/shop.css"');
  expect(source).toContain('action="/visits/x/act"');
  expect((await look('/step/0')).status).toBe(404);
});
