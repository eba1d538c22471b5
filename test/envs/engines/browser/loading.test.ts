import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/browser-engine.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page-handler.ts';
import { nodesOf, renderTree } from '../../../../envs/engines/browser/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { idOf, noAbort, onPage, onePage, openEngine } from './browse.ts';

await describeWithParts(['chromium'], 'a page that loads something after its load event', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  /** Bytes of a picture that has no colours, in a format that needs no packing. */
  const picture = (width: number, height: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(54 + width * height * 4);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, 0x424d);
    for (const [at, value] of [[2, bytes.length], [10, 54], [14, 40], [18, width], [22, height]] as const) view.setUint32(at, value, true);
    view.setUint16(26, 1, true);
    view.setUint16(28, 32, true);
    return bytes;
  };

  /** The page, and what it asks for: each answer takes a while, sometimes a long one. */
  const site = (html: string): PageHandler => {
    let asked = 0;
    return async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/') return onePage(html)(request);
      await new Promise((resolve) => setTimeout(resolve, [0, 40, 3, 15][(asked += 1) % 4]));
      if (pathname === '/late.css') return new Response('#x::after { content: "late" } #x { background: url(b.bmp); padding: 9px }', { headers: { 'content-type': 'text/css' } });
      if (pathname.endsWith('.bmp')) return new Response(picture(240, 40), { headers: { 'content-type': 'image/bmp' } });
      if (pathname === '/frame') return onePage('<img src="a.bmp"><p>framed')(request);
      return new Response('text');
    };
  };

  const button = (script: string): string => `<div id="x"></div><button id="go">go</button><script>go.onclick = () => { ${script} }</script>`;

  const visit = async (html: string, clicks: number): Promise<string> =>
    onPage(engine, site(html), async (episode, content) => {
      const seen = [content];
      for (let click = 0; click < clicks; click += 1) seen.push((await episode.act({ kind: 'click', element: idOf(content, 'button', 'go') }, noAbort)).view.content);
      return JSON.stringify(seen.map((each) => [renderTree(each), [...nodesOf(each)].map(({ id, box }) => [id, box])]));
    });

  const time = "x.append(' ' + (Date.now() - performance.timeOrigin))";

  it.each([
    ['pictures', button(`x.innerHTML = '<img src="a.bmp"><img src="b.bmp">'`), /img.*240x40/],
    ['pictures of styles', `<style>.i { content: url(a.bmp) } .j { content: url(b.bmp) }</style>${button(`x.innerHTML = '<i class="i"></i><i class="j"></i>'`)}`, /240,40/],
    ['a picture of a style in what is made at first', `<style>.i { content: url(a.bmp) }</style>${button('')}<script>onload = () => (x.innerHTML = '<i class="i"></i>')</script>`, /240,40/],
    ['a style sheet', button(`document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="late.css">'); x.textContent = 'styled'`), /styled ?late/],
    ['a chain of answers and timers', button(`fetch('1').then((r) => r.text()).then(() => fetch('2')).then((r) => r.text()).then(() => { ${time}; setTimeout(() => { fetch('3').then((r) => r.text()).then((t) => { ${time}; setTimeout(() => ${time}, 30); }) }, 20) })`), /100 200 200 230 300/],
    ['answers amid the ticks of a clock', `${button(`fetch('1').then((r) => r.text()).then(() => ${time})`)}<script>setInterval(() => fetch('2').then((r) => r.text()).then(() => ${time}), 10)</script>`, /200/],
    ['a frame', button(`x.innerHTML = '<iframe src="frame"></iframe>'`), /framed/],
    ['an answer that nobody reads', button(`fetch('1').then((r) => { x.textContent = r.status })`), /200/],
    ['an answer that a timer waits for', button(`setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', '1', false); r.send(); x.textContent = r.responseText }, 10)`), /text/],
  ])('is shown with %s, each time alike', async (_what, html, shown) => {
    const alone: string[] = [];
    for (let time = 0; time < 3; time += 1) alone.push(await visit(html, 2));
    const together = await Promise.all(Array.from({ length: 16 }, async () => visit(html, 2)));
    expect(new Set([...alone, ...together])).toEqual(new Set([alone[0]]));
    expect(alone[0]).toMatch(shown);
  }, 60_000);

  it('is left where it asks for more without end', async () => {
    const html = button(`const ask = () => fetch('1').then((r) => r.text()).then(ask); ask(); x.textContent = 'asks'`);
    expect(await visit(html, 2)).toMatch(/asks/);
  });
});
