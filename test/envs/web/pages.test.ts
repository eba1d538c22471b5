import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import { BrowserEngine } from '../../../envs/engines/browser/browser-engine.ts';
import type { PageView } from '../../../envs/engines/browser/episode-browser.ts';
import type { PageAction } from '../../../envs/engines/browser/page-action.ts';
import { nodesOf, renderTree } from '../../../envs/engines/browser/page-tree.ts';
import { webPages, type WebPage } from '../../../envs/web/pages.ts';
import { staticPages } from '../../../envs/web/static-pages.ts';
import { root } from '../../support/command-line.ts';
import { forAll, openPage, play, startPage, type Outcome, type Stage } from './play-page.ts';

const site = path.join(root, 'envs', 'web', 'site');
const atOnce = 4;
let stage: Stage;

beforeAll(async () => {
  const handler = await staticPages(site);
  // Tall enough that the longest form is seen without scrolling.
  stage = { engine: await BrowserEngine.open({ viewport: { width: 800, height: 6000 } }), handler };
});
afterAll(() => stage.engine.close());

/** Long forms take as many steps a seed as all other pages together. */
const seedsOf = ({ name }: WebPage): readonly number[] => {
  const count = { 'fill-form-20': 5, 'fill-form-50': 2, 'fill-form-100': 2 }[name] ?? 10;
  return Array.from({ length: count }, (_, seed) => seed);
};

/** What each page is, in the order of the catalogue, long ones begun first. */
const eachPage = async <Result>(work: (page: WebPage) => Promise<Result>): Promise<readonly Result[]> => (await forAll(webPages.toReversed(), atOnce, work)).toReversed();

describe('our pages', () => {
  it('are those of the folder', async () => {
    const files = await readdir(path.join(site, 'pages'));
    expect(webPages.map(({ name }) => `${name}.html`).toSorted()).toEqual(files.filter((file) => file.endsWith('.html')).toSorted());
    expect(new Set(webPages.map(({ difficulty }) => difficulty))).toEqual(new Set([1, 2, 3, 4, 5]));
  });

  it('are solved by their solutions', { timeout: 300_000 }, async () => {
    const lost = await eachPage(async (page) => {
      const browser = await openPage(stage, page.name);
      const wrong: unknown[] = [];
      for (const seed of seedsOf(page)) {
        const memory = new Map<string, string>();
        const played = await play(await startPage(browser, page.name, seed), (view, instruction) => page.solve({ view, instruction, memory }), 150);
        if (played.raw !== 1 || played.reward <= 0 || played.reward > 1 || played.refusals.length > 0) wrong.push({ page: page.name, seed, played });
      }
      await browser.close();
      return wrong;
    });
    expect(lost.flat()).toEqual([]);
    expect(stage.engine.launches).toBe(1);
  });

  it('are the same for a seed, and others for others', { timeout: 300_000 }, async () => {
    const drawn = await eachPage(async ({ name }) => {
      const browser = await openPage(stage, name);
      const [first, second] = [await startPage(browser, name, 3), await startPage(browser, name, 3)];
      const instructions = new Set<string>();
      // Pages whose instruction says little hide what they draw: their trees tell them apart, or how they were drawn.
      for (let seed = 0; seed < 20; seed += 1) {
        instructions.add(String(await browser.read(`Math.seedrandom(${seed}); core.startEpisodeReal(); core.getUtterance() + core.byId('area').innerText + core.randi(0, 1e9)`, new AbortController().signal)));
      }
      await browser.close();
      const shown = (view: PageView): string => renderTree(view.content).join('\n').replaceAll(/\[e\d+\] /g, '');
      return { name, isSame: first.instruction === second.instruction && shown(first.view) === shown(second.view), others: instructions.size };
    });
    expect(drawn.filter(({ isSame, others }) => !isSame || others < 18)).toEqual([]);
  });

  it('pay nobody who clicks at random', { timeout: 300_000 }, async () => {
    const rng = createRng(11);
    const won = await forAll(webPages.filter(({ difficulty }) => difficulty > 1), atOnce, async ({ name }) => {
      const browser = await openPage(stage, name);
      let wins = 0;
      for (let seed = 100; seed < 103; seed += 1) {
        const chance = rng.fork(name).fork(seed);
        const played = await play(await startPage(browser, name, seed), (view) => randomClick(view, () => chance.uniform()), 5);
        wins += played.raw === 1 ? 1 : 0;
      }
      await browser.close();
      return wins;
    });
    // At most one in five by a lucky click on the pages of one click, and hardly any on the others.
    expect(won.reduce((sum, wins) => sum + wins, 0)).toBeLessThan(won.length * 3 * 0.15);
  });

  it('end with -1 after ten seconds of their own clock', async () => {
    const browser = await openPage({ ...stage, actionMs: 3_000 }, 'enter-text');
    const started = await startPage(browser, 'enter-text', 1); // three seconds are over
    const wait = (): PageAction => ({ kind: 'tab', tab: 1 });
    const early = await play(started, wait, 2);
    expect(early).toMatchObject({ done: false, raw: 0 });
    const late = await play(started, wait, 2);
    expect(late).toMatchObject({ done: true, raw: -1, reward: -1, reason: 'out of time', steps: 1 } satisfies Partial<Outcome> & { steps: number });
    await browser.close();
  });

  it('pay less the more time has gone, and all of it as raw reward', async () => {
    const browser = await openPage({ ...stage, actionMs: 1_000 }, 'click-button');
    const started = await startPage(browser, 'click-button', 1);
    const solve = webPages.find(({ name }) => name === 'click-button')?.solve;
    const memory = new Map<string, string>();
    const played = await play(started, (view, instruction) => solve?.({ view, instruction, memory }) ?? { kind: 'back' }, 2);
    expect(played).toMatchObject({ done: true, raw: 1, reason: 'right' });
    expect(played.reward).toBeCloseTo(0.9, 2); // one second for the look at the page, none yet for the click
    await browser.close();
  });
});

/** Clicks something that can be clicked. */
function randomClick(view: PageView, draw: () => number): PageAction {
  const nodes = [...nodesOf(view.content)].filter(({ role }) => ['button', 'link', 'checkbox', 'radio', 'tab', 'menuitem', 'option', 'img', 'generic'].includes(role));
  const node = nodes[Math.floor(draw() * nodes.length)];
  return node === undefined ? { kind: 'press', key: 'Tab' } : { kind: 'click', element: node.id };
}
