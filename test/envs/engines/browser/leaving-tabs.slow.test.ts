// Slow: plays each of many pages twice in a browser.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { nodesOf, renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { noAbort, onPage, onePage, openEngine } from './browse.ts';

/** The pages of the addresses, each with its address as its title; other addresses show a page with their address. */
const site =
  (pages: Readonly<Record<string, string>>): PageHandler =>
  (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/none') return new Response(undefined, { status: 204 });
    return onePage(`<title>${pathname}</title>${pages[pathname] ?? `<p>there`}`)(request);
  };

/** Opens another tab called n, then runs the script. Tabs write into the element `told`. */
const opening = (script = ''): string =>
  `<button onclick="const other = window.open('/other', 'n'); ${script}">go</button><a href="/there" target="n">away</a><p id="told"></p>`;
const ticking = '<script>setInterval(() => opener.told.append(performance.now() + " "), 30)</script>';
const later = (script: string, ms = 50): string =>
  `<p>waits<script>setTimeout(() => { ${script} }, ${ms})</script>`;
const apart = '<iframe sandbox srcdoc="<p>framed"></iframe>';
const go = `<button onclick="setTimeout(() => (location = '/there'), 50)">go</button>`;

await describeWithParts(['chromium'], 'a page that navigates while others have a clock', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  interface Case {
    readonly how: string;
    readonly pages: Readonly<Record<string, string>>;
    /** What is done after a click on "go", before two waits. */
    readonly does?: readonly PageAction[];
    /** The tabs, and the last line of the one that is shown. */
    readonly end: readonly unknown[];
  }

  const first: PageAction = { kind: 'tab', tab: 1 };
  const gone = [['/', '/there'], 'there'];
  it.each<Case>([
    {
      how: 'by its own timer, in a tab opened by a link',
      pages: { '/': '<a href="/other" target="_blank">go</a>', '/other': later(`location = '/there'`) },
      end: gone,
    },
    {
      how: 'by a refresh, in a tab opened by a link',
      pages: {
        '/': '<a href="/other" target="_blank">go</a>',
        '/other': '<meta http-equiv="refresh" content="0.05; url=/there">',
      },
      end: gone,
    },
    {
      how: 'by a timer of its opener',
      pages: { '/': opening(`setTimeout(() => (other.location = '/there'), 50)`) },
      end: gone,
    },
    {
      how: 'reloaded by its opener',
      pages: { '/': opening('setTimeout(() => other.location.reload(), 50)') },
      end: [['/', '/other'], 'there'],
    },
    {
      how: 'opened again',
      pages: { '/': opening(`setTimeout(() => window.open('/there', 'n'), 50)`) },
      end: gone,
    },
    {
      how: 'by a link of its opener',
      pages: { '/': opening(`setTimeout(() => document.querySelector('a').click(), 50)`) },
      end: gone,
    },
    {
      how: 'after opening another tab',
      pages: { '/': opening(`setTimeout(() => (location = '/there'), 50)`) },
      does: [first],
      end: [['/there', '/other'], 'there'],
    },
    {
      how: 'by a form',
      pages: {
        '/': opening(),
        '/other': `<form action="/there"></form>${later('document.forms[0].submit()')}`,
      },
      end: gone,
    },
    {
      how: 'behind the shown tab',
      pages: { '/': opening(), '/other': later(`location = '/there'`, 150) },
      does: [first],
      end: [['/', '/there'], '[e2] link "away"'],
    },
    {
      how: 'twice',
      pages: {
        '/': opening(),
        '/other': later(`location = '/here'; setTimeout(() => (location = '/there'), 20)`),
      },
      end: gone,
    },
    {
      how: 'together with its opener',
      pages: {
        '/': opening(`setTimeout(() => (location = '/there'), 50)`),
        '/other': later(`location = '/there'`),
      },
      end: [['/there', '/there'], 'there'],
    },
    {
      how: 'by a timer, beside a frame of another origin',
      pages: { '/': `${apart}${go}` },
      end: [['/there'], 'there'],
    },
    {
      how: 'by a refresh, beside a frame of another origin',
      pages: {
        '/': `<meta http-equiv="refresh" content="0.25; url=/there"><iframe src="data:text/html,<p>framed"></iframe>${go.replace('50', '500')}`,
      },
      end: [['/there'], 'there'],
    },
    {
      how: 'while it polls its clock',
      pages: {
        '/': opening(),
        '/other': later(`location = '/there'; const t = Date.now(); while (Date.now() - t < 3000);`),
      },
      end: gone,
    },
    {
      how: 'in the order of all timers',
      pages: {
        '/': opening(`setInterval(() => told.append('home '), 20)`),
        '/other': `${ticking}${later(`location = '/there'`, 170)}`,
      },
      does: [{ kind: 'wait' }, first],
      end: [['/', '/there'], `home 30 home home 60 home 90 home home 120 home 150${' home'.repeat(18)}`],
    },
    {
      how: 'to an address without a page, and goes on',
      pages: { '/': opening(), '/other': `${ticking}${later(`location = '/none'`, 170)}` },
      does: [{ kind: 'wait' }, first],
      end: [['/', '/other'], '30 60 90 120 150 180 210 240 270 300 330 360 390 420 450 480'],
    },
  ])('navigates $how, the same each time', async ({ pages, does = [], end }) => {
    const visit = async (): Promise<readonly unknown[]> =>
      onPage(engine, site(pages), async (episode, content) => {
        let seen: readonly unknown[] = [];
        const click: PageAction = {
          kind: 'click',
          element: [...nodesOf(content)].find(({ name }) => name === 'go')?.id ?? '',
        };
        for (const action of [click, ...does, { kind: 'wait' }, { kind: 'wait' }] as const) {
          const { view } = await episode.act(action, noAbort);
          seen = [view.tabs, renderTree(view.content).at(-1)];
        }
        return seen;
      });
    expect(await visit()).toEqual(end);
    expect(await Promise.all(Array.from({ length: 4 }, visit))).toEqual(Array.from({ length: 4 }, () => end));
  });
});
