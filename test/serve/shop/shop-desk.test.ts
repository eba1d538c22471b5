import { describe, expect, it } from 'vitest';
import type { PageHandler } from '../../../envs/engines/browser/page/page-handler.ts';
import { createShopSite } from '../../../envs/shop/site/shop-site.ts';
import { siteStyle } from '../../../envs/shop/site/site-style.ts';
import { createShopDesk, type ShopDeskOptions } from '../../../serve/shop/shop-desk.ts';
import { openCorner } from '../../envs/shop/corner-shop.ts';
import { readSite } from '../../envs/shop/site/read-site.ts';

const host = openCorner();

function desk(options: Partial<ShopDeskOptions> = {}): {
  readonly handler: PageHandler;
  readonly said: string[];
} {
  const said: string[] = [];
  const panels = host.panels.filter(({ purpose }) => purpose !== 'held-out');
  return {
    said,
    handler: createShopDesk({
      host,
      panels,
      root: '',
      stepLimit: 15,
      mostVisits: 3,
      say: (line) => void said.push(line),
      ...options,
    }),
  };
}

const ask = async (
  handler: PageHandler,
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Response> =>
  handler(
    new Request(
      new URL(path, 'http://127.0.0.1:3000'),
      fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) },
    ),
  );

const open = async (
  handler: PageHandler,
  fields: Readonly<Record<string, string>> = { panel: 'dev', goal: '0' },
): Promise<string> => (await ask(handler, '/visits', fields)).headers.get('location') ?? 'nowhere';

describe('the goal page of the shop desk', () => {
  it('lists the goals of a panel, in whole documents', async () => {
    const { handler } = desk();
    for (const path of [
      '/',
      '/?panel=dev',
      '/?panel=train&from=19',
      '/?panel=nothing&from=-7',
      '/?from=99999999',
    ]) {
      const answer = await ask(handler, path);
      expect(answer.status).toBe(200);
      expect(readSite(await answer.text()).faults).toEqual([]);
    }
    const text = readSite(await (await ask(handler, '/?panel=dev')).text()).text;
    for (let index = 0; index < 5; index += 1)
      expect(text).toContain(host.describeTask({ panel: 'dev', index }).instruction);
    expect(text).not.toContain('test (');
  });

  it('opens a visit for the goal that is picked, or for any', async () => {
    const { handler } = desk();
    const address = await open(handler, { panel: 'dev', goal: '3' });
    expect(address).toMatch(/^\/visits\/[\w-]{22}\/$/);
    const page = await ask(handler, (await ask(handler, address)).headers.get('location') ?? '');
    expect(readSite(await page.text()).text).toContain(
      host.describeTask({ panel: 'dev', index: 3 }).instruction,
    );
    expect(await open(handler, { panel: 'train', goal: 'any' })).toMatch(/^\/visits\//);
  });

  it('refuses every other goal and address', async () => {
    const { handler } = desk();
    for (const fields of [
      { panel: 'dev', goal: '5' },
      { panel: 'dev', goal: '-1' },
      { panel: 'dev', goal: '' },
      { panel: 'test', goal: '0' },
      { goal: '0' },
    ]) {
      expect((await ask(handler, '/visits', fields as Record<string, string>)).status).toBe(404);
    }
    expect((await ask(handler, '/visits')).status).toBe(303);
    expect((await ask(handler, '/', { panel: 'dev' })).status).toBe(405);
    expect((await ask(handler, '/etc/passwd')).status).toBe(404);
  });

  it('offers held-out panels when they are named', async () => {
    const { handler } = desk({ panels: host.panels });
    expect(await open(handler, { panel: 'test', goal: '0' })).toMatch(/^\/visits\//);
  });
});

describe('the visits of the shop desk', () => {
  it('run in separate sessions', async () => {
    const { handler } = desk();
    const [one, other] = [await open(handler), await open(handler)];
    expect(one).not.toBe(other);
    await ask(handler, `${one}act`, { step: '0', search: 'shirt' });
    expect((await ask(handler, one)).headers.get('location')).toBe(`${one}step/1`);
    expect((await ask(handler, other)).headers.get('location')).toBe(`${other}step/0`);
  });

  it('give way to new ones, the least recently used first, which a page explains', async () => {
    const { handler } = desk();
    const [first, second, third] = [await open(handler), await open(handler), await open(handler)];
    await ask(handler, first);
    const fourth = await open(handler);
    const statuses = await Promise.all(
      [first, second, third, fourth].map(async (address) => (await ask(handler, address)).status),
    );
    expect(statuses).toEqual([303, 410, 303, 303]);
    for (const gone of [
      await ask(handler, second),
      await ask(handler, `${second}act`, { step: '0', search: 'x' }),
      await ask(handler, '/visits/never/'),
    ]) {
      const page = readSite(await gone.text());
      expect([gone.status, page.faults]).toEqual([410, []]);
      expect(page.text).toContain('At most 3 visits are kept');
    }
  });

  it('report a purchase to the terminal', async () => {
    const { handler, said } = desk();
    const base = await open(handler, { panel: 'dev', goal: '1' });
    await ask(handler, `${base}act`, { step: '0', search: 'shirt' });
    const results = readSite(await (await ask(handler, `${base}step/1`)).text());
    await ask(handler, `${base}act`, {
      step: '1',
      click: results.clicks.find(({ name }) => name.startsWith('B0'))?.value ?? '',
    });
    const item = readSite(await (await ask(handler, `${base}step/2`)).text());
    await ask(handler, `${base}act`, {
      step: '2',
      click: item.clicks.find(({ name }) => name === 'Buy Now')?.value ?? '',
    });
    expect(said).toEqual([expect.stringMatching(/^dev 1: bought after 3 steps, score [\d.]+$/)]);
    const done = readSite(await (await ask(handler, `${base}step/3`)).text());
    expect(done.text).toContain('Your score');
  });
});

it('the shop desk works below a root path', async () => {
  const { handler } = desk({ root: '/token' });
  expect((await ask(handler, '/token')).headers.get('location')).toBe('/token/');
  const source = await (await ask(handler, '/token/')).text();
  expect(source).toContain('href="/token/shop.css"');
  expect(source).toContain('action="/token/visits"');
  expect((await ask(handler, '/token/shop.css')).status).toBe(200);
  const address =
    (await ask(handler, '/token/visits', { panel: 'dev', goal: '0' })).headers.get('location') ?? '';
  expect(address).toMatch(/^\/token\/visits\//);
  expect((await ask(handler, address)).headers.get('location')).toBe(`${address}step/0`);
});

it('the site style has no class that no page uses', async () => {
  const { handler } = desk({ host: openCorner({ showAttributes: true }) });
  const base = await open(handler, { panel: 'dev', goal: '0' });
  let sources = await (await ask(handler, '/')).text();
  let step = 0;
  const go = async (pick: string | { readonly search: string }): Promise<void> => {
    const page = await (await ask(handler, `${base}step/${step}`)).text();
    sources += page;
    const fields =
      typeof pick === 'string'
        ? { click: readSite(page).clicks.find(({ name }) => name === pick)?.value ?? '' }
        : pick;
    expect((await ask(handler, `${base}act`, { step: String(step), ...fields })).status).toBe(303);
    step += 1;
  };
  for (const pick of [
    { search: 'pillow kettle' },
    'B0QUOTES01',
    'Reviews',
    '< Prev',
    '< Prev',
    'B0QUOTES01',
    'café',
    'Buy Now',
  ])
    await go(pick);
  sources += await (await ask(handler, `${base}step/${step}`)).text();
  sources += await (await ask(handler, `${base}step/0`)).text();
  const everywhere = createShopSite(openCorner().visit({ panel: 'dev', index: 0 }), { searchAnywhere: true }); // the site that a browser is driven through
  await everywhere(
    new Request('http://e1.cairn.test/act', {
      method: 'POST',
      body: new URLSearchParams({ step: '0', search: 'shirt' }),
    }),
  );
  sources += await (await everywhere(new Request('http://e1.cairn.test/step/1'))).text();
  const classes = new Set(
    [...siteStyle.replaceAll(/\{[^{}]*\}/g, ' ').matchAll(/\.([a-z][a-z-]*)/g)].map(([, name]) => name),
  );
  expect(classes.size).toBeGreaterThan(15);
  for (const name of classes) expect(sources).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`));
});
