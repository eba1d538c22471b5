// Slow: waits in real time for pages that load late.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { nodesOf, renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { idOf, noAbort, onPage, onePage, openEngine } from './browse.ts';
import { readFixture } from '../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'a page that loads more after its load event', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  /** A black picture in BMP, a format without compression. */
  const picture = (width: number, height: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(54 + width * height * 4);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, 0x424d);
    for (const [at, value] of [
      [2, bytes.length],
      [10, 54],
      [14, 40],
      [18, width],
      [22, height],
    ] as const)
      view.setUint32(at, value, true);
    view.setUint16(26, 1, true);
    view.setUint16(28, 32, true);
    return bytes;
  };

  /** The page and its resources. Each answer is delayed, some of them long. */
  const site = (html: string): PageHandler => {
    let asked = 0;
    return async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/') return onePage(html)(request);
      await new Promise((resolve) => setTimeout(resolve, [0, 40, 3, 15][(asked += 1) % 4]));
      if (pathname === '/late.css')
        return new Response('#x::after { content: "late" } #x { background: url(b.bmp); padding: 9px }', {
          headers: { 'content-type': 'text/css' },
        });
      if (pathname.endsWith('.bmp'))
        return new Response(picture(240, 40), { headers: { 'content-type': 'image/bmp' } });
      if (pathname.endsWith('.js'))
        return new Response('export default 1', { headers: { 'content-type': 'text/javascript' } });
      if (pathname === '/frame') return onePage('<img src="a.bmp"><p>framed')(request);
      return new Response('text');
    };
  };

  const button = (script: string): string =>
    `<div id="x"></div><button id="go">go</button><script>go.onclick = () => { ${script} }</script>`;

  const visit = async (html: string, clicks: number): Promise<string> =>
    onPage(
      engine,
      site(html),
      async (episode, content) => {
        const seen = [content];
        for (let click = 0; click < clicks; click += 1)
          seen.push(
            (await episode.act({ kind: 'click', element: idOf(content, 'button', 'go') }, noAbort)).view
              .content,
          );
        return JSON.stringify(
          seen.map((each) => [renderTree(each), [...nodesOf(each)].map(({ id, box }) => [id, box])]),
        );
      },
      { patienceMs: 30_000 },
    );

  const time = "x.append(' ' + (Date.now() - performance.timeOrigin))";

  it.each([
    ['pictures', button(`x.innerHTML = '<img src="a.bmp"><img src="b.bmp">'`), /img.*240x40/],
    [
      'pictures from styles',
      `<style>.i { content: url(a.bmp) } .j { content: url(b.bmp) }</style>${button(`x.innerHTML = '<i class="i"></i><i class="j"></i>'`)}`,
      /240,40/,
    ],
    [
      'a picture from a style at load',
      `<style>.i { content: url(a.bmp) }</style>${button('')}<script>onload = () => (x.innerHTML = '<i class="i"></i>')</script>`,
      /240,40/,
    ],
    [
      'a style sheet',
      button(
        `document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="late.css">'); x.textContent = 'styled'`,
      ),
      /styled ?late/,
    ],
    [
      'a chain of answers and timers',
      button(
        `fetch('1').then((r) => r.text()).then(() => fetch('2')).then((r) => r.text()).then(() => { ${time}; setTimeout(() => { fetch('3').then((r) => r.text()).then((t) => { ${time}; setTimeout(() => ${time}, 30); }) }, 20) })`,
      ),
      /100 120 150 200 220 250/,
    ],
    [
      'answers between ticks of a timer',
      `${button(`fetch('1').then((r) => r.text()).then(() => ${time})`)}<script>setInterval(() => fetch('2').then((r) => r.text()).then(() => ${time}), 10)</script>`,
      /200/,
    ],
    [
      'answers before their timers',
      button(`setTimeout(() => Promise.race([fetch('1').then((r) => r.text()), new Promise((done) => setTimeout(done, 30, 'late'))]).then((t) => { x.append(t); ${time} }), 10);
      setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', '2'); r.onload = () => ${time}; r.send(); setTimeout(() => r.abort(), 5) }, 20); setTimeout(() => fetch('http://other.test/').catch(() => ${time}), 30)`),
      /text 110 120 130/,
    ],
    [
      'answers on a page with a later refresh',
      `<meta http-equiv="refresh" content="60">${button('')}<script>fetch('1').then((r) => r.text()).then((t) => x.append(t), (thrown) => x.append(thrown))</script>`,
      /"text"/,
    ],
    ['a frame', button(`x.innerHTML = '<iframe src="frame"></iframe>'`), /framed/],
    [
      'an answer whose body is not read',
      button(`fetch('1').then((r) => { x.textContent = r.status })`),
      /200/,
    ],
    [
      'an answer that a timer waits for',
      button(
        `setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', '1', false); r.send(); x.textContent = r.responseText }, 10)`,
      ),
      /text/,
    ],
  ])('shows %s, the same each time', async (_what, html, shown) => {
    const alone: string[] = [];
    for (let time = 0; time < 2; time += 1) alone.push(await visit(html, 2));
    const together = await Promise.all(Array.from({ length: 2 }, async () => visit(html, 2)));
    expect(new Set([...alone, ...together])).toEqual(new Set([alone[0]]));
    expect(alone[0]).toMatch(shown);
  });

  /** Runs a step `times` times in sequence and then logs the time. Each step calls `next` when it ends. */
  const again = (times: number, step: string): string =>
    `let n = 0; const next = () => { if ((n += 1) > ${times}) { ${time}; return } ${step} }; next();`;
  const messages = `const c = new MessageChannel(); c.port1.onmessage = () => next(); ${again(1000, 'c.port2.postMessage(1)')}`;
  const database = `const open = indexedDB.open('a'); open.onupgradeneeded = () => open.result.createObjectStore('s');
    open.onsuccess = () => { const on = (how) => open.result.transaction('s', how).objectStore('s'); ${again(10, "on('readwrite').put(n, 'k').onsuccess = () => { on('readonly').get('k').onsuccess = next }")} };`;
  const file = again(
    5,
    "const reader = new FileReader(); reader.onload = next; reader.readAsDataURL(new Blob(['x'.repeat(1e6)]))",
  );
  const canvas = again(
    2,
    "const d = document.createElement('canvas'); d.width = d.height = 500; d.toBlob(next)",
  );
  const observers = again(
    3,
    "const p = document.createElement('p'); x.after(p); new IntersectionObserver((_, on) => { on.disconnect(); new ResizeObserver((_, on) => { on.disconnect(); next() }).observe(p) }).observe(p)",
  );

  it.each([
    ['a chain of messages', button(messages), /"100 200"/],
    ['a database', button(database), /"100 200"/],
    ['files that are read', button(file), /"100 200"/],
    ['pictures out of canvases', button(canvas), /"100 200"/],
    ['observers', button(observers), /"100 200"/],
    [
      'details that open and close',
      `<details id="d"><summary>s</summary>in</details>${button(again(20, 'd.ontoggle = next; d.open = !d.open'))}`,
      /"100 200"/,
    ],
    [
      'a dialog that closes',
      `<dialog id="d">d</dialog>${button(again(3, 'd.onclose = next; d.showModal(); d.close()'))}`,
      /"100 200"/,
    ],
    [
      'a selection that changes',
      `<input id="i" value="abc">${button(again(3, 'document.onselectionchange = () => { document.onselectionchange = null; next() }; i.setSelectionRange(0, n % 3)'))}`,
      /"100 200"/,
    ],
    ['repeated imports of a script', button(again(20, "import('/m.js').then(next)")), /"100 200"/],
    [
      'repeated pictures',
      button(again(10, "const i = new Image(); i.onload = next; i.src = 'a.bmp'")),
      /"100 200"/,
    ],
    [
      'a lazy picture',
      `<style>i { display: block; height: 1500px }</style>${button(`x.innerHTML = '<i></i><img loading="lazy" src="a.bmp">'; x.lastChild.onload = () => { ${time} }`)}`,
      /img.*"100".*"200"/,
    ],
    [
      'a scrolled element',
      `<div id="s" style="height: 50px; overflow: auto"><p style="height: 900px">tall</p></div>${button(again(4, 's.onscroll = next; s.scrollTop += 20'))}`,
      /"100 200"/,
    ],
    [
      'a scrolled element of a shadow tree',
      `<div id="h"></div>${button(`const s = h.shadowRoot.firstChild; ${again(4, 's.onscroll = next; s.scrollTop += 20')}`)}<script>h.attachShadow({ mode: 'open' }).innerHTML = '<div style="height: 50px; overflow: auto"><p style="height: 900px">tall</p></div>'</script>`,
      /"100 200"/,
    ],
    [
      'history steps',
      button(
        again(
          3,
          "onpopstate = next; history.pushState(n, '', '#' + n); history.pushState(0, '', '#last'); history.back()",
        ),
      ),
      /"100 200"/,
    ],
    [
      'all of these started by timers',
      button(
        `setTimeout(() => { ${messages} }, 20); setTimeout(() => { ${database} }, 30); setTimeout(() => { ${file} }, 40); setTimeout(() => { ${canvas} }, 50); setTimeout(() => { ${observers} }, 60); setInterval(() => { x.title += 1 }, 1)`,
      ),
      /"120 130 140 150 160 220 230 240 250 260"/,
    ],
  ])('becomes stable after %s, the same each time on a busy machine', async (_what, html, shown) => {
    const busy = Array.from({ length: 2 }, () => new Worker('for (;;);', { eval: true }));
    try {
      const seen = await Promise.all(Array.from({ length: 2 }, async () => visit(html, 2)));
      expect(new Set(seen)).toEqual(new Set([seen[0]]));
      expect(seen[0]).toMatch(shown);
    } finally {
      await Promise.all(busy.map(async (worker) => worker.terminate()));
    }
  });

  it.each([
    [
      'bodies that never come',
      `setInterval(() => new Response(new ReadableStream()).text(), 10); setInterval(() => (x.textContent = Date.now() % 1e5 - 67200000 % 1e5), 10)`,
      '200',
    ],
    [
      'an endless chain of files',
      `const read = () => new Blob(['x']).text().then(read); read(); x.textContent = 'read'`,
      'read',
    ],
    [
      'steps back inside a frame',
      `const frame = document.body.appendChild(document.createElement('iframe')); frame.srcdoc = 'in'; let n = 0; go.onclick = () => { history.pushState(0, '', '#top'); for (let at = 0; at < 9; at += 1) frame.contentWindow.location.hash = at;
      frame.contentWindow.onpopstate = () => (x.textContent = 'back ' + (n += 1)); for (let ms = 10; ms < 90; ms += 10) setTimeout(() => history.back(), ms) }`,
      'back 8',
    ],
  ])('plays on with %s', async (_what, script, shown) => {
    expect(
      await visit(`<div id="x"></div><button id="go">go</button><script>${script}</script>`, 2),
    ).toContain(shown);
  });

  it.each([
    [
      'messages',
      'const c = new MessageChannel(); c.port1.onmessage = () => c.port2.postMessage(1); c.port2.postMessage(1)',
    ],
    ['yields', '(async () => { for (;;) await scheduler.yield() })()'],
    [
      'high-priority tasks',
      "const post = () => scheduler.postTask(post, { priority: 'user-blocking' }); post()",
    ],
    [
      'yields of a high-priority task',
      "scheduler.postTask(async () => { for (;;) await scheduler.yield() }, { priority: 'user-blocking' })",
    ],
  ])('reports that it never rests for %s, and plays on', async (_what, script) => {
    const html = `<p>ready</p><script>${script}; setTimeout(() => document.body.append('later'), 150)</script>`;
    await onPage(engine, site(html), async (episode) => {
      const { view } = await episode.act({ kind: 'wait' }, noAbort);
      expect([renderTree(view.content), view.said]).toEqual([
        ['ready', 'later'],
        ['The page never comes to rest: it is seen as it was at some moment.'],
      ]);
    });
  });

  it('plays on when a page yields until its clock advances', async () => {
    expect(
      await visit(
        button(
          `const t = Date.now(); (async () => { while (Date.now() - t < 50) await scheduler.yield(); ${time} })()`,
        ),
        2,
      ),
    ).toMatch(/"200".*"200 300"/);
  });

  it('keeps the order of high-priority tasks, however many', async () => {
    const html = button(
      `const seen = []; const note = (n) => seen.push(n); for (let n = 0; n < 500; n += 1) scheduler.postTask(() => note(n), { priority: 'user-blocking' }); scheduler.postTask(() => setTimeout(() => (x.textContent = seen.every((n, at) => n === at) && seen.length)))`,
    );
    expect(await visit(html, 2)).toContain('"500"');
  });

  it('refreshes by its own clock only, and at once when a script navigates', async () => {
    const html = readFixture('pages/loading/sends-itself-elsewhere-by-its-own-clock-alone.html');
    const shown = async (action: PageAction): Promise<string> =>
      onPage(
        engine,
        onePage(html),
        async (episode) => {
          if (action.kind === 'wait') await new Promise((resolve) => setTimeout(resolve, 1500)); // in real time
          const views = [await episode.act(action, noAbort), await episode.act({ kind: 'wait' }, noAbort)];
          return views.map(({ view }) => renderTree(view.content)[0]).join();
        },
        { actionMs: 400 },
      );
    expect(await shown({ kind: 'wait' })).toBe('here,there');
    expect(await shown({ kind: 'click', element: 'e1' })).toBe('there,there');
  });

  it('plays on when the page requests more without end', async () => {
    const html = button(
      `const ask = () => fetch('1').then((r) => r.text()).then(ask); ask(); x.textContent = 'asks'`,
    );
    expect(await visit(html, 2)).toMatch(/asks/);
  });
});
