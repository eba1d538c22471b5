// Slow: opens many tabs in a browser.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageHandler } from '../../../../../envs/engines/browser/page/page-handler.ts';
import { describeWithParts } from '../../../../support/system-part.ts';
import { idOf, noAbort, onPage, onePage, openEngine } from '../browse.ts';

/** The first requested document arrives last. */
const delays: Readonly<Record<string, number>> = { '/a': 60, '/b': 30, '/c': 0 };

const site =
  (script: string): PageHandler =>
  async (request) => {
    const { pathname } = new URL(request.url);
    await pause(delays[pathname] ?? 0);
    return onePage(
      `<title>${pathname}</title><a href="/a" target="_blank">a</a><a href="/b" target="_blank">b</a><a href="/c" target="_blank">c</a><button onclick="${script}">go</button>`,
    )(request);
  };

await describeWithParts(['chromium'], 'tabs that a page opens at once', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const visit = (script: string): Promise<readonly unknown[]> =>
    onPage(engine, site(script), async (episode, content) => {
      const { view } = await episode.act({ kind: 'click', element: idOf(content, 'button', 'go') }, noAbort);
      return [view.tabs, view.url, view.said];
    });

  it.each([
    ['by links', `document.querySelectorAll('a').forEach((link) => link.click())`],
    ['without an opener', `for (const at of 'abc') window.open('/' + at, '_blank', 'noopener')`],
    ['with an opener', `for (const at of 'abc') window.open('/' + at)`],
    [
      'by timers',
      `setTimeout(() => window.open('/a', '_blank', 'noopener'), 10); setTimeout(() => window.open('/b', '_blank', 'noopener'), 30); setTimeout(() => window.open('/c', '_blank', 'noopener'), 50)`,
    ],
  ])('keep the order in which the page opened them, with the last one shown: %s', async (_how, script) => {
    const visits = await Promise.all(Array.from({ length: 4 }, () => visit(script)));
    for (const [tabs, url] of visits) expect([tabs, url]).toEqual([['/', '/a', '/b', '/c'], '/c']);
  });

  it('keep the first eight and report the rest', async () => {
    const [tabs, , said] = await visit(
      `for (const at of 'abcdefghij') window.open('/' + at, '_blank', 'noopener')`,
    );
    expect(tabs).toEqual(['/', '/a', '/b', '/c', '/d', '/e', '/f', '/g']);
    expect(said).toEqual(['A page wanted to open 3 other tabs; there are 8 already.']);
  });

  it('stop at sixteen at once when a page opens a thousand', async () => {
    const [tabs, , said] = await visit(
      `let blocked = 0; for (let at = 0; at < 1000; at += 1) if (window.open('/w' + at) === null) blocked += 1; document.title = blocked + ' blocked'`,
    );
    expect(tabs).toEqual(['984 blocked', '/w0', '/w1', '/w2', '/w3', '/w4', '/w5', '/w6']);
    expect(said).toEqual(['A page wanted to open 9 other tabs; there are 8 already.']);
  });
});
