// Slow: plays pages in a browser, some until their time is up.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { FaultError } from '../../../envs/core/errors.ts';
import type { WebAction } from '../../../envs/web/action.ts';
import type { webConfig } from '../../../envs/web/config.ts';
import { describeObservation } from '../../../envs/web/observation.ts';
import { describeWithParts } from '../../support/system-part.ts';
import {
  context,
  foreignCore,
  foreignPage,
  named,
  onFirst,
  pageWith,
  type Playing,
} from './foreign-pages.ts';

const go = (pays: string): string => `<button onclick="core.endEpisode(${pays})">go</button>`;
const wait: WebAction = { kind: 'wait' };

await describeWithParts(['chromium'], 'the MiniWoB++ convention', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cairn-pages-'));
    await mkdir(path.join(folder, 'core'));
    await mkdir(path.join(folder, 'pages'));
    await writeFile(path.join(folder, 'core', 'core.js'), foreignCore);
  });
  afterAll(() => rm(folder, { recursive: true }));

  let pages = 0;
  /** Plays the first task of a page. */
  async function onPage<T>(
    document: string,
    play: (playing: Playing) => Promise<T>,
    rest: z.input<typeof webConfig> = {},
  ): Promise<T> {
    const name = `page-${(pages += 1)}`;
    await writeFile(path.join(folder, 'pages', `${name}.html`), document);
    return onFirst({ pages: path.join(folder, 'pages'), tasks: [name], ...rest }, play);
  }
  const faultOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'none',
      (thrown: unknown) => (FaultError.is(thrown) ? thrown.fault : thrown),
    );

  it('shows neither clock nor score, so that equal states stay equal', async () => {
    const toggling = foreignPage.replace(
      'window.onload',
      `setInterval(function () { ['reward-display', 'click-canvas'].forEach(function (id) { var shown = document.getElementById(id); shown.style.display = 'none'; shown.style.display = 'block'; shown.style.visibility = 'visible'; }); }, 300); window.onload`,
    );
    await onPage(
      toggling,
      async ({ env, opening }) => {
        expect(describeObservation(opening.observation)).not.toMatch(/reward|Time left|sec|canvas/);
        for (let time = 0; time < 3; time += 1) {
          expect(await env.step({ kind: 'scroll', direction: 'down' }, context)).toMatchObject({
            anchorKey: opening.anchorKey,
            observation: opening.observation,
          }); // its picture too
        }
      },
      { screenshots: true },
    );
  });

  it('lets pages draw from the configured data mode, which is part of the identity', async () => {
    const page = `${pageWith(go('1'), "genProblem = function () { document.getElementById('query').textContent = 'mode ' + WOB_DATA_MODE; }")}`;
    const seen = async (rest: z.input<typeof webConfig>) =>
      onFirst(
        { pages: path.join(folder, 'pages'), tasks: ['moded'], ...rest },
        async ({ env, opening }, host) => [
          opening.instruction,
          host.identity,
          (await env.step({ kind: 'click', element: named(opening, 'button', /go/) }, context)).kind,
        ],
      );
    await writeFile(path.join(folder, 'pages', 'moded.html'), page);
    expect(await seen({})).toEqual([
      'mode default',
      expect.not.objectContaining({ dataMode: expect.anything() as unknown }) as unknown,
      'terminated',
    ]);
    expect(await seen({ dataMode: 'test & more' })).toEqual([
      'mode test & more',
      expect.objectContaining({ dataMode: 'test & more' }) as unknown,
      'terminated',
    ]);
    await expect(onFirst({ dataMode: 'test' }, async () => 'played')).rejects.toThrow(
      /dataMode: the built-in pages draw all problems from one distribution/,
    );
  });

  it('waits in the time of the page for a page that loads, before the first look', async () => {
    const loading = (ms: number): string =>
      pageWith(
        '<div id="area">loading</div>',
        `WOB_TASK_READY = false; genProblem = function () { setTimeout(function () { document.getElementById('area').innerHTML = ${JSON.stringify(go('1'))}; WOB_TASK_READY = true; }, ${ms}); }`,
      );
    await onPage(loading(2500), async ({ env, opening }) => {
      expect(describeObservation(opening.observation)).not.toContain('loading');
      expect(
        await env.step({ kind: 'click', element: named(opening, 'button', /go/) }, context),
      ).toMatchObject({ outcome: 'solved' });
    });
    expect(await faultOf(onPage(loading(1e9), async () => undefined))).toMatchObject({
      kind: 'task-broken',
      where: expect.stringMatching(/^page page-/) as string,
      message: expect.stringContaining('WOB_TASK_READY did not become true within 60000 ms') as string,
    });
  });

  it.each([
    ['1000', '1000'],
    ['-1.5', '-1.5'],
    ['NaN', 'NaN'],
    ["'1'", '"1"'],
    ['undefined', 'undefined'],
    ['{}', 'an object'],
  ])('faults the task as broken when the reward is %s', async (pays, shown) => {
    const fault = await faultOf(
      onPage(pageWith(go(pays.replaceAll('"', "'"))), async ({ env, opening }) =>
        env.step({ kind: 'click', element: named(opening, 'button', /go/) }, context),
      ),
    );
    expect(fault).toMatchObject({
      kind: 'task-broken',
      where: `page page-${pages}`,
      message: expect.stringContaining(`WOB_RAW_REWARD_GLOBAL ${shown}, and rewards`) as string,
    });
  });

  it.each([
    'Number.isFinite = function () { return true; }; WOB_RAW_REWARD_GLOBAL = NaN; WOB_DONE_GLOBAL = true',
    'String.prototype.slice = function () { return {}; }; WOB_RAW_REWARD_GLOBAL = []; WOB_DONE_GLOBAL = true',
  ])('names the page that changes what its outcome is read by: %s', async (script) => {
    const fault = await faultOf(
      onPage(pageWith(`<button onclick="${script}">go</button>`), async ({ env, opening }) =>
        env.step({ kind: 'click', element: named(opening, 'button', /go/) }, context),
      ),
    );
    expect(fault).toMatchObject({
      kind: 'task-broken',
      where: `page page-${pages}`,
      message: expect.stringContaining('it changed what its outcome is read by') as string,
    });
  });

  it('names the page whose problem cannot be drawn', async () => {
    const fault = await faultOf(
      onPage(pageWith('', "genProblem = function () { throw new Error('no luck'); }"), async () => undefined),
    );
    expect(fault).toMatchObject({
      kind: 'task-broken',
      where: `page page-${pages}`,
      message: expect.stringContaining('Error: no luck') as string,
    });
  });

  it.each([
    ['that of the core', ''],
    ['that of the core, restarted', 'core.startEpisodeReal();'],
    [
      'one that the page starts instead',
      'clearTimeout(core.EP_TIMER); core.EP_TIMER = setTimeout(function () { core.endEpisode(-1); }, 700);',
    ],
    [
      'one of the page that is as long',
      'setTimeout(function () { core.endEpisode(-1); }, core.EPISODE_MAX_TIME);',
    ],
  ])('lets no time limit end an episode when time does not count: %s', async (_whose, restart) => {
    await onPage(
      pageWith(`<button onclick="${restart}">anew</button>${go('1, true')}`),
      async ({ env, opening }) => {
        await env.step({ kind: 'click', element: named(opening, 'button', /anew/) }, context);
        for (let time = 0; time < 30; time += 1)
          expect(await env.step(wait, context)).toMatchObject({ kind: 'ongoing' });
        expect(
          await env.step({ kind: 'click', element: named(opening, 'button', /go/) }, context),
        ).toMatchObject({ outcome: 'solved', reward: { total: 1 }, metrics: { timed: 0 } });
      },
    );
  });

  it('keeps a time limit that is part of the page, and what its timers pay', async () => {
    const moving = pageWith(
      '<p id="moves">0</p>',
      `var moves = 0; genProblem = function () { (function move() { moves += 1; document.getElementById('moves').textContent = moves; setTimeout(moves === 4 ? function () { core.endEpisode(-0.5); } : move, core.EPISODE_MAX_TIME / 5); })(); };`,
    );
    await onPage(
      moving,
      async ({ env }) => {
        for (let time = 0; time < 3; time += 1)
          expect(await env.step(wait, context)).toMatchObject({ kind: 'ongoing' });
        expect(await env.step(wait, context)).toMatchObject({ kind: 'terminated', reward: { total: -0.5 } });
      },
      { actionMs: 2000 },
    );
  });

  it('goes on in a document that changes its address, and keeps the ids of its elements', async () => {
    const page = pageWith(
      `<button onclick="history.pushState({}, '', '/elsewhere/two'); this.remove()">next</button>${go('1')}`,
    );
    await onPage(page, async ({ env, opening }) => {
      const element = named(opening, 'button', /go/);
      const next = await env.step({ kind: 'click', element: named(opening, 'button', /next/) }, context);
      expect(next).toMatchObject({ kind: 'ongoing', observation: { url: '/elsewhere/two' } });
      expect(named(next, 'button', /go/)).toBe(element);
      await env.step({ kind: 'back' }, context);
      expect(await env.step({ kind: 'click', element }, context)).toMatchObject({ outcome: 'solved' });
    });
  });

  it.each(['about:blank', 'page-elsewhere.html', '?again'])(
    'faults the task as broken when a page leaves itself for %s while it starts',
    async (address) => {
      const leaving = pageWith(
        go('1'),
        `genProblem = function () { location.href = ${JSON.stringify(address)}; }`,
      );
      expect(await faultOf(onPage(leaving, async ({ env }) => env.step(wait, context)))).toMatchObject({
        kind: 'task-broken',
        message: expect.stringMatching(/navigated away|could not be started|has no/) as string,
      });
    },
  );

  it('fails the episode when a page changes its address and reloads', async () => {
    const page = pageWith(
      `<button onclick="history.pushState({}, '', '?two'); location.reload()">again</button>`,
    );
    await onPage(page, async ({ env, opening }) =>
      expect(
        await env.step({ kind: 'click', element: named(opening, 'button', /again/) }, context),
      ).toMatchObject({ kind: 'terminated', reward: { total: -1 } }),
    );
  });
});
