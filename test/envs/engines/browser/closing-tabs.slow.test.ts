// Slow: plays each of many pages twice in a browser.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultError } from '../../../../envs/core/errors.ts';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { nodesOf, renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import type { PageView } from '../../../../envs/engines/browser/view/page-view.ts';
import { browsersOf, mainOf } from '../../../support/browser-processes.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { noAbort, onPage, onePage, openEngine, options } from './browse.ts';

/** One page at the root, and another one at all other addresses. */
const site =
  (page: string, other: string): PageHandler =>
  (request) =>
    onePage(
      `<title>${new URL(request.url).pathname}</title>${new URL(request.url).pathname === '/' ? page : other}`,
    )(request);

const opening = (script = ''): string =>
  `<p id="told"></p><button onclick="const other = window.open('/other'); ${script}">go</button>`;

await describeWithParts(['chromium'], 'a tab that closes while others stay', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const summary = ({ url, tabs, content }: PageView): readonly unknown[] => [
    url,
    tabs,
    renderTree(content).at(-1),
  ];
  const left = ['/', ['/'], '[e1] button "go" focused'];

  interface Case {
    readonly how: string;
    /** The page that opens the tab, and the page in the tab. */
    readonly page: string;
    readonly other: string;
    readonly does: readonly ('click' | 'tab' | 'wait')[];
    readonly end?: readonly unknown[];
  }

  it.each<Case>([
    {
      how: 'by its own button',
      page: opening(),
      other: `<button onclick="window.close()">go</button>`,
      does: ['click', 'click'],
    },
    {
      how: 'by its own timer in a later action',
      page: opening(),
      other: '<script>setTimeout(close, 150)</script>',
      does: ['click', 'wait'],
    },
    {
      how: 'by its own timer in the action that opened it',
      page: opening(),
      other: '<script>setTimeout(close, 50)</script>',
      does: ['click'],
    },
    {
      how: 'by its opener',
      page: opening('setTimeout(() => other.close(), 150)'),
      other: '<p>other</p>',
      does: ['click', 'wait'],
    },
    { how: 'by its opener, at once', page: opening('other.close()'), other: '<p>other</p>', does: ['click'] },
    {
      how: 'with others, by its opener, as the clock goes on',
      page: opening(
        `const others = [other, ...'abcde'].map((at) => at.close ? at : window.open('/' + at)); setTimeout(() => others.forEach((each) => each.close()), 101)`,
      ),
      other: '<p>other</p>',
      does: ['click', 'wait'],
    },
    {
      how: 'after a message to its opener',
      page: opening('window.onmessage = ({ data }) => (told.textContent = data)'),
      other: `<script>opener.postMessage('', '*'); close()</script>`,
      does: ['click'],
    },
    {
      how: 'while it loads',
      page: opening(),
      other: '<script>close()</script><p>other</p>',
      does: ['click'],
    },
    {
      how: 'behind the shown tab',
      page: opening(),
      other: '<script>setTimeout(close, 250)</script>',
      does: ['click', 'tab', 'wait'],
    },
    {
      how: 'and seen as closed by its opener, at once and later',
      page: opening(
        `setTimeout(() => { other.close(); const atOnce = other.closed; setTimeout(() => { document.title = [atOnce, other.closed, closed]; }, 20); }, 20)`,
      ),
      other: '<p>other</p>',
      does: ['click'],
      end: ['/', ['true,true,false'], '[e1] button "go" focused'],
    },
    {
      how: 'before another one opens',
      page: opening(`setTimeout(() => { other.close(); window.open('/next'); }, 50)`),
      other: '<p>other</p>',
      does: ['click'],
      end: ['/next', ['/', '/next'], 'other'],
    },
  ])(
    'gives way to the other tabs, the same each time: closed $how',
    async ({ page, other, does, end = left }) => {
      const visit = async (): Promise<readonly unknown[]> =>
        onPage(engine, site(page, other), async (episode, first) => {
          let content = first;
          let view: PageView | undefined;
          for (const kind of does) {
            const go = [...nodesOf(content)].find(({ name }) => name === 'go')?.id ?? '';
            view = (
              await episode.act(
                kind === 'click' ? { kind, element: go } : kind === 'tab' ? { kind, tab: 1 } : { kind },
                noAbort,
              )
            ).view;
            ({ content } = view);
          }
          return view === undefined ? [] : summary(view);
        });
      expect(await visit()).toEqual(end);
      expect(await Promise.all(Array.from({ length: 4 }, visit))).toEqual(
        Array.from({ length: 4 }, () => end),
      );
    },
  );

  it('faults soon when no tab is left', async () => {
    const thrown: unknown = await onPage(
      engine,
      site(opening(), `<button onclick="window.close()">go</button>`),
      async (episode) => {
        await episode.act({ kind: 'click', element: 'e1' }, noAbort);
        await episode.act({ kind: 'tab', tab: 1 }, noAbort);
        await episode.act({ kind: 'close' }, noAbort);
        await episode.act({ kind: 'click', element: 'e1' }, noAbort);
      },
      { patienceMs: 60_000 },
    ).catch((error: unknown) => error);
    expect(FaultError.is(thrown) && thrown.fault.kind).toBe('env-crashed');
  });

  it('faults the episode when the browser is gone too', async () => {
    const own = await openEngine();
    const before = new Set(browsersOf(process.pid));
    const episode = await own.episode(
      site(opening(), '<p>other</p>'),
      { ...options, patienceMs: 60_000 },
      noAbort,
    );
    await episode.open('/', noAbort);
    await episode.act({ kind: 'click', element: 'e1' }, noAbort);
    process.kill(mainOf(browsersOf(process.pid).filter((pid) => !before.has(pid))), 'SIGKILL');
    const thrown: unknown = await episode.act({ kind: 'wait' }, noAbort).catch((error: unknown) => error);
    expect(FaultError.is(thrown) && thrown.fault.kind).toBe('env-crashed');
    await episode.close();
    await own.close();
  });
});
