import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import { renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { idOf, noAbort, onPage, openEngine } from './browse.ts';
import { readFixture } from '../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'an episode beside a misbehaving one', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const neighbour = '<button onclick="this.textContent = Number(this.textContent) + 1">0</button>';

  /** Clicks a button of a page while another episode goes on. Returns the text of the button afterwards. */
  async function beside(page: string): Promise<string | undefined> {
    return onPage(engine, neighbour, async (good) => {
      const told = await onPage(engine, page, async (bad, content) => {
        const acting = bad.act({ kind: 'click', element: idOf(content, 'button', 'go') }, noAbort);
        acting.catch(() => undefined); // reported by the await below
        for (let step = 0; step < 3; step += 1) await good.act({ kind: 'click', element: 'e1' }, noAbort);
        return renderTree((await acting).view.content)[0];
      });
      expect(renderTree((await good.look(noAbort)).content)).toEqual(['[e1] button "3" focused']);
      expect(engine.launches).toBe(1);
      return told;
    });
  }

  it('goes on beside endless blobs, which are limited to 256 MiB for a tab and its frames', async () => {
    const page = readFixture('pages/neighbours/makes-blobs-without-end-goes-on-those-of.html');
    expect(await beside(page)).toBe('[e1] button "RangeError 6 1" focused');
  });

  it('goes on beside a flood of console output', async () => {
    const page = readFixture('pages/neighbours/tells-those-who-would-debug-it-more-than.html');
    expect(await beside(page)).toBe('[e1] button "80 ran" focused');
  });

  it.each([
    ['nothing', 'new Blob()', 0, ''],
    ['an empty list', 'new Blob([])', 0, ''],
    [
      'texts, bytes and blobs',
      `new Blob(['é', new Uint8Array([65, 66]), new Uint16Array([67]).buffer, new Blob(['x']), 5, null], { type: 'text/plain' })`,
      12,
      'éABC\0x5null',
    ],
    ['any iterable', `new Blob(new Set(['a', 'b']))`, 2, 'ab'],
    ['a file with a name', `new File(['abc'], 'a.txt')`, 3, 'abc'],
  ])('accepts a blob of %s as the browser does', async (_what, made, size, text) => {
    await onPage(
      engine,
      `<p id="p"></p><script>const blob = ${made}; blob.text().then((text) => (p.title = text));</script>`,
      async (episode) => {
        expect(
          await episode.read(
            '[blob.size, p.title, blob instanceof Blob, blob.constructor === (blob.name === undefined ? Blob : File), Object.getPrototypeOf(File) === Blob]',
            noAbort,
          ),
        ).toEqual([size, text, true, true, true]);
      },
    );
    await onPage(engine, '<p id="p"></p>', async (episode) => {
      expect(
        await episode.read(
          `['new Blob(5)', 'new Blob([Symbol()])', 'Blob([])'].map((code) => { try { eval(code); } catch (thrown) { return thrown.name; } })`,
          noAbort,
        ),
      ).toEqual(['TypeError', 'TypeError', 'TypeError']);
    });
  });
});
