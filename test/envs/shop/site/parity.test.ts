import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import type { StepResult } from '../../../../envs/core/step.ts';
import { plainAnswer, type PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { clickOn, searchFor } from '../../../../envs/shop/command.ts';
import type { ShopHost } from '../../../../envs/shop/host.ts';
import { createShopSite } from '../../../../envs/shop/site/shop-site.ts';
import { startPageServer, type PageServer } from '../../../../serve/http/page-server.ts';
import type { Acting } from '../../../support/played.ts';
import { isThorough } from '../../../support/thorough.ts';
import { context, openCorner } from '../corner-shop.ts';
import type { SiteButton } from './read-site.ts';
import { act, sendOver, type Seen } from './site-visitor.ts';

let handler: PageHandler = () => plainAnswer(404, 'not yet');
let server: PageServer;

beforeAll(async () => {
  server = await startPageServer({ handler: (request) => handler(request), host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

/** The click that a button means by its name. */
const clickOf = ({ name, look }: SiteButton): string =>
  clickOn(look === 'option' ? name : name.toLowerCase());

/** Checks what every page must be, whatever is listed there. */
function holdTo(page: Seen, admissible: readonly string[], isStart: boolean): void {
  expect(page.faults).toEqual([]);
  expect(page.searches).toBe(isStart);
  const listed = isStart ? [] : admissible;
  expect(page.clicks.map(clickOf).toSorted()).toEqual([...new Set(listed)].toSorted());
  for (const button of page.clicks) expect(listed[Number(button.value)]).toBe(clickOf(button));
}

interface Compared {
  readonly steps: number;
  readonly bought: boolean;
}

/** Plays one episode on the site, and each action of it in shop-v1 as well. */
async function playBoth(host: ShopHost, seed: number): Promise<Compared> {
  const rng = createRng(77).fork(seed);
  const task = { panel: rng.pick(['train', 'dev', 'test']), index: rng.int(5) };
  const env = await host.create();
  let turn: Acting = await env.reset(task, context);
  const steps: { readonly action: string; readonly result: StepResult<string, string> }[] = [];
  const visit = host.visit(task);
  handler = createShopSite(visit, { onStep: (action, result) => void steps.push({ action, result }) });
  const send = sendOver(server.url);
  let page = await send('/');
  const queries = [
    ...(turn.admissible ?? []).map((search) => search.slice('search['.length, -1)),
    'shirt',
    'SHIRT lamp',
    'kettles',
    'pillows',
    'a [b] c',
    '',
    ' ',
    'x]',
    'zzz',
  ];
  for (let step = 0; step < 14; step += 1) {
    const admissible = turn.admissible ?? [];
    holdTo(page, admissible, admissible[0]?.startsWith('search[') === true);
    expect(visit.stateKey()).toBe(turn.stateKey);
    const isSearch = page.clicks.length === 0 || rng.int(12) === 0;
    const query = rng.pick(queries);
    const buy = page.clicks.find(({ name }) => name === 'Buy Now');
    const button = isSearch ? undefined : buy !== undefined && rng.int(4) === 0 ? buy : rng.pick(page.clicks);
    const action = button === undefined ? searchFor(query) : clickOf(button);
    page = await act(send, page, button === undefined ? { search: query } : { click: button.value });
    const result = await env.step(action, context);
    expect(steps.at(-1)).toEqual({ action, result });
    if (result.kind !== 'ongoing') {
      expect(page).toMatchObject({ status: 200, clicks: [], faults: [], title: 'Thank you \u2013 WebShop' });
      expect(visit.stateKey()).toBe(result.stateKey);
      return { steps: steps.length, bought: true };
    }
    turn = result;
  }
  return { steps: steps.length, bought: false };
}

describe('the shop site and shop-v1', () => {
  it.each([{}, { strict: true, showAttributes: true }])(
    'give the same results over HTTP, whatever is done, with %o',
    async (manner) => {
      const host = openCorner(manner);
      const played: Compared[] = [];
      const episodes = isThorough ? 150 : 30;
      for (let seed = 0; seed < episodes; seed += 1) played.push(await playBoth(host, seed));
      expect(played.reduce((sum, { steps }) => sum + steps, 0)).toBeGreaterThan(6 * episodes);
      expect(played.filter(({ bought }) => bought).length).toBeGreaterThan(episodes / 5);
      await host.close();
    },
  );
});
