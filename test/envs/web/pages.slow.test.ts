// Slow: plays every built-in page in a browser.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import { BrowserEngine } from '../../../envs/engines/browser/session/browser-engine.ts';
import type { EpisodeBrowser } from '../../../envs/engines/browser/session/episode-browser.ts';
import type { PageView } from '../../../envs/engines/browser/view/page-view.ts';
import type { PageAction } from '../../../envs/engines/browser/actions/page-action.ts';
import { nodesOf, renderTree } from '../../../envs/engines/browser/view/page-tree.ts';
import { webPages, type WebPage } from '../../../envs/web/pages.ts';
import { staticPages } from '../../../envs/web/static-pages.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { root } from '../../support/run-program.ts';
import { forAll, openPage, play, startPage, type Outcome, type Stage } from './play-page.ts';

const site = path.join(root, 'envs', 'web', 'site');
const atOnce = 4;
let stage: Stage;

let reports: readonly Report[] = [];

/** The results of all trials of a page. */
interface Report {
  readonly name: string;
  /** Episodes that its solution did not solve. */
  readonly lost: readonly unknown[];
  readonly isSameBySeed: boolean;
  /** The number of different problems among twenty seeds. */
  readonly problems: number;
  /** Whether a random click has won. */
  readonly luckyWins: number;
}

async function report(page: WebPage): Promise<Report> {
  const browser = await openPage(stage, page.name);
  const first = await startPage(browser, page.name, 0);
  const problems = await browser.read(drawTwenty, new AbortController().signal);
  const again = await startPage(browser, page.name, 0);
  const isSameBySeed = first.instruction === again.instruction && shown(first.view) === shown(again.view);
  const lost = await playAll(page, browser);
  const luckyWins = await playAtRandom(page, browser);
  await browser.close();
  return { name: page.name, lost, isSameBySeed, problems: Number(problems), luckyWins };
}

/** Counts problems by instruction and content. Hidden problems appear in neither, and differ in the next draw. */
const drawTwenty = `new Set(Array.from({ length: 20 }, (_, seed) => {
  Math.seedrandom(seed);
  core.startEpisodeReal();
  const isHidden = /guess-number|hover-cards/.test(location.pathname);
  return core.getUtterance() + core.byId('area').innerHTML + (isHidden ? Math.random() : '');
})).size`;

/** A page without its ids, which keep counting within a document. */
const shown = (view: PageView): string =>
  renderTree(view.content)
    .join('\n')
    .replaceAll(/\[e\d+\] /g, '');

/** A long form takes as many steps for a seed as many other pages together. */
const seedsOf: Readonly<Record<string, number>> = {
  'fill-form-20': 2,
  'fill-form-50': 1,
  'fill-form-100': 1,
};

async function playAll({ name, solve }: WebPage, browser: EpisodeBrowser): Promise<readonly unknown[]> {
  const lost: unknown[] = [];
  for (let seed = 0; seed < (seedsOf[name] ?? 2); seed += 1) {
    const memory = new Map<string, string>();
    const played = await play(
      await startPage(browser, name, seed),
      (view, instruction) => solve({ view, instruction, memory }),
      150,
    );
    if (played.raw !== 1 || played.reward <= 0 || played.reward > 1 || played.refusals.length > 0)
      lost.push({ seed, played });
  }
  return lost;
}

async function playAtRandom({ name }: WebPage, browser: EpisodeBrowser): Promise<number> {
  const chance = createRng(11).fork(name);
  let wins = 0;
  for (let seed = 100; seed < 101; seed += 1) {
    const played = await play(
      await startPage(browser, name, seed),
      (view) => randomClick(view, chance.fork(seed).uniform()),
      1,
    );
    wins += played.raw === 1 ? 1 : 0;
  }
  return wins;
}

await describeWithParts(['chromium'], 'the built-in pages', () => {
  beforeAll(async () => {
    const handler = await staticPages(site);
    stage = { engine: await BrowserEngine.open({ viewport: { width: 800, height: 600 } }), handler };
    reports = await forAll(webPages.toReversed(), atOnce, report); // long ones first
  });
  afterAll(() => stage.engine.close());

  it('match the files of their folder', async () => {
    const files = await readdir(path.join(site, 'pages'));
    expect(webPages.map(({ name }) => `${name}.html`).toSorted()).toEqual(
      files.filter((file) => file.endsWith('.html')).toSorted(),
    );
    expect(new Set(webPages.map(({ difficulty }) => difficulty))).toEqual(new Set([1, 2, 3, 4, 5]));
  });

  it('play to success by their solutions, in one browser', () => {
    expect(reports.filter(({ lost }) => lost.length > 0)).toEqual([]);
    expect(reports).toHaveLength(webPages.length);
    expect(stage.engine.launches).toBe(1);
  });

  it('repeat for a seed and differ for others', () => {
    expect(reports.filter(({ isSameBySeed }) => !isSameBySeed)).toEqual([]);
    expect(
      reports.filter(({ problems }) => problems < 18).map(({ name, problems }) => [name, problems]),
    ).toEqual([]);
  });

  it('seldom pay for a random click', () => {
    // Pages for one click have five to ten clickable elements. All others take more clicks.
    expect(reports.reduce((sum, { luckyWins }) => sum + luckyWins, 0)).toBeLessThan(7); // of 45
  });

  it('end with -1 after ten seconds of their own clock', async () => {
    const browser = await openPage({ ...stage, actionMs: 3_000 }, 'enter-text');
    const started = await startPage(browser, 'enter-text', 1);
    const wait = (): PageAction => ({ kind: 'tab', tab: 1 });
    const early = await play(started, wait, 3);
    expect(early).toMatchObject({ done: false, raw: 0 });
    const late = await play(started, wait, 3);
    expect(late).toMatchObject({
      done: true,
      raw: -1,
      reward: -1,
      reason: 'out of time',
      steps: 1,
    } satisfies Partial<Outcome> & { steps: number });
    await browser.close();
  });

  it('pay nearly the whole reward for a right click in the first second', async () => {
    const browser = await openPage({ ...stage, actionMs: 1_000 }, 'click-button');
    const started = await startPage(browser, 'click-button', 1);
    const solve = webPages.find(({ name }) => name === 'click-button')?.solve;
    const memory = new Map<string, string>();
    const played = await play(
      started,
      (view, instruction) => solve?.({ view, instruction, memory }) ?? { kind: 'back' },
      2,
    );
    expect(played).toMatchObject({ done: true, raw: 1, reason: 'right' });
    expect(played.reward).toBeCloseTo(1, 2); // the click comes before its own second
    await browser.close();
  });
});

/** Clicks something that can be clicked. */
function randomClick(view: PageView, draw: number): PageAction {
  const nodes = [...nodesOf(view.content)].filter(({ role }) =>
    ['button', 'link', 'checkbox', 'radio', 'tab', 'menuitem', 'option', 'img', 'generic'].includes(role),
  );
  const node = nodes[Math.floor(draw * nodes.length)];
  return node === undefined ? { kind: 'press', key: 'Tab' } : { kind: 'click', element: node.id };
}
