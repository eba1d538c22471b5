import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../../envs/engines/browser/session/browser-engine.ts';
import type { EpisodeBrowser } from '../../../../../envs/engines/browser/session/episode-browser.ts';
import { describeWithParts } from '../../../../support/system-part.ts';
import { noAbort, onPage, openEngine } from '../browse.ts';
import { readFixture } from '../../../../support/read-fixture.ts';

const fields = readFixture('pages/clipboard/fields.html');

await describeWithParts(['chromium'], 'the clipboard of an episode', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const press = async (episode: EpisodeBrowser, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await episode.act({ kind: 'press', key }, noAbort);
  };

  it('belongs to one episode and starts empty', async () => {
    const page = fields.replace('<input', '<input value="of one"');
    await onPage(engine, page, async (one) => {
      await press(one, 'Control+a', 'Control+c');
      await onPage(engine, fields, async (other) => {
        await press(other, 'Control+v');
        expect(await other.read('from.value', noAbort)).toBe('');
        await other.act({ kind: 'type', element: 'e1', text: 'of other' }, noAbort);
        await press(other, 'Control+a', 'Control+c', 'Tab', 'Control+v');
        expect(await other.read('to.value', noAbort)).toBe('of other');
      });
      await press(one, 'Tab', 'Control+v');
      expect(await one.read('to.value', noAbort)).toBe('of one');
    });
    await onPage(engine, fields, async (later) => {
      await press(later, 'Control+v', 'Control+Shift+v');
      expect(await later.read('from.value', noAbort)).toBe('');
    });
  });

  it('takes what is cut and pastes it as the browser does', async () => {
    const page = fields
      .replace('<input', '<input value="words"')
      .replace(
        '[];',
        `[]; for (const name of ['copy', 'cut', 'paste', 'beforeinput', 'input']) addEventListener(name, (e) => log.push(name + ' ' + (e.inputType ?? e.clipboardData.types.length)));`,
      );
    await onPage(engine, page, async (episode) => {
      await press(episode, 'Control+a', 'Shift+Delete', 'Tab', 'Control+v', 'Control+v');
      expect(await episode.read('[from.value, to.value]', noAbort)).toEqual(['', 'wordswords']);
      expect(await episode.read('log', noAbort)).toEqual([
        'cut 0',
        'beforeinput deleteByCut',
        'input deleteByCut',
        ...[1, 2].flatMap(() => ['paste 1', 'beforeinput insertFromPaste', 'input insertFromPaste']),
      ]);
      await press(episode, 'Control+a', 'Control+x', 'Shift+Tab', 'Control+Shift+v');
      expect(await episode.read('[from.value, to.value]', noAbort)).toEqual(['wordswords', '']);
    });
  });

  it('leaves read-only fields unchanged, and keeps its content when nothing is selected', async () => {
    const page = readFixture('pages/clipboard/leaves-fields-as-they-are-that-cannot-be.html');
    await onPage(engine, page, async (episode) => {
      await press(
        episode,
        'Tab',
        'Control+a',
        'Control+c',
        'Control+x',
        'Control+v',
        'Tab',
        'Control+a',
        'Control+c',
        'Tab',
        'Control+c',
        'Control+v',
      );
      expect(await episode.read('[from.value, secret.value, to.value]', noAbort)).toEqual([
        'fixed',
        'secret',
        'fixed',
      ]);
    });
  });

  it('works in editable page text and fields of frames, across tabs and documents', async () => {
    const site = (request: Request): Response => {
      const path = new URL(request.url).pathname;
      const body =
        path === '/'
          ? `<div id="rich" contenteditable>rich</div><a href="/next" target="_blank">open</a><script>rich.focus()</script>`
          : `<iframe srcdoc="<input id=in aria-label=in>"></iframe>`;
      return new Response(`<!doctype html>${body}`, { headers: { 'content-type': 'text/html' } });
    };
    await onPage(engine, site, async (episode) => {
      await press(episode, 'Control+a', 'Control+c', 'Control+v', 'Control+v');
      expect(await episode.read('rich.textContent', noAbort)).toBe('richrich');
      const { view } = await episode.act({ kind: 'click', element: 'e2' }, noAbort);
      expect([view.url, view.tab]).toEqual(['/next', 2]);
      await episode.act({ kind: 'click', element: 'e2' }, noAbort);
      const pasted = await episode.act({ kind: 'press', key: 'Control+v' }, noAbort);
      expect(JSON.stringify(pasted.view.content)).toContain('"value":"rich"');
    });
  });

  it('follows the copy, cut and paste handlers of pages', async () => {
    const page = `${fields}<button onclick="from.select(); log.push(document.execCommand('copy'), document.execCommand('cut'), 'clipboard' in navigator)">both</button><script>
      from.value = 'by script'; to.oncopy = (e) => { e.preventDefault(); e.clipboardData.setData('text/plain', 'instead'); e.clipboardData.setData('text/html', '<b>instead</b>'); };
      to.onpaste = (e) => { if (!e.clipboardData.types.includes('text/html')) return; e.preventDefault(); to.value += '|' + e.clipboardData.getData('text/html'); };</script>`;
    await onPage(engine, page, async (episode) => {
      await episode.act({ kind: 'click', element: 'e3' }, noAbort);
      expect(await episode.read('log', noAbort)).toEqual([true, true, false]); // pages without https have no clipboard object
      expect(await episode.read('from.value', noAbort)).toBe('');
      await episode.act({ kind: 'click', element: 'e2' }, noAbort);
      await press(episode, 'Control+v');
      expect(await episode.read('to.value', noAbort)).toBe('by script');
      await press(episode, 'Control+c', 'Control+v');
      expect(await episode.read('to.value', noAbort)).toBe('by script|<b>instead</b>');
    });
  });

  it('keeps the text of the episode on a page that reopens its document', async () => {
    const page = readFixture('pages/clipboard/stays-the-episodes-on-a-page-that-opens.html');
    await onPage(engine, page, async (episode) => {
      await episode.act({ kind: 'click', element: 'e1' }, noAbort);
      await press(episode, 'Control+c');
      await onPage(engine, fields, async (other) => {
        await press(other, 'Control+v');
        expect(await other.read('from.value', noAbort)).toBe('');
      });
      await press(episode, 'Control+v', 'Control+v');
      expect(await episode.read('from.value', noAbort)).toBe('anewanew');
    });
  });
});
