// Slow: plays each page twice with pauses in real time.
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { idOf, noAbort, onePage, onPage, openEngine } from './browse.ts';

await describeWithParts(['chromium'], 'a page played twice', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** What is shown at first and after an action, and pictures of both, with a while of ours before each. */
  const play = async (page: string, ms: number): Promise<unknown> =>
    onPage(
      engine,
      page,
      async (episode) => {
        await pause(ms);
        const first = await episode.look(noAbort);
        await pause(ms);
        const { view } = await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
        return [first, view].map(({ content, screenshot }) => [
          renderTree(content),
          createHash('sha256')
            .update(screenshot ?? '')
            .digest('hex'),
        ]);
      },
      { screenshots: true },
    );

  it.each([
    [
      'random values',
      `<p id="p"></p><script>p.textContent = [...crypto.getRandomValues(new Uint32Array(3))] + ' ' + crypto.getRandomValues(new Uint8Array(9)).join() + (crypto.randomUUID?.() ?? '')</script>`,
    ],
    [
      'animations by script',
      `<div id="d" style="width:50px;height:50px;background:red"></div><p id="p">-</p><script>d.animate([{ marginLeft: 0 }, { marginLeft: '200px' }], { duration: 500, fill: 'forwards' }).onfinish = () => (p.textContent = 'done');
      p.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 700, iterations: Infinity }); new Animation(new KeyframeEffect(d, [{ width: '1px' }, { width: '300px' }], 900)).play()</script>`,
    ],
    [
      'animations of a shadow tree',
      `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<style>@keyframes k { to { margin-left: 200px } } div { width: 50px; height: 50px; background: red; animation: k 1s infinite }</style><div></div>'</script>`,
    ],
    [
      "SVG's own animations",
      `<svg width="400" height="99"><rect width="40" height="40" fill="red"><animate attributeName="x" from="0" to="300" dur="1s" repeatCount="indefinite"/></rect></svg><script>document.body.insertAdjacentHTML('beforeend', '<svg width="400" height="99"><rect width="40" height="40" fill="blue"><animate attributeName="x" from="0" to="300" dur="1s" repeatCount="indefinite"/></rect></svg>')</script>`,
    ],
    [
      'pictures that move',
      `<img width="400" height="99" src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="99"><rect width="40" height="40"><animate attributeName="x" from="0" to="300" dur="1s" repeatCount="indefinite"/></rect></svg>')}">`,
    ],
    [
      'clocks of all kinds',
      `<p id="p"></p><script>p.textContent = [Date.now(), performance.now(), document.timeline.currentTime, new Event('x').timeStamp, Temporal.Now.instant(), new Date().toString(), performance.timeOrigin, new File([], 'f').lastModified, document.lastModified]</script>`,
    ],
    [
      'what comes by itself',
      `<p id="p"></p><script>fetch('/x').then((r) => p.append([...r.headers].join(';'))); p.append(location.href)</script>`,
    ],
  ])('shows the same of %s', async (_what, page) => {
    expect(await play(page, 300)).toEqual(await play(page, 30));
  });

  it('finishes animations by script at once, and holds those without an end at their start', async () => {
    const page = `<div id="d">d</div><div id="e">e</div><script>const a = d.animate([{ opacity: 0 }, { opacity: 0.5 }], { duration: 500, fill: 'forwards' }), b = e.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: 500, iterations: Infinity })</script>`;
    await onPage(engine, page, async (episode) =>
      expect(
        await episode.read(
          '[a.playState, getComputedStyle(d).opacity, b.playState, getComputedStyle(e).opacity]',
          noAbort,
        ),
      ).toEqual(['finished', '0.5', 'paused', '0.25']),
    );
  });

  it('counts what has an id of chance elsewhere', async () => {
    const page = `<canvas id="c"></canvas><script>(async () => {
      history.pushState(0, '', '#a'); const { key } = navigation.currentEntry; history.pushState(0, '', '#b'); const replaced = navigation.currentEntry.id; history.replaceState(0, '', '#c');
      const entries = navigation.entries(); globalThis.told = []; navigation.onnavigate = ({ destination }) => told.push(destination.key === key, destination.id === entries[1].id);
      await navigation.traverseTo(key).finished; told.push(location.hash, navigation.currentEntry.key === key, replaced !== entries[2].id, new Set(entries.flatMap(({ key, id }) => [key, id])).size);
      const stream = c.captureStream(); const [track] = stream.getTracks(); told.push(stream.getTrackById(track.id) === track, stream.id, track.id, track.label, ...entries.flatMap(({ key, id }) => [key, id])) })()</script>`;
    const told = async (): Promise<unknown> =>
      onPage(engine, page, async (episode) => episode.read('told', noAbort));
    const first = await told();
    expect(first).toEqual([
      true,
      true,
      '#a',
      true,
      true,
      6,
      true,
      ...Array.from({ length: 9 }, () => expect.any(String) as string),
    ]);
    expect(await told()).toEqual(first);
  });

  it('has no ids of chance in the addresses of what it makes and shows', async () => {
    await onPage(
      engine,
      `<button>go</button><script>document.querySelector('button').onclick = () => (location.href = URL.createObjectURL(new Blob(['<p>made'], { type: 'text/html' })))</script>`,
      async (episode) => {
        const { view } = await episode.act({ kind: 'click', element: 'e1' }, noAbort);
        expect([view.url, ...renderTree(view.content)]).toEqual(['blob:', 'made']);
      },
    );
  });

  it('has the same size of a window that is new', async () => {
    const sizes = await Promise.all(
      Array.from({ length: 4 }, async () =>
        onPage(engine, '<script>globalThis.size = [outerWidth, outerHeight]</script>', async (episode) =>
          episode.read('size', noAbort),
        ),
      ),
    );
    expect(new Set(sizes.map(String))).toEqual(new Set(['800,600']));
  });

  it('stops what scrolls by itself', async () => {
    await onPage(
      engine,
      '<marquee direction="right" bgcolor="red">words</marquee>',
      async (episode) => {
        await pause(500);
        const { screenshot } = await episode.look(noAbort);
        await pause(500);
        expect((await episode.look(noAbort)).screenshot).toBe(screenshot);
      },
      { screenshots: true },
    );
  });

  it('has number fields whose arrows turn once with a click, and never by how long a drag holds them', async () => {
    await onPage(
      engine,
      '<input id="field" type="number" style="width:100px;height:20px"><p id="there" style="width:30px">there</p>',
      async (episode) => {
        const at = { x: 97, y: 18 };
        const act = async (action: PageAction): Promise<unknown> => {
          await episode.act(action, noAbort);
          return episode.read('field.value', noAbort);
        };
        expect(await act({ kind: 'drag', element: 'e1', at, to: 'e2' })).toBe('');
        expect(await act({ kind: 'click', element: 'e1', at })).toBe('-1');
        expect(await act({ kind: 'click', element: 'e1', at })).toBe('-2');
        expect(await act({ kind: 'drag', element: 'e1', at, to: 'e2' })).toBe('-2');
      },
    );
  });

  it('has come to rest under the mouse before that is pressed', async () => {
    const page = `<style>#b { display: inline-block; } #b:hover { content: url(/late.svg); }</style><div id="told">-</div><span id="b" onclick="told.textContent = 'clicked'">press</span>
      <script>for (const kind of ['mousedown', 'mouseup']) b.addEventListener(kind, () => (document.title += kind + ';'))</script>`;
    const site: PageHandler = async (request) => {
      if (!request.url.endsWith('.svg')) return onePage(page)(request);
      await pause(300);
      return new Response('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>', {
        headers: { 'content-type': 'image/svg+xml' },
      });
    };
    await onPage(engine, site, async (episode, content) => {
      const { view } = await episode.act(
        { kind: 'click', element: idOf(content, 'generic', 'press') },
        noAbort,
      );
      expect([view.title, renderTree(view.content).join(' ')]).toEqual([
        'mousedown;mouseup;',
        expect.stringContaining('clicked'),
      ]);
    });
  });

  it('has a mouse', async () => {
    await onPage(engine, '<p>p', async (episode) =>
      expect(await episode.read("matchMedia('(hover: hover) and (pointer: fine)').matches", noAbort)).toBe(
        true,
      ),
    );
  });

  it('has no workers, which have clocks and a pace of their own', async () => {
    await onPage(engine, '<iframe srcdoc="<p>in"></iframe>', async (episode) =>
      expect(
        await episode.read('[typeof Worker, typeof SharedWorker, typeof frames[0].Worker]', noAbort),
      ).toEqual(['undefined', 'undefined', 'undefined']),
    );
  });

  it('goes on where its own timers fail, with all others and all of the time', async () => {
    const page = `<p id="p"></p><script>let ticks = 0; const errors = []; addEventListener('error', (e) => errors.push(e.message));
      setInterval(() => undefined.toFixed(2), 10); setInterval(() => (ticks += 1), 10); setTimeout('fails()', 20); setTimeout('ticks += 1000', 30); requestAnimationFrame(() => { throw new Error('frame') }); requestIdleCallback(() => { throw new Error('idle') }); </script>`;
    await onPage(engine, page, async (episode) => {
      expect(
        await episode.read(
          '[ticks, Date.now() - performance.timeOrigin, new Set(errors).size, errors.length]',
          noAbort,
        ),
      ).toEqual([1010, 100, 4, 13]);
      await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
      expect(await episode.read('ticks', noAbort)).toBe(1020);
    });
  });

  it('has many timers, of which it looks at few to find the next', async () => {
    const page = `<script>let asked = 0, n = 0; Object.defineProperty(document, 'defaultView', { get: () => { asked += 1; return window } }); for (let ms = 0; ms < 2000; ms += 1) setTimeout(() => (n += 1), ms / 25)</script>`;
    await onPage(engine, page, async (episode) =>
      expect(await episode.read('[n, asked < 20000]', noAbort)).toEqual([2000, true]),
    );
  });

  it('has frames at once without a sign of it', async () => {
    const page = `<p id="p"></p><script>const seen = []; const look = () => seen.push(getComputedStyle(document.documentElement).overscrollBehavior); new ResizeObserver(look).observe(p); for (const kind of ['DOMContentLoaded', 'load', 'keydown', 'keyup', 'focusin']) addEventListener(kind, look); setInterval(() => { look(); p.style.height = seen.length + 'px' }, 9)</script><button>b</button>`;
    await onPage(engine, page, async (episode) => {
      for (let time = 0; time < 3; time += 1) await episode.act({ kind: 'press', key: 'Tab' }, noAbort);
      expect(await episode.read('[seen.length > 50, ...new Set(seen)]', noAbort)).toEqual([true, 'auto']);
    });
  });

  it('has many timers beside observers', async () => {
    const page = `<p id="p"></p><script>new ResizeObserver(() => undefined).observe(p); let n = 0; setInterval(() => { n += 1; p.style.height = 10 + n % 9 + 'px'; p.textContent = n }, 4)</script>`;
    await onPage(engine, page, async (_episode, content) => expect(renderTree(content)).toEqual(['1000']), {
      actionMs: 4000,
    });
  });

  it('has many timers beside a clock of another origin', async () => {
    const ticking = `<p id=p></p><script>let n = 0; for (const ms of [1, 2, 3, 4]) setTimeout(() => setInterval(() => (p.textContent = n += 1), 4), ms)</script>`; // each millisecond
    await onPage(
      engine,
      `${ticking}<iframe sandbox="allow-scripts" srcdoc="${ticking}"></iframe>`,
      async (_episode, content) => expect(renderTree(content).join(' ')).toContain('1996 [e1] frame "1996"'),
      { actionMs: 2000 },
    );
  });

  it('goes on where the page opens its document anew', async () => {
    const page = `<button onclick="document.open(); document.write('<p>new</p>');">open</button><script>setInterval(() => (document.querySelector('button').title = 'still here'), 20)</script>`;
    await onPage(
      engine,
      page,
      async (episode) => {
        expect(
          renderTree((await episode.act({ kind: 'click', element: 'e1' }, noAbort)).view.content),
        ).toEqual(['new']);
        expect(renderTree((await episode.act({ kind: 'press', key: 'Tab' }, noAbort)).view.content)).toEqual([
          'new',
        ]);
      },
      { patienceMs: 4000 },
    );
  });

  describe('beside three others, while all cores are at work', () => {
    const work: Worker[] = [];
    beforeAll(
      () => void work.push(...Array.from({ length: 2 }, () => new Worker('for (;;);', { eval: true }))),
    );
    afterAll(async () => void (await Promise.all(work.map(async (worker) => worker.terminate()))));

    const press: PageAction = { kind: 'press', key: 'Enter' };
    const wait: PageAction = { kind: 'wait' };
    /** What the page said, and when, after two actions: `say` appends a word and the time, and `go` is called by the first. */
    const told = async (
      page: string,
      actions: readonly PageAction[],
      others: Readonly<Record<string, string>>,
    ): Promise<string> => {
      const html = `<p id="x" style="position: fixed"></p><button id="b" autofocus>b</button><script>globalThis.say = (word) => x.append(word + '@' + performance.now() + ' ')</script>${page}<script>b.onclick = () => go()</script>`;
      const site: PageHandler = (request) => onePage(others[new URL(request.url).pathname] ?? html)(request);
      return onPage(engine, site, async (episode) => {
        for (const action of actions) await episode.act(action, noAbort);
        return String(await episode.read('x.textContent.trim()', noAbort));
      });
    };

    it.each<
      [
        what: string,
        page: string,
        expected: string,
        how?: {
          readonly actions?: readonly PageAction[];
          readonly others?: Readonly<Record<string, string>>;
        },
      ]
    >([
      [
        'frames',
        `<script>const go = () => { let n = 0; const frame = (at) => { say(at); if ((n += 1) < 3) requestAnimationFrame(frame) }; requestAnimationFrame(frame); cancelAnimationFrame(requestAnimationFrame(() => say('never'))) }</script>`,
        '112@112 128@128 144@144',
      ],
      [
        'frames after times that are no multiple of theirs',
        `<script>const go = () => setTimeout(() => requestAnimationFrame((at) => say(at)), 33)</script>`,
        '144@144',
      ],
      [
        'listeners that read the clock often',
        `<script>for (const kind of ['keydown', 'keypress', 'click', 'keyup', 'pointerdown', 'mousedown', 'pointerup', 'mouseup']) addEventListener(kind, () => { for (let n = 0; n < 6000; n += 1) Date.now(); say(kind) }); const go = () => undefined</script>`,
        'keydown@100 keypress@100 click@100 keyup@100 pointerdown@200 mousedown@200 pointerup@200 mouseup@200 click@200',
        { actions: [press, { kind: 'click', element: 'e1' }] },
      ],
      [
        'a listener that reads the clock often, and makes events amid it',
        `<script>addEventListener('focusin', () => undefined); const go = () => { const t = Date.now(); for (let n = 0; Date.now() - t < 5 && n < 2e4; n += 1) n % 2 ? b.blur() : b.focus(); say('end') }</script>`,
        'end@106',
      ],
      [
        'a page that sends itself elsewhere in a month',
        `<meta http-equiv="refresh" content="2592000"><script>sessionStorage.n = Number(sessionStorage.n ?? 0) + 1; const go = () => say(sessionStorage.n)</script>`,
        '1@100',
      ],
      [
        'the timers of two documents',
        `<iframe srcdoc="<script>for (const ms of [105, 110, 120]) setTimeout(() => parent.say('in'), ms); setTimeout(() => requestAnimationFrame(() => parent.say('in frame')), 101)</script>"></iframe><script>const go = () => { for (const ms of [5, 15, 20]) setTimeout(() => say('out'), ms); requestAnimationFrame(() => say('frame')) }</script>`,
        'in@105 out@105 in@110 frame@112 in frame@112 out@115 in@120 out@120',
      ],
      [
        'the timers of a document of another origin',
        `<iframe sandbox="allow-scripts" srcdoc="<script>for (const ms of [110, 120]) setTimeout(() => parent.postMessage('in', '*'), ms)</script>"></iframe><script>onmessage = ({ data }) => say(data); const go = () => { for (const ms of [5, 15]) setTimeout(() => say('out'), ms) }</script>`,
        'out@105 in@110 out@115 in@120',
      ],
      [
        'another tab',
        `<script>const channel = new BroadcastChannel('a'); channel.onmessage = ({ data }) => say(data); const go = () => open('/other')</script>`,
        'at 100@100 at 125@100 at 150@100 at 175@100 at 200@100 at 225@200 at 250@200 at 275@200 at 300@200',
        {
          actions: [press, wait],
          others: {
            '/other': `<script>const told = new BroadcastChannel('a'); const tell = () => { told.postMessage('at ' + (Date.now() % 1e5 - 67200000 % 1e5)) }; tell(); setInterval(tell, 25)</script>`,
          },
        },
      ],
      [
        'loops that wait for the clock',
        `<script>const go = () => { const t = Date.now(); while (Date.now() - t < 30); say('done'); setTimeout(() => { while (performance.now() < 150); say('later') }, 10) }</script>`,
        'done@131 later@151',
      ],
      [
        'tasks that are put off',
        `<script>const go = () => { scheduler.postTask(() => say('later'), { delay: 50 }); scheduler.postTask(() => say('now')); const gone = new TaskController(); scheduler.postTask(() => say('never'), { delay: 20, signal: gone.signal }).catch(({ name }) => say(name)); gone.abort(); AbortSignal.timeout(40).onabort = () => say('abort') }</script>`,
        'AbortError@100 now@100 abort@140 later@150',
      ],
      [
        'messages amid timers',
        `<script>const { port1, port2 } = new MessageChannel(); let n = 0; port1.onmessage = () => ((n += 1) % 50 === 0 ? say(n) : port2.postMessage(0)); const go = () => { for (const ms of [10, 20]) setTimeout(() => { say('t'); port2.postMessage(0) }, ms) }</script>`,
        't@110 50@110 t@120 100@120',
      ],
      [
        'idle callbacks',
        `<script>const go = () => requestIdleCallback((deadline) => { let n = 0; while (deadline.timeRemaining() > 0) n += 1; say(n) })</script>`,
        '49@100',
      ],
      [
        'smooth scrolling',
        `<div id="s" style="height:50px;overflow:auto"><div style="height:900px"></div><p id="low">low</p></div><div style="height:2000px"></div><script>const go = () => { s.scrollTo({ top: 300, behavior: 'smooth' }); say(s.scrollTop); s.scrollBy({ top: -100, behavior: 'smooth' }); say(s.scrollTop); scrollTo({ top: 20, behavior: 'smooth' }); say(scrollY); low.scrollIntoView({ behavior: 'smooth', block: 'start' }); say(s.scrollTop > 500) }</script>`,
        '300@100 200@100 20@100 true@100',
      ],
      [
        'scrolling by keys and wheel',
        `<div style="height:3000px"></div><script>const go = () => undefined; addEventListener('scroll', () => say(scrollY))</script>`,
        '525@100 1005@200',
        {
          actions: [
            { kind: 'press', key: 'PageDown' },
            { kind: 'scroll', direction: 'down' },
          ],
        },
      ],
      [
        'animations by style sheets',
        `<style>@keyframes k { to { opacity: 0 } } .k { animation: k 2s 3 } .f { animation: k 1s infinite forwards }</style><i id="i">i</i><i id="j">j</i><script>i.onanimationstart = i.onanimationend = j.onanimationend = (event) => say(event.type + getComputedStyle(event.target).opacity); const go = () => { i.className = 'k'; setTimeout(() => (j.className = 'f'), 30) }</script>`,
        'animationstart1@100 animationend1@100 animationend0@200',
        { actions: [press, wait] },
      ],
      [
        'animations of shadow trees that are written out',
        `<div id="i"><template shadowrootmode="open"><style>@keyframes k { to { opacity: 0.5 } } b { animation: k 2s forwards }</style><b>b</b></template></div><script>const go = () => say(getComputedStyle(i.shadowRoot.querySelector('b')).opacity)</script>`,
        '0.5@100',
      ],
      [
        'animations by script that are held and given up',
        `<script>const go = () => { const tell = (name, of) => Object.assign(of, { onfinish: () => say(name + 'finish'), oncancel: () => say(name + 'cancel') }); const frames = [{ opacity: 0 }, { opacity: 1 }]; tell('held', x.animate(frames, 500)).pause(); tell('gone', x.animate(frames, 500)).cancel(); const back = tell('back', x.animate(frames, 500)); back.reverse(); back.pause(); back.play() }</script>`,
        'gonecancel@112 backfinish@112',
      ],
      [
        'letters typed where selections are heard of',
        `<input id="f"><script>let n = 0; const go = () => { document.addEventListener('selectionchange', () => (n += 1)); f.onchange = () => say(n) }</script>`,
        '13@300',
        {
          actions: [
            press,
            { kind: 'type', element: 'e2', text: 'abcdefghijkl' },
            { kind: 'press', key: 'Enter' },
          ],
        },
      ],
      [
        'steps in the history',
        `<script>onerror = say; onpopstate = ({ state }) => say('at' + state); const go = () => { history.pushState(1, '', '/one'); history.pushState(2, '', '/two'); history.back() }</script>`,
        'at1@100',
      ],
      [
        'what is asked for without options',
        `<script>const go = () => { requestIdleCallback(() => say('idle'), null); scheduler.postTask(() => say('task'), null) }</script>`,
        'task@100 idle@100',
      ],
      [
        'animations of shadow trees with sheets of their own',
        `<div id="i"></div><script>const sheet = new CSSStyleSheet(); sheet.replaceSync('@keyframes k { to { opacity: 0 } } .k { animation: k 2s; transition: all 1s }'); const root = i.attachShadow({ mode: 'open' }); root.adoptedStyleSheets = [sheet]; document.adoptedStyleSheets = [sheet]; root.innerHTML = '<b>b</b>'; root.firstChild.addEventListener('animationend', () => say('end')); const go = () => (root.firstChild.className = 'k')</script>`,
        'end@100',
      ],
      [
        'animations by script',
        `<script>const go = () => { const a = x.animate([{ opacity: 0 }, { opacity: 1 }], 300); a.onfinish = () => say('finish'); a.finished.then(() => say('finished')); const c = x.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300, fill: 'forwards' }); c.oncancel = () => say('cancel'); c.finished.catch(() => undefined); c.cancel(); document.startViewTransition(() => say('update')).finished.then(() => say('done')) }</script>`,
        'finished@100 update@100 done@100 finish@112 cancel@112',
      ],
      [
        'what is refused',
        `<script>const go = () => { navigator.geolocation.getCurrentPosition(() => say('here'), ({ code }) => say('position' + code)); Notification.requestPermission().then(say); x.requestFullscreen().catch(() => say('full')); document.createElement('video').play().catch(() => say('play')); const words = new SpeechSynthesisUtterance('a'); words.onerror = ({ error }) => say(error); speechSynthesis.speak(words) }</script>`,
        'denied@100 full@100 play@100 position1@100 not-allowed@100',
      ],
      [
        'media',
        `<script>const go = () => { for (const of of ['a.mp3', 'data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=']) Object.assign(new Audio(of), { onerror: () => say('error'), onloadedmetadata: () => say('loaded') }); const sound = new AudioContext(); sound.onstatechange = () => say('state'); sound.resume(); setTimeout(() => say(sound.state + sound.currentTime), 60) }</script>`,
        'error@100 error@100 suspended0@160',
      ],
      [
        'measurements of time',
        `<script>const go = () => { performance.mark('m'); new PerformanceObserver(() => say('entries')).observe({ entryTypes: ['resource', 'mark', 'longtask'] }); setTimeout(() => { say(performance.measure('d', 'm').duration); say(JSON.stringify(performance.getEntries().map(({ startTime, duration }) => [startTime, duration]))); say(performance.timing.loadEventEnd - performance.timing.navigationStart) }, 30) }</script>`,
        '30@130 [[100,0],[100,30]]@130 0@130',
      ],
      [
        'a document that is left',
        `<script>const go = () => { setInterval(() => (localStorage.n = Number(localStorage.n ?? 0) + 1), 10); setTimeout(() => (location.href = '/other'), 50) }</script>`,
        '10 200 0',
        {
          others: {
            '/other': `<p id="x"></p><script>x.textContent = localStorage.n + ' ' + (Date.now() % 1e5 - 67200000 % 1e5) + ' ' + performance.now()</script>`,
          },
        },
      ],
      [
        'a page that sends itself elsewhere',
        `<meta http-equiv="refresh" content="0; url=/other"><script>const go = () => undefined</script>`,
        '100',
        {
          actions: [],
          others: {
            '/other': `<p id="x"></p><script>x.textContent = Date.now() % 1e5 - 67200000 % 1e5</script>`,
          },
        },
      ],
    ])('says the same of %s', async (_what, page, expected, { actions = [press], others = {} } = {}) => {
      const all = await Promise.all(Array.from({ length: 3 }, async () => told(page, actions, others)));
      expect([...new Set(all)]).toEqual([expected]);
    });
  });
});
