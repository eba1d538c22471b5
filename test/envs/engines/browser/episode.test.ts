import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithParts } from '../../../support/system-part.ts';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import { FaultError } from '../../../../envs/core/errors.ts';
import { renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { idOf, noAbort, onPage, onePage, openEngine, options } from './browse.ts';
import { readFixture } from '../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'an episode in a browser', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  it('shows roles, names, states and values, hides the invisible, and looks into frames', async () => {
    const page = readFixture('pages/episode/shows-roles-names-states-and-values-hides-what.html');
    await onPage(engine, page, async (_episode, content) => {
      expect(renderTree(content)).toEqual([
        '[e1] heading "Order"',
        'Name',
        '[e2] textbox "Name" holds "Ann"',
        '[e3] checkbox "gift" checked',
        '[e4] combobox "size" of "small", "large" (chosen)',
        '[e5] button "Send" disabled',
        '[e6] generic "by script"',
        '[e7] rect rgb(255, 0, 0) 9x9',
        '[e8] frame',
        '  [e9] button "inside"',
      ]);
    });
  });

  it('clicks, types, clears, chooses, presses, hovers, drags and scrolls as a person does', async () => {
    const page = readFixture('pages/episode/clicks-types-clears-chooses-presses-hovers-drags-and.html');
    await onPage(engine, page, async (episode, content) => {
      const act = (action: Parameters<typeof episode.act>[0]) => episode.act(action, noAbort);
      const field = idOf(content, 'textbox', 'a');
      await act({ kind: 'type', element: field, text: 'hi' });
      await act({ kind: 'press', key: 'Enter' });
      await act({ kind: 'clear', element: field });
      await act({ kind: 'select', element: idOf(content, 'combobox', 's'), option: 'two' });
      await act({ kind: 'hover', element: idOf(content, 'button', 'b') });
      await act({ kind: 'click', element: idOf(content, 'button', 'b') });
      await act({ kind: 'type', element: idOf(content, 'date', 'd'), text: '2024-02-03' });
      await act({ kind: 'click', element: idOf(content, 'button', 'far') });
      expect(await episode.read('log', noAbort)).toEqual([
        'h',
        'hi',
        'Enter',
        '',
        'two',
        'over',
        'clicked',
        '2024-02-03',
        'below true',
      ]);
      await act({ kind: 'scroll', direction: 'up' });
    });
  });

  it('shows the numbers of widgets, and clickable shapes by kind', async () => {
    const page = readFixture('pages/episode/shows-the-numbers-of-widgets-and-shapes-that.html');
    await onPage(engine, page, async (_episode, content) =>
      expect(renderTree(content)).toEqual([
        '[e1] slider "volume" holds "30"',
        '[e2] spinbutton "day" holds "Tuesday"',
        '[e3] progressbar "done" holds "3"',
        '[e4] img 40x20',
        '  [e5] circle rgb(0, 0, 255) 18x18 at 0 0',
        '  [e6] rect rgb(255, 0, 0) 9x9 at 20 0',
      ]),
    );
  });

  it('sets dates and times in either notation, and refuses text that a field would change', async () => {
    const page = readFixture('pages/episode/sets-dates-and-times-as-fields-hold-or.html');
    await onPage(engine, page, async (episode, content) => {
      const [date, time, range] = [
        idOf(content, 'date', 'd'),
        idOf(content, 'time', 't'),
        idOf(content, 'slider', 'r'),
      ];
      const type = async (element: string, text: string): Promise<unknown> => {
        const { refusal } = await episode.act({ kind: 'type', element, text }, noAbort);
        return (
          refusal ??
          (await episode.read(
            "[...document.querySelectorAll('input')].map(({ value }) => value).join(' ')",
            noAbort,
          ))
        );
      };
      expect(await type(date, '2024-02-03')).toBe('2024-02-03  3');
      expect(await type(date, '2/4/2024')).toBe('2024-02-04  3');
      expect(await type(time, '8:35 PM')).toBe('2024-02-04 20:35 3');
      expect(await type(time, '12:05 am')).toBe('2024-02-04 00:05 3');
      expect(await type(range, '7')).toBe('2024-02-04 00:05 7');
      await episode.read('log.length = 0', noAbort);
      expect(await type(date, '4 February')).toBe(
        `${date} does not take "4 February": a date is given as 2024-01-31 or 01/31/2024`,
      );
      expect(await type(time, '13:30 PM')).toBe(
        `${time} does not take "13:30 PM": a time is given as 20:35 or 8:35 PM`,
      );
      expect(await type(time, '0:30 AM')).toMatch(/does not take/);
      expect((await episode.act({ kind: 'clear', element: range }, noAbort)).refusal).toBe(
        `${range} cannot be emptied: it takes numbers within its bounds, on its steps`,
      );
      expect(await type(time, '25:00')).toMatch(/a time is given as 20:35 or 8:35 PM$/);
      expect(await type(range, '11')).toMatch(/it takes numbers within its bounds, on its steps$/);
      expect(
        await episode.read(
          '[log, d.value, t.value, r.value]'.replaceAll(
            /\b([dtr])\.value/g,
            "document.querySelector('[aria-label=$1]').value",
          ),
          noAbort,
        ),
      ).toEqual([[], '2024-02-04', '00:05', '7']);
    });
  });

  it('looks at the page without advancing its clock, even after scrolling', async () => {
    const page = `<p id="p">before</p><div style="position:sticky;top:0;height:50px;background:white">head</div>${Array.from({ length: 60 }, (_, place) => `<p style="height:60px"><button onclick="p.textContent = 'clicked ${place}'">b${place}</button></p>`).join('')}`;
    await onPage(engine, page, async (episode, content) => {
      const now = await episode.read('p.textContent = "by hand"; Date.now()', noAbort);
      expect(renderTree((await episode.look(noAbort)).content)[0]).toBe('by hand');
      expect(await episode.read('Date.now()', noAbort)).toBe(now);
      for (const place of [59, 30, 3, 44, 0]) {
        const { refusal, view } = await episode.act(
          { kind: 'click', element: idOf(content, 'button', `b${place}`) },
          noAbort,
        );
        expect([refusal, renderTree(view.content)[0]]).toEqual([undefined, `clicked ${place}`]);
      }
    });
  });

  it.each([
    [{ kind: 'click', element: 'e99' }, 'there is no element e99 on this page'],
    [{ kind: 'click', element: 'e1' }, 'e1 lies under something else'],
    [{ kind: 'type', element: 'e2', text: 'x' }, 'e2 takes no text'],
    [{ kind: 'type', element: 'e3', text: 'x' }, 'e3 can only be read'],
    [{ kind: 'select', element: 'e4', option: 'none' }, 'e4 has no option "none"'],
    [{ kind: 'select', element: 'e4', option: 'n'.repeat(9999) }, `e4 has no option "${'n'.repeat(200)}…"`],
    [{ kind: 'select', element: 'e2', option: 'a' }, 'e2 is no list to choose from'],
    [{ kind: 'back' }, 'there is no page before this one'],
    [{ kind: 'tab', tab: 2 }, 'there is no tab 2'],
    [{ kind: 'close' }, 'the last tab stays open'],
    [{ kind: 'goto', url: 'https://example.com/' }, 'https://example.com/ is no address of this site'],
  ] as const)('refuses %j with the reason', async (action, why) => {
    const page = readFixture('pages/episode/looks-at-what-is-shown-without-time-going.html');
    await onPage(engine, page, async (episode) =>
      expect((await episode.act(action, noAbort)).refusal).toBe(why),
    );
  });

  it.each([
    ['a textarea', '<textarea aria-label="f"></textarea>'],
    ['a custom text box', '<div contenteditable role="textbox" aria-label="f"></div>'],
  ])('limits the text in %s to 100,000 characters', async (_what, field) => {
    await onPage(engine, field, async (episode, content) => {
      const type = async (characters: number) =>
        (
          await episode.act(
            {
              kind: 'type',
              element: idOf(content, 'textbox', 'f'),
              text: 'some words '.repeat(characters).slice(0, characters),
            },
            noAbort,
          )
        ).refusal;
      expect(await type(1_000_000)).toMatch(
        /^e\d+ holds 0 characters, and with these it would be more than 100000$/,
      );
      expect([await type(60_000), await type(39_000)]).toEqual([undefined, undefined]);
      expect(await type(1_001)).toMatch(/holds 99000 characters, and with these/);
      expect(await type(1_000)).toBeUndefined();
    });
  });

  it('types a megabyte into a single-line field', async () => {
    await onPage(engine, '<input aria-label="f">', async (episode, content) => {
      const { refusal } = await episode.act(
        { kind: 'type', element: idOf(content, 'textbox', 'f'), text: 'words '.repeat(170_000) },
        noAbort,
      );
      expect([refusal, await episode.read('document.querySelector("input").value.length', noAbort)]).toEqual([
        undefined,
        1_020_000,
      ]);
    });
  });

  it('follows links, goes back, shows new windows and reports dialogs', async () => {
    const site = (request: Request): Response =>
      onePage(
        `<title>${new URL(request.url).pathname}</title><a href="/next">next</a><a href="/other" target="_blank">other</a><button onclick="alert('hello'); document.title = confirm('sure?') + prompt('name?', 'Bo')">ask</button>`,
      )(request) as Response;
    await onPage(engine, site, async (episode, content) => {
      const click = async (name: string, role = 'link') =>
        (await episode.act({ kind: 'click', element: idOf(content, role, name) }, noAbort)).view;
      expect(await click('next')).toMatchObject({ url: '/next', tab: 1 });
      expect((await episode.act({ kind: 'back' }, noAbort)).view.url).toBe('/');
      expect(await click('other')).toMatchObject({ url: '/other', tab: 2, tabs: ['/', '/other'] });
      expect((await episode.act({ kind: 'close' }, noAbort)).view).toMatchObject({
        url: '/',
        tab: 1,
        tabs: ['/'],
      });
      expect(await click('ask', 'button')).toMatchObject({
        title: 'trueBo',
        said: [
          'The page said: "hello".',
          'The page said: "sure?", answered OK.',
          'The page said: "name?", answered "Bo".',
        ],
      });
    });
  });

  it('shows the page after a form, never the one before it', async () => {
    const site = (request: Request): Response =>
      onePage(
        `<p>${new URL(request.url).pathname}</p><form action="/${Math.random()}"><button>go</button></form>`,
      )(request) as Response;
    const visit = async (): Promise<readonly unknown[]> =>
      onPage(engine, site, async (episode, first) => {
        const seen = [renderTree(first)[0]];
        let content = first;
        for (let click = 0; click < 15; click += 1) {
          ({ content } = (
            await episode.act({ kind: 'click', element: idOf(content, 'button', 'go') }, noAbort)
          ).view);
          seen.push(renderTree(content)[0]);
        }
        return seen;
      });
    for (const seen of await Promise.all([visit(), visit(), visit(), visit()]))
      expect(new Set(seen).size).toBe(16);
  });

  it('pastes text at once when pastes is set, with characters that keys would change', async () => {
    const page = `<input aria-label="a" oninput="log.push(this.value)" onkeydown="log.push('key')"><script>const log = []</script>`;
    await onPage(
      engine,
      page,
      async (episode, content) => {
        await episode.act(
          { kind: 'type', element: idOf(content, 'textbox', 'a'), text: ' a\tb\rc' },
          noAbort,
        );
        expect(await episode.read('log', noAbort)).toEqual([' a\tb c']);
      },
      { pastes: true },
    );
  });

  it('shows the result of a form, however it was sent', async () => {
    let sent = 0;
    const site = (request: Request): Response | Promise<Response> => {
      if (request.method === 'POST')
        return new Response(undefined, { status: 303, headers: { location: `/after/${(sent += 1)}` } });
      return onePage(
        '<form method="post" action="/act"><input aria-label="words"><button>Send</button></form>',
      )(request);
    };
    await onPage(engine, site, async (episode, content) => {
      for (let round = 1; round <= 40; round += 2) {
        await episode.act({ kind: 'type', element: idOf(content, 'textbox', 'words'), text: 'x' }, noAbort);
        expect((await episode.act({ kind: 'press', key: 'Enter' }, noAbort)).view.url).toBe(
          `/after/${round}`,
        );
        expect(
          (await episode.act({ kind: 'click', element: idOf(content, 'button', 'Send') }, noAbort)).view.url,
        ).toBe(`/after/${round + 1}`);
      }
    });
  });

  it('scrolls to what it clicks, and sees what covers it there', async () => {
    const page = readFixture('pages/episode/clicks-what-has-to-be-scrolled-to-first.html');
    await onPage(engine, page, async (episode, content) => {
      const click = async (name: string) =>
        (await episode.act({ kind: 'click', element: idOf(content, 'button', name) }, noAbort)).refusal;
      expect([await click('far'), await click('above'), await click('far')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await click('under')).toMatch(/lies under something else/);
      expect(await episode.read('log', noAbort)).toEqual(['far', 'above', 'far']);
    });
  });

  it('gives pages seeded randomness and a clock that advances only with actions', async () => {
    const page = readFixture('pages/episode/gives-pages-chance-by-seed-and-a-clock.html');
    const play = async (seed: number): Promise<unknown> =>
      onPage(
        engine,
        page,
        async (episode) => {
          const first = (await episode.act({ kind: 'click', element: 'e1' }, noAbort)).view;
          await new Promise((resolve) => setTimeout(resolve, 30));
          return [
            renderTree(first.content),
            renderTree((await episode.act({ kind: 'click', element: 'e1' }, noAbort)).view.content),
          ];
        },
        { seed },
      );
    expect(await play(1)).toEqual(await play(1));
    expect(await play(1)).not.toEqual(await play(2));
    await onPage(
      engine,
      page,
      async (episode) =>
        expect(
          renderTree((await episode.act({ kind: 'hover', element: 'e1' }, noAbort)).view.content),
        ).toContain('later'),
      { actionMs: 6000 },
    );
  });

  it('ends timers without a delay by keeping the pause of a browser between them', async () => {
    const page = readFixture('pages/episode/gets-past-timers-that-want-to-run-without.html');
    await onPage(engine, page, async (episode) => {
      expect(await episode.read('[p.textContent, p.title]', noAbort)).toEqual(['25', 'arguments pass']); // 100 ms of 4 each
    });
  });

  it('limits the memory of a page', async () => {
    const page = readFixture('pages/episode/keeps-a-page-from-more-memory-than-it.html');
    await onPage(engine, page, async (episode) =>
      expect(renderTree((await episode.act({ kind: 'click', element: 'e1' }, noAbort)).view.content)).toEqual(
        ['[e1] button "RangeError" focused'],
      ),
    );
  });

  it.each([
    ['computes forever', '<button onclick="for (;;);">b</button>', 'deadline-passed'],
    [
      'allocates memory until its tab crashes',
      '<button onclick="const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));">b</button>',
      'env-crashed',
    ],
  ])('faults alone when its page %s, and the next episode plays', async (_what, page, kind) => {
    const episode = await engine.episode(
      onePage(page),
      { ...options, patienceMs: kind === 'env-crashed' ? 30_000 : 2000 },
      noAbort,
    );
    await episode.open('/', noAbort);
    const thrown: unknown = await episode
      .act({ kind: 'click', element: 'e1' }, noAbort)
      .catch((error: unknown) => error);
    expect(FaultError.is(thrown) && thrown.fault.kind).toBe(kind);
    await episode.close();
    await onPage(engine, '<p>well</p>', async (_other, content) =>
      expect(renderTree(content)).toEqual(['well']),
    );
    expect(engine.launches).toBe(1);
  });
});
