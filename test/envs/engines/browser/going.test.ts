import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { idOf, noAbort, onPage, onePage, openEngine } from './browse.ts';
import { readFixture } from '../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'navigation in an episode', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  /** The given page at the root. Other addresses show a page for frames with its own address. */
  const site =
    (page: string): PageHandler =>
    (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/empty') return new Response(undefined, { status: 204 });
      if (pathname === '/loop') return Response.redirect(request.url, 302);
      if (pathname === '/file')
        return new Response('abc', { headers: { 'content-disposition': 'attachment; filename=a.bin' } });
      return onePage(
        pathname === '/'
          ? page
          : `<p>${pathname}</p><script>onhashchange = () => (document.querySelector('p').textContent = location.hash)</script>`,
      )(request);
    };

  const none = 'there is no page before this one';
  const back = { kind: 'back' } as const;

  interface Case {
    readonly what: string;
    readonly page: string;
    readonly clicks: readonly string[];
    readonly does: readonly PageAction[];
    /** The refusal of each action, and what is shown in the end. */
    readonly refusals: readonly (string | undefined)[];
    readonly end: readonly [url: string, line: string | undefined];
  }

  it.each<Case>([
    {
      what: 'the previous document of a frame',
      page: '<a href="/two" target="f">go</a><iframe name="f" src="/one"></iframe>',
      clicks: ['go'],
      does: [back, back],
      refusals: [undefined, none],
      end: ['/', '[e2] frame "/one"'],
    },
    {
      what: 'the previous anchor in a frame',
      page: '<a href="/one#b" target="f">go</a><a href="/one#a" target="f">first</a><iframe name="f" src="/one"></iframe>',
      clicks: ['first', 'go'],
      does: [back],
      refusals: [undefined],
      end: ['/', '[e3] frame "#a"'],
    },
    {
      what: 'a pushed history entry',
      page: readFixture('pages/going/pushed-state.html'),
      clicks: ['go'],
      does: [back, back, back],
      refusals: [undefined, undefined, none],
      end: ['/', '/'],
    },
    {
      what: 'the previous document',
      page: '<a href="/two">go</a>',
      clicks: ['go'],
      does: [back, back],
      refusals: [undefined, none],
      end: ['/', '[e1] link "go"'],
    },
    {
      what: 'no further than the first page',
      page: '<p>first</p>',
      clicks: [],
      does: [back],
      refusals: [none],
      end: ['/', 'first'],
    },
  ])('goes back to $what', async ({ page, clicks, does, refusals, end }) => {
    await onPage(engine, site(page), async (episode, content) => {
      for (const name of clicks)
        await episode.act({ kind: 'click', element: idOf(content, 'link', name) }, noAbort);
      const seen = [];
      for (const action of does) seen.push(await episode.act(action, noAbort));
      expect(seen.map(({ refusal }) => refusal)).toEqual(refusals);
      const { view } = seen.at(-1) ?? expect.fail('nothing is done');
      expect([view.url, renderTree(view.content).at(-1)]).toEqual(end);
    });
  });

  it('stays when the page prevents going back, or the previous page does not load', async () => {
    const page = readFixture('pages/going/stays-where-the-page-does-not-let-it.html');
    await onPage(engine, site(page), async (episode, content) => {
      await episode.act({ kind: 'click', element: idOf(content, 'link', 'go') }, noAbort);
      const { view, refusal } = await episode.act(back, noAbort);
      expect([refusal, view.url, renderTree(view.content).at(-1)]).toEqual([
        'the page before this one does not come back',
        '/#a',
        'stay',
      ]);
    });
    let isGone = false;
    const gone: PageHandler = (request) =>
      isGone ? new Response(undefined, { status: 204 }) : site('<a href="/two">go</a>')(request);
    await onPage(engine, gone, async (episode, content) => {
      await episode.act({ kind: 'click', element: idOf(content, 'link', 'go') }, noAbort);
      isGone = true;
      const { view, refusal } = await episode.act(back, noAbort);
      expect([refusal, view.url, renderTree(view.content)]).toEqual([
        'the page before this one does not come back',
        '/two',
        ['/two'],
      ]);
    });
  });

  it('follows redirects by scripts and timers of the page', async () => {
    const page = readFixture('pages/going/is-led-on-by-scripts-of-its-own.html');
    const visit = async (): Promise<readonly unknown[]> =>
      onPage(
        engine,
        site(page),
        async (episode, content) => {
          const seen = [];
          for (const action of [
            { kind: 'click', element: idOf(content, 'link', 'go') },
            { kind: 'wait' },
            back,
            { kind: 'wait' },
          ] as const) {
            const { view, refusal } = await episode.act(action, noAbort);
            seen.push([refusal, view.url, renderTree(view.content).at(-1)]);
          }
          return seen;
        },
        { patienceMs: 3500 },
      ); // less time than two waits for the load event, one before and one after the clock advances
    const end = [
      [undefined, '/two', '/one'],
      [undefined, '/two', '/one /two'],
      [undefined, '/two', '/one /two /one'],
      [undefined, '/two', '/one /two /one /two'],
    ];
    expect(await visit()).toEqual(end);
    expect(await Promise.all(Array.from({ length: 4 }, visit))).toEqual(Array.from({ length: 4 }, () => end));
  });

  it('faults when each document replaces itself, and says so', async () => {
    const page = `<script>location.search = '?' + Math.random()</script>`;
    await expect(onPage(engine, onePage(page), async () => undefined, { patienceMs: 5000 })).rejects.toThrow(
      'opening the page, at 0 ms of its clock, where each document gave way to another, did not finish within 5000 ms',
    );
  });

  it.each(['/empty', '/file'])('stays when %s shows no page', async (url) => {
    await onPage(engine, site('<p>first</p>'), async (episode) => {
      const { view, refusal } = await episode.act({ kind: 'goto', url }, noAbort);
      expect([refusal, view.url, renderTree(view.content)]).toEqual([`${url} shows no page`, '/', ['first']]);
    });
  });

  it.each([
    'blob:http://pages.cairn.test/9',
    'filesystem:http://pages.cairn.test/temporary/x',
    'http://pages.cairn.test:81/',
    'javascript:0',
    'data:text/html,x',
    'chrome://version',
    'file:///etc/hostname',
    '//',
    'http://',
  ])('refuses %s, which is not an address of the site', async (url) => {
    await onPage(engine, site('<p>first</p>'), async (episode) => {
      const { view, refusal } = await episode.act({ kind: 'goto', url }, noAbort);
      expect([refusal, view.url, renderTree(view.content)]).toEqual([
        `${url} is no address of this site`,
        '/',
        ['first'],
      ]);
    });
  });

  it('refuses an address that the browser gives up on, and accepts the next ones', async () => {
    await onPage(engine, site('<p>first</p>'), async (episode) => {
      expect((await episode.act({ kind: 'goto', url: '/loop' }, noAbort)).refusal).toBe(
        '/loop shows no page',
      );
      expect(
        (await episode.act({ kind: 'goto', url: 'http://user:word@pages.cairn.test/one' }, noAbort)).view.url,
      ).toBe('/one');
      expect(
        (await episode.act({ kind: 'goto', url: `/${'a'.repeat(1999)}#${'b'.repeat(9)}` }, noAbort)).refusal,
      ).toBeUndefined();
    });
  });

  it.each([
    'mailto:a@b.test',
    'tel:1',
    'chrome://version/',
    'file:///etc/hostname',
    `mailto:${'a'.repeat(300)}`,
  ])('reports a link to %.30s, which leads nowhere', async (address) => {
    await onPage(engine, site(`<a href="${address}">go</a>`), async (episode, content) => {
      const { view, refusal } = await episode.act(
        { kind: 'click', element: idOf(content, 'link', 'go') },
        noAbort,
      );
      const quoted = address.length > 200 ? `${address.slice(0, 200)}…` : address;
      expect([refusal, view.url, view.said]).toEqual([
        undefined,
        '/',
        [`The page wanted to go to "${quoted}", which nothing here opens.`],
      ]);
    });
  });
});
