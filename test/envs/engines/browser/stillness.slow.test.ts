// Slow: plays each page twice with pauses in real time.
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { idOf, noAbort, onePage, onPage, openEngine } from './browse.ts';
import { readFixture } from '../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'a page played twice', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** The content at first and after an action, with screenshots, after a pause in real time before each. */
  const play = async (page: string, ms: number): Promise<unknown> =>
    onPage(
      engine,
      page,
      async (episode) => {
        await pause(ms);
        const first = await episode.look(noAbort);
        await pause(ms);
        const { view } = await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
        return [first, view].map(({ content, screenshot }) => [
          renderTree(content),
          createHash('sha256')
            .update(screenshot ?? '')
            .digest('hex'),
        ]);
      },
      { screenshots: true },
    );

  it.each([
    ['random values', readFixture('pages/stillness/random-values.html')],
    ['animations by script', readFixture('pages/stillness/animations-by-script.html')],
    ['animations of a shadow tree', readFixture('pages/stillness/animations-of-a-shadow-tree.html')],
    ["SVG's own animations", readFixture('pages/stillness/svgs-own-animations.html')],
    [
      'animated pictures',
      `<img width="400" height="99" src="data:image/svg+xml,${encodeURIComponent(readFixture('pages/stillness/moving-picture.svg'))}">`,
    ],
    ['clocks of all kinds', readFixture('pages/stillness/clocks-of-all-kinds.html')],
    [
      'response headers and the address',
      `<p id="p"></p><script>fetch('/x').then((r) => p.append([...r.headers].join(';'))); p.append(location.href)</script>`,
    ],
  ])('shows the same %s', async (_what, page) => {
    expect(await play(page, 300)).toEqual(await play(page, 30));
  });

  it('finishes script animations at once, and holds endless ones at their start', async () => {
    const page = readFixture('pages/stillness/finishes-animations-by-script-at-once-and-holds.html');
    await onPage(engine, page, async (episode) =>
      expect(
        await episode.read(
          '[a.playState, getComputedStyle(d).opacity, b.playState, getComputedStyle(e).opacity]',
          noAbort,
        ),
      ).toEqual(['finished', '0.5', 'paused', '0.25']),
    );
  });

  it('counts where browsers use random ids', async () => {
    const page = readFixture('pages/stillness/counts-what-has-an-id-of-chance-elsewhere.html');
    const told = async (): Promise<unknown> =>
      onPage(engine, page, async (episode) => episode.read('told', noAbort));
    const first = await told();
    expect(first).toEqual([
      true,
      true,
      '#a',
      true,
      true,
      6,
      true,
      ...Array.from({ length: 9 }, () => expect.any(String) as string),
    ]);
    expect(await told()).toEqual(first);
  });

  it('shows blob addresses without random ids', async () => {
    await onPage(
      engine,
      readFixture('pages/stillness/has-no-ids-of-chance-in-the-addresses.html'),
      async (episode) => {
        const { view } = await episode.act({ kind: 'click', element: 'e1' }, noAbort);
        expect([view.url, ...renderTree(view.content)]).toEqual(['blob:', 'made']);
      },
    );
  });

  it('gives each new window the same size', async () => {
    const sizes = await Promise.all(
      Array.from({ length: 4 }, async () =>
        onPage(engine, '<script>globalThis.size = [outerWidth, outerHeight]</script>', async (episode) =>
          episode.read('size', noAbort),
        ),
      ),
    );
    expect(new Set(sizes.map(String))).toEqual(new Set(['800,600']));
  });

  it('stops marquees', async () => {
    await onPage(
      engine,
      '<marquee direction="right" bgcolor="red">words</marquee>',
      async (episode) => {
        await pause(500);
        const { screenshot } = await episode.look(noAbort);
        await pause(500);
        expect((await episode.look(noAbort)).screenshot).toBe(screenshot);
      },
      { screenshots: true },
    );
  });

  it('turns the arrows of number fields once with a click, however long a drag holds them', async () => {
    await onPage(
      engine,
      '<input id="field" type="number" style="width:100px;height:20px"><p id="there" style="width:30px">there</p>',
      async (episode) => {
        const at = { x: 97, y: 18 };
        const act = async (action: PageAction): Promise<unknown> => {
          await episode.act(action, noAbort);
          return episode.read('field.value', noAbort);
        };
        expect(await act({ kind: 'drag', element: 'e1', at, to: 'e2' })).toBe('');
        expect(await act({ kind: 'click', element: 'e1', at })).toBe('-1');
        expect(await act({ kind: 'click', element: 'e1', at })).toBe('-2');
        expect(await act({ kind: 'drag', element: 'e1', at, to: 'e2' })).toBe('-2');
      },
    );
  });

  it('becomes stable under the mouse before the press', async () => {
    const page = readFixture('pages/stillness/has-come-to-rest-under-the-mouse-before.html');
    const site: PageHandler = async (request) => {
      if (!request.url.endsWith('.svg')) return onePage(page)(request);
      await pause(300);
      return new Response('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>', {
        headers: { 'content-type': 'image/svg+xml' },
      });
    };
    await onPage(engine, site, async (episode, content) => {
      const { view } = await episode.act(
        { kind: 'click', element: idOf(content, 'generic', 'press') },
        noAbort,
      );
      expect([view.title, renderTree(view.content).join(' ')]).toEqual([
        'mousedown;mouseup;',
        expect.stringContaining('clicked'),
      ]);
    });
  });

  it('reports a mouse to media queries', async () => {
    await onPage(engine, '<p>p', async (episode) =>
      expect(await episode.read("matchMedia('(hover: hover) and (pointer: fine)').matches", noAbort)).toBe(
        true,
      ),
    );
  });

  it('offers no workers, because they have their own clocks', async () => {
    await onPage(engine, '<iframe srcdoc="<p>in"></iframe>', async (episode) =>
      expect(
        await episode.read('[typeof Worker, typeof SharedWorker, typeof frames[0].Worker]', noAbort),
      ).toEqual(['undefined', 'undefined', 'undefined']),
    );
  });

  it('runs all other timers when some of them throw', async () => {
    const page = readFixture('pages/stillness/goes-on-where-its-own-timers-fail-with.html');
    await onPage(engine, page, async (episode) => {
      expect(
        await episode.read(
          '[ticks, Date.now() - performance.timeOrigin, new Set(errors).size, errors.length]',
          noAbort,
        ),
      ).toEqual([1010, 100, 4, 13]);
      await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
      expect(await episode.read('ticks', noAbort)).toBe(1020);
    });
  });

  it('runs 2,000 timers without reading all of them for each', async () => {
    const page = readFixture('pages/stillness/has-many-timers-of-which-it-looks-at.html');
    await onPage(engine, page, async (episode) =>
      expect(await episode.read('[n, asked < 20000]', noAbort)).toEqual([2000, true]),
    );
  });

  it('shows no trace of running frames at once', async () => {
    const page = readFixture('pages/stillness/has-frames-at-once-without-a-sign-of.html');
    await onPage(engine, page, async (episode) => {
      for (let time = 0; time < 3; time += 1) await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
      expect(await episode.read('[seen.length > 50, ...new Set(seen)]', noAbort)).toEqual([true, 'auto']);
    });
  });

  it('runs many timers beside observers', async () => {
    const page = readFixture('pages/stillness/has-many-timers-beside-observers.html');
    await onPage(engine, page, async (_episode, content) => expect(renderTree(content)).toEqual(['1000']), {
      actionMs: 4000,
    });
  });

  it('runs many timers beside a clock of another origin', async () => {
    const ticking = readFixture('pages/stillness/ticking.html'); // each millisecond
    await onPage(
      engine,
      `${ticking}<iframe sandbox="allow-scripts" srcdoc="${ticking}"></iframe>`,
      async (_episode, content) => expect(renderTree(content).join(' ')).toContain('1996 [e1] frame "1996"'),
      { actionMs: 2000 },
    );
  });

  it('goes on when the page reopens its document', async () => {
    const page = readFixture('pages/stillness/goes-on-where-the-page-opens-its-document.html');
    await onPage(
      engine,
      page,
      async (episode) => {
        expect(
          renderTree((await episode.act({ kind: 'click', element: 'e1' }, noAbort)).view.content),
        ).toEqual(['new']);
        expect(renderTree((await episode.act({ kind: 'press', key: 'Tab' }, noAbort)).view.content)).toEqual([
          'new',
        ]);
      },
      { patienceMs: 4000 },
    );
  });

  describe('three at once on a machine whose cores are all busy', () => {
    const work: Worker[] = [];
    beforeAll(
      () => void work.push(...Array.from({ length: 2 }, () => new Worker('for (;;);', { eval: true }))),
    );
    afterAll(async () => void (await Promise.all(work.map(async (worker) => worker.terminate()))));

    const press: PageAction = { kind: 'press', key: 'Enter' };
    const wait: PageAction = { kind: 'wait' };
    /** What the page said, and when, after two actions: `say` appends a word and the time, and `go` is called by the first. */
    const told = async (
      page: string,
      actions: readonly PageAction[],
      others: Readonly<Record<string, string>>,
    ): Promise<string> => {
      const html = `<p id="x" style="position: fixed"></p><button id="b" autofocus>b</button><script>globalThis.say = (word) => x.append(word + '@' + performance.now() + ' ')</script>${page}<script>b.onclick = () => go()</script>`;
      const site: PageHandler = (request) => onePage(others[new URL(request.url).pathname] ?? html)(request);
      return onPage(engine, site, async (episode) => {
        for (const action of actions) await episode.act(action, noAbort);
        return String(await episode.read('x.textContent.trim()', noAbort));
      });
    };

    it.each<
      [
        what: string,
        page: string,
        expected: string,
        how?: {
          readonly actions?: readonly PageAction[];
          readonly others?: Readonly<Record<string, string>>;
        },
      ]
    >([
      ['frames', readFixture('pages/stillness/frames.html'), '112@112 128@128 144@144'],
      [
        'frames after a time that is not a multiple of theirs',
        `<script>const go = () => setTimeout(() => requestAnimationFrame((at) => say(at)), 33)</script>`,
        '144@144',
      ],
      [
        'listeners that read the clock often',
        readFixture('pages/stillness/listeners-that-read-the-clock-often.html'),
        'keydown@100 keypress@100 click@100 keyup@100 pointerdown@200 mousedown@200 pointerup@200 mouseup@200 click@200',
        { actions: [press, { kind: 'click', element: 'e1' }] },
      ],
      [
        'a listener that reads the clock often and makes events meanwhile',
        readFixture('pages/stillness/a-listener-that-reads-the-clock-often-and.html'),
        'end@106',
      ],
      [
        'a page with a refresh in a month',
        readFixture('pages/stillness/a-page-that-sends-itself-elsewhere-in-a.html'),
        '1@100',
      ],
      [
        'the timers of two documents',
        readFixture('pages/stillness/the-timers-of-two-documents.html'),
        'in@105 out@105 in@110 frame@112 in frame@112 out@115 in@120 out@120',
      ],
      [
        'the timers of a document of another origin',
        readFixture('pages/stillness/the-timers-of-a-document-of-another-origin.html'),
        'out@105 in@110 out@115 in@120',
      ],
      [
        'another tab',
        readFixture('pages/stillness/another-tab.html'),
        'at 100@100 at 125@100 at 150@100 at 175@100 at 200@100 at 225@200 at 250@200 at 275@200 at 300@200',
        {
          actions: [press, wait],
          others: {
            '/other': readFixture('pages/stillness/tab-that-ticks.html'),
          },
        },
      ],
      [
        'loops that wait for the clock',
        readFixture('pages/stillness/loops-that-wait-for-the-clock.html'),
        'done@131 later@151',
      ],
      [
        'delayed tasks',
        readFixture('pages/stillness/tasks-that-are-put-off.html'),
        'AbortError@100 now@100 abort@140 later@150',
      ],
      [
        'messages between timers',
        readFixture('pages/stillness/messages-amid-timers.html'),
        't@110 50@110 t@120 100@120',
      ],
      ['idle callbacks', readFixture('pages/stillness/idle-callbacks.html'), '49@100'],
      [
        'smooth scrolling',
        readFixture('pages/stillness/smooth-scrolling.html'),
        '300@100 200@100 20@100 true@100',
      ],
      [
        'scrolling by keys and wheel',
        readFixture('pages/stillness/scrolling-by-keys-and-wheel.html'),
        '525@100 1005@200',
        {
          actions: [
            { kind: 'press', key: 'PageDown' },
            { kind: 'scroll', direction: 'down' },
          ],
        },
      ],
      [
        'animations by style sheets',
        readFixture('pages/stillness/animations-by-style-sheets.html'),
        'animationstart1@100 animationend1@100 animationend0@200',
        { actions: [press, wait] },
      ],
      [
        'animations of declarative shadow trees',
        readFixture('pages/stillness/animations-of-shadow-trees-that-are-written-out.html'),
        '0.5@100',
      ],
      [
        'script animations that are paused, cancelled and reversed',
        readFixture('pages/stillness/animations-by-script-that-are-held-and-given.html'),
        'gonecancel@112 backfinish@112',
      ],
      [
        'letters typed beside a selection listener',
        readFixture('pages/stillness/letters-typed-where-selections-are-heard-of.html'),
        '13@300',
        {
          actions: [
            press,
            { kind: 'type', element: 'e2', text: 'abcdefghijkl' },
            { kind: 'press', key: 'Enter' },
          ],
        },
      ],
      ['history steps', readFixture('pages/stillness/steps-in-the-history.html'), 'at1@100'],
      [
        'tasks and idle callbacks without options',
        readFixture('pages/stillness/what-is-asked-for-without-options.html'),
        'task@100 idle@100',
      ],
      [
        'animations of shadow trees with their own style sheets',
        readFixture('pages/stillness/animations-of-shadow-trees-with-sheets-of-their.html'),
        'end@100',
      ],
      [
        'animations by script',
        readFixture('pages/stillness/animations-by-script-2.html'),
        'finished@100 update@100 done@100 finish@112 cancel@112',
      ],
      [
        'refused permissions',
        readFixture('pages/stillness/what-is-refused.html'),
        'denied@100 full@100 play@100 position1@100 not-allowed@100',
      ],
      ['media', readFixture('pages/stillness/media.html'), 'error@100 error@100 suspended0@160'],
      [
        'measurements of time',
        readFixture('pages/stillness/measurements-of-time.html'),
        '30@130 [[100,0],[100,30]]@130 0@130',
      ],
      [
        'a document that the page leaves',
        readFixture('pages/stillness/a-document-that-is-left.html'),
        '10 200 0',
        {
          others: {
            '/other': readFixture('pages/stillness/document-that-follows.html'),
          },
        },
      ],
      [
        'a page with an immediate refresh',
        `<meta http-equiv="refresh" content="0; url=/other"><script>const go = () => undefined</script>`,
        '100',
        {
          actions: [],
          others: {
            '/other': `<p id="x"></p><script>x.textContent = Date.now() % 1e5 - 67200000 % 1e5</script>`,
          },
        },
      ],
    ])('logs the same for %s', async (_what, page, expected, { actions = [press], others = {} } = {}) => {
      const all = await Promise.all(Array.from({ length: 3 }, async () => told(page, actions, others)));
      expect([...new Set(all)]).toEqual([expected]);
    });
  });
});
