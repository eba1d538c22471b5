// Slow: plays pages with pauses in real time.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { EpisodeOptions } from '../../../../envs/engines/browser/session/episode-browser.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { noAbort, onePage, onPage, openEngine } from './browse.ts';

await describeWithParts(['chromium'], 'the time of a page', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const press: PageAction = { kind: 'press', key: 'Enter' };
  const wait: PageAction = { kind: 'wait' };
  /** What the page has said after 100 ms of its time, a press of its button, which calls `go`, and as many waits. */
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
      'a loop until it goes on',
      `<script>go = () => { const t = Date.now(); while (Date.now() - t < 10); say(Date.now() - t); const u = performance.now(); while (performance.now() - u < 20); setTimeout(() => say(performance.now()), 20) }</script>`,
      '11; 152;',
    ],
    [
      'a loop of promises until it goes on',
      `<script>go = async () => { const t = new Date(); while (new Date() - t < 10) await undefined; say('done') }</script>`,
      'done;',
    ],
    [
      'a loop that makes events until it goes on',
      `<script>go = (event) => { let n = 0; while (new Event('made').timeStamp - event.timeStamp < 5 && n < 2e4) n += 1; say(n) }</script>`,
      '10004;',
    ],
    [
      'loops that ask for the time in words until it goes on',
      `<script>const until = (told) => { const was = told(); let n = 0; while (told() === was && n < 2e4) n += 1; say(n < 2e4) }; go = () => { until(Date); const clock = new Intl.DateTimeFormat('en', { second: 'numeric' }); until(() => clock.format()); until(() => clock.formatToParts()[0].value) }</script>`,
      'true; true; true;',
    ],
    [
      'times of more than 31 bits',
      `<script>go = () => { const signal = AbortSignal.timeout(3e9); scheduler.postTask(() => say('posted'), { delay: 3e9 }); setTimeout(() => say(performance.now()), 2 ** 32 + 5); setTimeout(() => say(signal.aborted), 50) }</script>`,
      '105; false;',
    ],
    [
      'a loop that takes longer than actions',
      `<script>go = () => { const t = performance.now(); while (performance.now() - t < 3000); setTimeout(() => say(performance.now()), 50) }</script>`,
      '3150;',
      1,
    ],
    [
      'timers that loop for longer than they are apart',
      `<script>go = () => setInterval(() => { const t = performance.now(); while (performance.now() - t < 20); say(performance.now()) }, 10)</script>`,
      '131; 152; 173; 194; 215; 236; 257; 278; 299; 320; 341; 362;',
      1,
    ],
    [
      'timers that follow one another',
      `<script>go = () => { let n = 0; const next = () => { say(performance.now()); if ((n += 1) < 9) setTimeout(next, 0) }; setTimeout(next, 1) }</script>`,
      '101; 102; 103; 104; 105; 106; 110; 114; 118;',
    ],
    [
      'promises of timers that follow one another',
      `<script>go = async () => { for (let n = 0; n < 8; n += 1) await new Promise((done) => setTimeout(done, 1)); say(performance.now()) }</script>`,
      '114;',
    ],
    [
      'timers and intervals of one moment',
      `<script>go = () => { setInterval(() => say('every'), 40); setTimeout(() => setTimeout(() => say('once'), 60), 20) }</script>`,
      'every; once; every;',
    ],
    [
      'frames where the page puts another clock in its place',
      `<script>window.performance = { mark() {} }; go = () => requestAnimationFrame(say)</script>`,
      '112;',
    ],
    [
      'events that are asked long after',
      `<script>go = (event) => { const made = new Event('made'); dispatchEvent(made); setTimeout(() => say(event.timeStamp, made.timeStamp), 50) }</script>`,
      '100 100;',
    ],
    [
      'files',
      `<script>go = () => { const data = new FormData(); data.append('a', new Blob(['a'])); const file = data.get('a'); const made = new File([], 'a'); say(file.lastModified - Date.now(), made.lastModified - Date.now(), new File([], 'a', { lastModified: 5 }).lastModified, file instanceof File, made instanceof File, made.constructor === File) }</script>`,
      '0 0 5 true true true;',
    ],
    [
      'marks and measures',
      `<script>go = () => { say(new PerformanceMark('a').startTime); for (const how of [['domInteractive'], [{ start: 'domComplete', end: 'loadEventEnd' }]]) say(performance.measure('a', ...how).duration) }</script>`,
      '100; 100; 0;',
    ],
    [
      'observers',
      `<script>go = () => new IntersectionObserver(([entry]) => setTimeout(() => say(entry.time), 30)).observe(x)</script>`,
      '100;',
    ],
    [
      'pictures of a film',
      `<script>go = () => say(document.createElement('video').getVideoPlaybackQuality().creationTime)</script>`,
      '100;',
    ],
    [
      'whether the page is in use',
      `<script>const { userActivation } = navigator; say(userActivation.isActive); go = () => { say(userActivation.isActive); setTimeout(() => say(userActivation.isActive), 4999); setTimeout(() => say(userActivation.isActive), 5000) }</script>`,
      'false; true; true; false;',
      50,
    ],
    [
      'animations',
      `<script>go = () => { const a = x.animate([{ opacity: 0 }, { opacity: 1 }], 300); say(a.startTime); a.currentTime = 100; say(a.playState, a.currentTime); a.startTime = document.timeline.currentTime; say(a.playState, a.currentTime); a.pause(); a.currentTime = 100; say(a.playState, a.currentTime); for (const start of [40, -1000, null]) { a.startTime = start; say(a.playState, a.currentTime, a.startTime) } }</script>`,
      '-200; finished 300; finished 300; paused 100; finished 300 -200; finished 1100 -1000; paused 1100 ;',
    ],
  ])('goes by its own clock in %s', async (_what, page, expected, waits) => {
    expect(await said(page, waits)).toBe(expected);
  });

  it('is what cookies end by, which else stay', async () => {
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
      const answer = onePage(
        `<p id="x"></p><script>document.cookie = 'hour=1; expires=' + new Date(Date.now() + 36e5).toUTCString(); document.cookie = 'second=1;max-age=1'; document.cookie = 'over=1; expires=' + new Date(Date.now()).toUTCString(); document.cookie = 'odd=1; expires=soon; max-age=x; expiresat=1'; document.cookie = 'hour2=1'; document.cookie = 'hour2=; expires=Thu, 01 Jan 1970 00:00:00 GMT'; document.cookie = 5;</script>`,
      )(request) as Response;
      for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
      sent.push(request.headers.get('cookie') ?? '');
      return answer;
    };
    await onPage(engine, site, async (episode) => {
      expect(await episode.read('document.cookie', noAbort)).toBe(
        'kept=1; aged=1; aged2=1; hour=1; second=1; odd=1; 5',
      );
      await episode.pass(5000, noAbort);
      await new Promise((resolve) => setTimeout(resolve, 1500)); // longer than the shortest of them would live by the browser's clock
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

  it('stands in the fault of a page that does not answer', async () => {
    await expect(said('<script>go = () => { for (;;); }</script>', 0, { patienceMs: 1500 })).rejects.toThrow(
      'press on the page, at 100 ms of its clock, did not finish within 1500 ms',
    );
  });
});
