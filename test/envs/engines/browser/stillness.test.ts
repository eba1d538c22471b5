import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/browser-engine.ts';
import { renderTree } from '../../../../envs/engines/browser/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { noAbort, onPage, openEngine } from './browse.ts';

await describeWithParts(['chromium'], 'a page played twice', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** What is shown at first and after an action, and pictures of both, with a while of ours before each. */
  const play = async (page: string, ms: number): Promise<unknown> =>
    onPage(engine, page, async (episode) => {
      await pause(ms);
      const first = await episode.look(noAbort);
      await pause(ms);
      const { view } = await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
      return [first, view].map(({ content, screenshot }) => [renderTree(content), createHash('sha256').update(screenshot ?? '').digest('hex')]);
    }, { screenshots: true });

  it.each([
    ['random values', `<p id="p"></p><script>p.textContent = [...crypto.getRandomValues(new Uint32Array(3))] + ' ' + crypto.getRandomValues(new Uint8Array(9)).join() + (crypto.randomUUID?.() ?? '')</script>`],
    ['animations by script', `<div id="d" style="width:50px;height:50px;background:red"></div><p id="p">-</p><script>d.animate([{ marginLeft: 0 }, { marginLeft: '200px' }], { duration: 500, fill: 'forwards' }).onfinish = () => (p.textContent = 'done');
      p.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 700, iterations: Infinity }); new Animation(new KeyframeEffect(d, [{ width: '1px' }, { width: '300px' }], 900)).play()</script>`],
    ['animations of a shadow tree', `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<style>@keyframes k { to { margin-left: 200px } } div { width: 50px; height: 50px; background: red; animation: k 1s infinite }</style><div></div>'</script>`],
    ['SVG\'s own animations', `<svg width="400" height="99"><rect width="40" height="40" fill="red"><animate attributeName="x" from="0" to="300" dur="1s" repeatCount="indefinite"/></rect></svg><script>document.body.insertAdjacentHTML('beforeend', '<svg width="400" height="99"><rect width="40" height="40" fill="blue"><animate attributeName="x" from="0" to="300" dur="1s" repeatCount="indefinite"/></rect></svg>')</script>`],
    ['pictures that move', `<img width="400" height="99" src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="99"><rect width="40" height="40"><animate attributeName="x" from="0" to="300" dur="1s" repeatCount="indefinite"/></rect></svg>')}">`],
    ['clocks of all kinds', `<p id="p"></p><script>p.textContent = [Date.now(), performance.now(), document.timeline.currentTime, new Event('x').timeStamp, Temporal.Now.instant(), new Date().toString(), performance.timeOrigin, new File([], 'f').lastModified, document.lastModified]</script>`],
    ['what comes by itself', `<p id="p"></p><script>fetch('/x').then((r) => p.append([...r.headers].join(';'))); p.append(location.href)</script>`],
  ])('shows the same of %s', async (_what, page) => {
    expect(await play(page, 300)).toEqual(await play(page, 30));
  });

  it('finishes animations by script at once, and holds those without an end at their start', async () => {
    const page = `<div id="d">d</div><div id="e">e</div><script>const a = d.animate([{ opacity: 0 }, { opacity: 0.5 }], { duration: 500, fill: 'forwards' }), b = e.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: 500, iterations: Infinity })</script>`;
    await onPage(engine, page, async (episode) => expect(await episode.read('[a.playState, getComputedStyle(d).opacity, b.playState, getComputedStyle(e).opacity]', noAbort)).toEqual(['finished', '0.5', 'paused', '0.25']));
  });

  it('has a mouse', async () => {
    await onPage(engine, '<p>p', async (episode) => expect(await episode.read("matchMedia('(hover: hover) and (pointer: fine)').matches", noAbort)).toBe(true));
  });

  it('has no workers, which have clocks and a pace of their own', async () => {
    await onPage(engine, '<iframe srcdoc="<p>in"></iframe>', async (episode) => expect(await episode.read('[typeof Worker, typeof SharedWorker, typeof frames[0].Worker]', noAbort)).toEqual(['undefined', 'undefined', 'undefined']));
  });

  it('goes on where its own timers fail, with all others and all of the time', async () => {
    const page = `<p id="p"></p><script>let ticks = 0; const errors = []; addEventListener('error', (e) => errors.push(e.message));
      setInterval(() => undefined.toFixed(2), 10); setInterval(() => (ticks += 1), 10); setTimeout('fails()', 20); setTimeout('ticks += 1000', 30); requestAnimationFrame(() => { throw new Error('frame') }); requestIdleCallback(() => { throw new Error('idle') }); </script>`;
    await onPage(engine, page, async (episode) => {
      expect(await episode.read('[ticks, Date.now() - performance.timeOrigin, new Set(errors).size, errors.length]', noAbort)).toEqual([1010, 100, 4, 13]);
      await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
      expect(await episode.read('ticks', noAbort)).toBe(1020);
    });
  });

  it('goes on where the page opens its document anew', async () => {
    const page = `<button onclick="document.open(); document.write('<p>new</p>');">open</button><script>setInterval(() => (document.querySelector('button').title = 'still here'), 20)</script>`;
    await onPage(engine, page, async (episode) => {
      expect(renderTree((await episode.act({ kind: 'click', element: 'e1' }, noAbort)).view.content)).toEqual(['new']);
      expect(renderTree((await episode.act({ kind: 'press', key: 'Tab' }, noAbort)).view.content)).toEqual(['new']);
    }, { patienceMs: 4000 });
  });
});
