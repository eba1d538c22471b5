// Slow: plays pages with pauses in real time.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { EpisodeOptions } from '../../../../envs/engines/browser/session/episode-browser.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { noAbort, onePage, onPage, openEngine } from './browse.ts';
import { readFixture } from '../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'the clock of a page', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const press: PageAction = { kind: 'press', key: 'Enter' };
  const wait: PageAction = { kind: 'wait' };
  /** What the page logged after 100 ms of its time, a press of its button, which calls `go`, and `waits` waits. */
  const said = async (page: string, waits = 0, changed: Partial<EpisodeOptions> = {}): Promise<string> => {
    const html = `<p id="x"></p><button id="b" autofocus>b</button><script>globalThis.say = (...words) => x.append(words.join(' ') + '; '); let go; b.onclick = (event) => go(event)</script>${page}`;
    return onPage(
      engine,
      html,
      async (episode) => {
        for (const action of [press, ...Array.from({ length: waits }, () => wait)])
          await episode.act(action, noAbort);
        return String(await episode.read('x.textContent.trim()', noAbort));
      },
      changed,
    );
  };

  it.each<[what: string, page: string, expected: string, waits?: number]>([
    [
      'a loop until the clock advances',
      readFixture('pages/page-time/a-loop-until-it-goes-on.html'),
      '11; 152;',
    ],
    [
      'a loop of promises until the clock advances',
      `<script>go = async () => { const t = new Date(); while (new Date() - t < 10) await undefined; say('done') }</script>`,
      'done;',
    ],
    [
      'a loop that makes events until the clock advances',
      readFixture('pages/page-time/a-loop-that-makes-events-until-it-goes.html'),
      '10004;',
    ],
    [
      'loops that read the time as text until the clock advances',
      readFixture('pages/page-time/loops-that-ask-for-the-time-in-words.html'),
      'true; true; true;',
    ],
    [
      'times of more than 31 bits',
      readFixture('pages/page-time/times-of-more-than-31-bits.html'),
      '105; false;',
    ],
    [
      'a loop that takes longer than actions',
      readFixture('pages/page-time/a-loop-that-takes-longer-than-actions.html'),
      '3150;',
      1,
    ],
    [
      'timers that loop for longer than they are apart',
      readFixture('pages/page-time/timers-that-loop-for-longer-than-they-are.html'),
      '131; 152; 173; 194; 215; 236; 257; 278; 299; 320; 341; 362;',
      1,
    ],
    [
      'timers that follow one another',
      readFixture('pages/page-time/timers-that-follow-one-another.html'),
      '101; 102; 103; 104; 105; 106; 110; 114; 118;',
    ],
    [
      'promises of timers that follow one another',
      readFixture('pages/page-time/promises-of-timers-that-follow-one-another.html'),
      '114;',
    ],
    [
      'timers and intervals of one moment',
      readFixture('pages/page-time/timers-and-intervals-of-one-moment.html'),
      'every; once; every;',
    ],
    [
      'frames after the page replaced performance',
      `<script>window.performance = { mark() {} }; go = () => requestAnimationFrame(say)</script>`,
      '112;',
    ],
    [
      'events that are read much later',
      readFixture('pages/page-time/events-that-are-asked-long-after.html'),
      '100 100;',
    ],
    ['files', readFixture('pages/page-time/files.html'), '0 0 5 true true true;'],
    ['marks and measures', readFixture('pages/page-time/marks-and-measures.html'), '100; 100; 0;'],
    [
      'observers',
      `<script>go = () => new IntersectionObserver(([entry]) => setTimeout(() => say(entry.time), 30)).observe(x)</script>`,
      '100;',
    ],
    [
      'video frames',
      `<script>go = () => say(document.createElement('video').getVideoPlaybackQuality().creationTime)</script>`,
      '100;',
    ],
    [
      'user activation',
      readFixture('pages/page-time/whether-the-page-is-in-use.html'),
      'false; true; true; false;',
      50,
    ],
    [
      'animations',
      readFixture('pages/page-time/animations.html'),
      '-200; finished 300; finished 300; paused 100; finished 300 -200; finished 1100 -1000; paused 1100 ;',
    ],
  ])('determines the time in %s', async (_what, page, expected, waits) => {
    expect(await said(page, waits)).toBe(expected);
  });

  it('determines when cookies expire, and the others stay', async () => {
    const cookies = [
      'gone=1',
      'kept=1; expires=Tue, 02 Jan 2024 00:00:00 GMT',
      'past=1; Expires=Sun, 31-Dec-2023 00:00:00 GMT',
      'aged=1; max-age=1; expires=Sun, 31 Dec 2023 00:00:00 GMT; path=/',
      'out=1; Max-Age=0',
      'hidden=1; HttpOnly',
      'gone=; max-age=-1',
      'aged2=1; max-age=0x; expiresat=2',
    ];
    const sent: string[] = [];
    const site: PageHandler = (request) => {
      const answer = onePage(readFixture('pages/page-time/is-what-cookies-end-by-which-else-stay.html'))(
        request,
      ) as Response;
      for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
      sent.push(request.headers.get('cookie') ?? '');
      return answer;
    };
    await onPage(engine, site, async (episode) => {
      expect(await episode.read('document.cookie', noAbort)).toBe(
        'kept=1; aged=1; aged2=1; hour=1; second=1; odd=1; 5',
      );
      await episode.pass(5000, noAbort);
      await new Promise((resolve) => setTimeout(resolve, 1500)); // longer than the shortest lifetime by the clock of the browser
      await episode.act({ kind: 'goto', url: '/' }, noAbort);
    });
    expect(sent.at(-1)?.split('; ').toSorted()).toEqual([
      '5',
      'aged2=1',
      'aged=1',
      'hidden=1',
      'hour=1',
      'kept=1',
      'odd=1',
      'second=1',
    ]);
  });

  it('appears in the fault of a page that does not answer', async () => {
    await expect(said('<script>go = () => { for (;;); }</script>', 0, { patienceMs: 1500 })).rejects.toThrow(
      'press on the page, at 100 ms of its clock, did not finish within 1500 ms',
    );
  });
});
