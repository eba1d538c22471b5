import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageView } from '../../../../../envs/engines/browser/view/page-view.ts';
import { renderTree } from '../../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../../support/system-part.ts';
import { noAbort, onPage, openEngine } from '../browse.ts';
import { readFixture } from '../../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'the bounds of a view', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const viewOf = async (page: string): Promise<PageView> =>
    onPage(engine, page, async (episode) => episode.look(noAbort));
  const nested = (tag: string, deep: number, within = 'document.body'): string =>
    `<script>{ let node = ${within}; for (let deep = 0; deep < ${deep}; deep += 1) { const inner = node.namespaceURI.endsWith('svg') ? document.createElementNS(node.namespaceURI, 'g') : document.createElement('${tag}'); node.append(inner); node = inner; } node.append('deep'); }</script>`;
  const deep = /^The page is too deep: what lies in more than 700 elements/;

  it.each([
    ['boxes', `<button>b</button>${nested('div', 2000)}`],
    ['texts', `<button>b</button>${nested('span', 4000)}`],
    [
      'a box that scrolls',
      `<button>b</button><div id="box" style="height:9px;overflow:auto"></div>${nested('div', 1500, 'box')}`,
    ],
    [
      'a drawing',
      `<button>b</button><svg id="svg" onclick="0" width="9" height="9"></svg>${nested('g', 3000, 'svg')}`,
    ],
  ])('report %s that are too deep, and show the rest', async (_what, page) => {
    const view = await viewOf(page);
    expect(renderTree(view.content)[0]).toBe('[e1] button "b"');
    expect(renderTree(view.content).join(' ')).not.toContain('deep');
    expect(view.said).toEqual([expect.stringMatching(deep)]);
  });

  it('allow the depth of an HTML parser, and deep lists', async () => {
    const view = await viewOf(
      `${'<div>'.repeat(500)}<p>inside</p>${'</div>'.repeat(500)}<select aria-label="s" id="s"><option>one<optgroup disabled label="g"><option>two</optgroup></select>${nested('div', 1500, 's.options[0]')}`,
    );
    expect([renderTree(view.content), view.said]).toEqual([
      ['inside', '[e1] combobox "s" of "onedeep" (chosen), "two" (disabled)'],
      [],
    ]);
  });

  it('allow 5,000 elements and report how many are left out', async () => {
    const view = await viewOf(readFixture('pages/view-bounds/has-5-000-elements-at-most-and-says.html'));
    expect([view.content.length, renderTree(view.content).at(-1), view.said]).toEqual([
      5000,
      '[e5000] button "b4999"',
      ['The page is too large: 3000 or more of its elements, those that come last, are not shown.'],
    ]);
  });

  it('cut overlong titles and texts, and report it', async () => {
    const view = await viewOf(
      readFixture('pages/view-bounds/cuts-titles-and-texts-that-nobody-reads-and.html'),
    );
    expect([view.title, view.tabs]).toEqual([`${'t'.repeat(1000)}…`, [view.title]]);
    expect(renderTree(view.content)).toEqual([
      `${'p'.repeat(100_000)}…`,
      `[e1] textbox "t" holds "${'v'.repeat(99_999)}" multiline`,
    ]);
    expect(view.said).toEqual([expect.stringMatching(/^Texts of the page are too long/)]);
  });

  it('allow a million characters', async () => {
    const view = await viewOf(
      `<body><script>document.body.innerHTML = '<p>${'p'.repeat(9)}</p>'; for (let place = 0; place < 20; place += 1) { const p = document.createElement('p'); p.textContent = 'q'.repeat(99000); document.body.append(p); }</script>`,
    );
    expect(renderTree(view.content).join('').length).toBeLessThan(1_000_100);
    expect(view.said).toHaveLength(1);
  });
});
