import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBrowser } from '../../../../envs/engines/browser/session/find-browser.ts';
import { siteOrigin } from '../../../../envs/engines/browser/page/site-origin.ts';
import { Gateway } from '../../../../envs/engines/browser/session/gateway.ts';
import {
  launchBrowser,
  type LaunchedBrowser,
} from '../../../../envs/engines/browser/session/launch-browser.ts';
import { createShopSite, type ShopSiteOptions } from '../../../../envs/shop/site/shop-site.ts';
import type { Visit } from '../../../../envs/shop/visit.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { oddities, openCorner } from '../corner-shop.ts';

/** Properties of elements inside the browser, which the types of this project do not cover. */
interface Inside {
  readonly textContent: string;
  readonly labels?: readonly { readonly textContent: string }[] | null;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  /** 40 pixels when the style sheet applies. */
  readonly offsetHeight: number;
}

interface Opened {
  readonly page: Page;
  readonly visit: Visit;
  readonly actions: string[];
}

await describeWithParts(['chromium'], 'the shop site in Chromium', () => {
  let gateway: Gateway;
  let browser: LaunchedBrowser;
  beforeAll(async () => {
    gateway = await Gateway.open();
    browser = await launchBrowser({
      program: await findBrowser(),
      proxy: gateway.address,
      timeoutMs: 30_000,
    });
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  const open = async (options: ShopSiteOptions = {}): Promise<Opened> => {
    const visit = openCorner().visit({ panel: 'dev', index: 1 });
    const actions: string[] = [];
    gateway.serve(createShopSite(visit, { ...options, onStep: (action) => void actions.push(action) }));
    const page = await browser.context.newPage();
    await page.goto(siteOrigin);
    return { page, visit, actions };
  };

  /** What a screen reader says about the element with the focus. */
  const focused = (page: Page): Promise<string> =>
    page
      .locator(':focus')
      .evaluateAll((elements: readonly unknown[]) =>
        (elements as readonly Inside[])
          .map(({ labels, textContent }) => labels?.[0]?.textContent ?? textContent)
          .join(),
      );

  /** Moves with the Tab key only, and reports what it passed. */
  const tabTo = async (page: Page, name: string): Promise<void> => {
    const passed: string[] = [];
    for (let tab = 0; tab < 40; tab += 1) {
      if ((await focused(page)) === name) return;
      await page.keyboard.press('Tab');
      passed.push(await focused(page));
    }
    throw new Error(`${name} cannot be reached: ${passed.join(', ')}`);
  };

  /** Does something that leads to another page, and waits for that page. */
  const going = async (page: Page, act: () => Promise<void>): Promise<void> => {
    const before = page.url();
    await Promise.all([page.waitForURL((url) => url.href !== before), act()]);
  };

  const pressKey = (page: Page, key: string): Promise<void> => going(page, () => page.keyboard.press(key));
  const click = (page: Page, name: string): Promise<void> =>
    going(page, () => page.getByRole('button', { name, exact: true }).click());

  it('works by keyboard alone, from the start to the purchase', async () => {
    const { page, visit, actions } = await open({ showReward: true });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Words to search for');
    await page.keyboard.type('linen shirt');
    await pressKey(page, 'Enter');
    await tabTo(page, 'B0SHIRT000');
    await pressKey(page, 'Enter');
    await tabTo(page, 'Features');
    await pressKey(page, 'Space');
    await tabTo(page, '< Prev');
    await pressKey(page, 'Enter');
    await tabTo(page, 'navy blue');
    await pressKey(page, 'Space');
    expect(await focused(page)).toBe('navy blue');
    await tabTo(page, 'small');
    await pressKey(page, 'Enter');
    await tabTo(page, 'Buy Now');
    await pressKey(page, 'Enter');
    expect(await page.title()).toBe('Thank you \u2013 WebShop');
    expect(actions).toEqual([
      'search[linen shirt]',
      'click[b0shirt000]',
      'click[features]',
      'click[< prev]',
      'click[navy blue]',
      'click[small]',
      'click[buy now]',
    ]);
    expect(visit.isOver).toBe(true);
    await page.close();
  });

  it('gives the accessibility tree one button for every click, and breaks no policy', async () => {
    const { page, visit } = await open();
    const broken: string[] = [];
    page.on('console', (message) => void broken.push(message.text()));
    page.on('pageerror', (error) => void broken.push(error.message));
    const held = async (): Promise<void> => {
      for (const action of new Set(visit.clicks())) {
        const words = action.slice('click['.length, -1);
        expect(
          await page
            .getByRole('button', {
              name: new RegExp(`^${words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`, 'i'),
            })
            .count(),
          words,
        ).toBe(1);
      }
      expect(await page.getByRole('main').getByRole('heading', { level: 1 }).count()).toBe(1);
    };
    for (const asin of [oddities.quotes.asin, oddities.twins.asin]) {
      await page.getByRole('searchbox', { name: 'Words to search for', exact: true }).fill('pillow kettle');
      await click(page, 'Search');
      await held();
      await click(page, asin);
      await held();
      for (const name of ['Description', 'Features', 'Reviews']) {
        await click(page, name);
        await held();
        await click(page, '< Prev');
      }
      await click(page, 'Back to Search');
    }
    expect(broken).toEqual([]);
    expect(
      await page
        .getByRole('button', { name: 'Search', exact: true })
        .evaluate((button: unknown) => (button as Inside).offsetHeight),
    ).toBe(40);
    await page.close();
  });

  it('stays right after Back and after a reload of an old page', async () => {
    const { page, visit, actions } = await open();
    await page.getByRole('searchbox').fill('linen shirt');
    await click(page, 'Search');
    await click(page, 'B0SHIRT000');
    const key = visit.stateKey();
    await page.goBack();
    expect(await page.getByRole('status').textContent()).toContain('out of date');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('linen shirt for men');
    await page.reload();
    expect([visit.stateKey(), actions.length]).toEqual([key, 2]);
    await click(page, 'red');
    expect(await page.getByRole('button', { name: 'red', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.reload();
    expect(actions).toEqual(['search[linen shirt]', 'click[b0shirt000]', 'click[red]']);
    await page.close();
  });

  it.each([360, 1200])('needs no scrolling sideways at %i pixels', async (width) => {
    const { page } = await open();
    await page.setViewportSize({ width, height: 800 });
    const fits = async (): Promise<void> => {
      const [content, room] = await page
        .locator('html')
        .evaluate((html: unknown) => [(html as Inside).scrollWidth, (html as Inside).clientWidth] as const);
      expect(content).toBe(room);
    };
    await fits();
    await page.getByRole('searchbox').fill('pillow kettle shirt');
    await click(page, 'Search');
    await fits();
    await click(page, oddities.quotes.asin);
    await fits();
    await page.close();
  });
});
