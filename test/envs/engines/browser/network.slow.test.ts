// Slow: waits in real time for requests that must not come.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithParts } from '../../../support/system-part.ts';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import { idOf, noAbort, onPage, onePage, openEngine, options } from './browse.ts';

/** Another server on this machine, which no page may ever reach. */
async function openNeighbour(
  host: string,
): Promise<{ readonly server: Server; readonly port: number; readonly reached: string[] }> {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.setHeader('access-control-allow-origin', '*');
    response.end('reached');
  });
  server.on('connection', (socket) => reached.push(`connection from ${socket.remotePort}`));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { server, port: (server.address() as AddressInfo).port, reached };
}

await describeWithParts(['chromium'], 'the network of a page', () => {
  let engine: BrowserEngine;
  let neighbours: readonly Awaited<ReturnType<typeof openNeighbour>>[] = [];
  beforeAll(async () => {
    engine = await openEngine();
    neighbours = [await openNeighbour('127.0.0.1'), await openNeighbour('::1')];
  });
  afterAll(async () => {
    await engine.close();
    for (const { server } of neighbours) server.close();
  });

  /** Runs an attempt in a page, checks that no server was reached, and returns what the page reports. */
  async function attempt(script: string): Promise<unknown> {
    const [four, six] = neighbours.map(({ port }) => port);
    const body = script.replaceAll('PORT4', String(four)).replaceAll('PORT6', String(six));
    const page = `<title>begun</title><script>const tell = (what) => { window.told = String(what); }; ${body}</script>`;
    const told = await onPage(engine, page, async (episode) => {
      for (let round = 0; round < 50; round += 1) {
        const value = await episode.read('window.told', noAbort);
        if (value !== undefined) return value;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return 'nothing was told';
    });
    expect(neighbours.flatMap(({ reached }) => reached)).toEqual([]);
    return told;
  }

  const addresses = [
    'http://127.0.0.1:PORT4/',
    'http://localhost:PORT4/',
    'http://[::1]:PORT6/',
    'http://0.0.0.0:PORT4/',
    'http://127.1:PORT4/',
    'http://2130706433:PORT4/',
    'http://[::ffff:127.0.0.1]:PORT4/',
  ];

  it.each(addresses)('refuses fetch of %s', async (url) => {
    expect(
      await attempt(
        `fetch('${url}').then((r) => r.text()).then((t) => tell('read ' + t), (e) => tell(e.name));`,
      ),
    ).toBe('TypeError');
  });

  it.each([
    'http://example.com/',
    'https://example.com/',
    'http://cairn.test/',
    'http://e999.cairn.test/',
    'http://169.254.169.254/latest/meta-data/',
    'ftp://example.com/',
    'file:///etc/hostname',
  ])('refuses fetch of %s', async (url) => {
    expect(
      await attempt(
        `fetch('${url}').then((r) => r.text()).then((t) => tell('read ' + t), (e) => tell(e.name));`,
      ),
    ).toBe('TypeError');
  });

  it.each([
    [
      'a web socket',
      `const s = new WebSocket('ws://127.0.0.1:PORT4/'); s.onopen = () => tell('open'); s.onerror = () => tell('refused');`,
    ],
    [
      'a secure web socket',
      `const s = new WebSocket('wss://localhost:PORT4/'); s.onopen = () => tell('open'); s.onerror = () => tell('refused');`,
    ],
    [
      'a web socket to its own origin',
      `const s = new WebSocket(location.origin.replace('http', 'ws')); s.onopen = () => tell('open'); s.onerror = () => tell('refused');`,
    ],
    [
      'an event source',
      `const s = new EventSource('http://127.0.0.1:PORT4/'); s.onopen = () => tell('open'); s.onerror = () => tell('refused');`,
    ],
    [
      'an image',
      `const i = new Image(); i.onload = () => tell('open'); i.onerror = () => tell('refused'); i.src = 'http://127.0.0.1:PORT4/i.png';`,
    ],
    [
      'a script',
      `const s = document.createElement('script'); s.onload = () => tell('open'); s.onerror = () => tell('refused'); s.src = 'http://127.0.0.1:PORT4/s.js'; document.head.append(s);`,
    ],
    ['a beacon', `navigator.sendBeacon('http://127.0.0.1:PORT4/b', 'x'); setTimeout(() => tell('sent'), 0);`],
    [
      'a frame',
      `const f = document.createElement('iframe'); f.onload = () => { try { tell('open ' + f.contentDocument.body.textContent); } catch { tell('shut'); } }; f.src = 'http://127.0.0.1:PORT4/'; document.documentElement.append(f);`,
    ],
    [
      'a worker',
      `try { new Worker('http://127.0.0.1:PORT4/w.js').onerror = () => tell('refused'); } catch (e) { tell('refused'); }`,
    ],
    [
      'a service worker',
      `navigator.serviceWorker === undefined ? tell('refused') : navigator.serviceWorker.register('/w.js').then((r) => tell(r === undefined ? 'refused' : 'registered'), () => tell('refused'));`,
    ],
    [
      'WebRTC',
      `try { new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:PORT4' }] }); tell('made'); } catch (e) { tell('refused'); }`,
    ],
    [
      'WebRTC of a frame',
      `const f = document.createElement('iframe'); document.documentElement.append(f); try { new f.contentWindow.RTCPeerConnection(); tell('made'); } catch (e) { tell('refused'); }`,
    ],
    [
      'WebTransport',
      `try { new WebTransport('https://127.0.0.1:PORT4/').ready.then(() => tell('open'), () => tell('refused')); } catch (e) { tell('refused'); }`,
    ],
    [
      'a looked-up name',
      `const l = document.createElement('link'); l.rel = 'dns-prefetch'; l.href = '//secret.example.com'; document.head.append(l); const p = document.createElement('link'); p.rel = 'preconnect'; p.href = 'http://127.0.0.1:PORT4'; document.head.append(p); tell('asked');`,
    ],
  ])('refuses %s', async (_how, script) => {
    expect(await attempt(script)).toMatch(/^(refused|sent|shut|asked)$/);
  });

  it('refuses links, forms and addresses that leave it', async () => {
    const port = neighbours[0]?.port;
    const page = `<a href="http://127.0.0.1:${port}/away">away</a><form action="http://127.0.0.1:${port}/form" method="post"><button>send</button></form>`;
    await onPage(engine, page, async (episode) => {
      const left = await episode.act({ kind: 'click', element: 'e1' }, noAbort);
      expect(left.view.url).not.toContain('away reached');
      expect(
        (await episode.act({ kind: 'goto', url: `http://127.0.0.1:${port}/` }, noAbort)).refusal,
      ).toMatch(/is no address of this site/);
    });
    await onPage(engine, page, (episode) => episode.act({ kind: 'click', element: 'e2' }, noAbort));
    expect(neighbours.flatMap(({ reached }) => reached)).toEqual([]);
  });

  it('hides the pages of another episode, whatever the way and address', async () => {
    const asked: string[] = [];
    const other = await engine.episode(
      (request) => {
        asked.push(`${request.method} ${request.url}`);
        return onePage('<p>secret</p>')(request);
      },
      options,
      noAbort,
    );
    await other.open('/', noAbort);
    const address = String(await other.read('location.origin', noAbort));
    asked.length = 0;
    const ownAddresses = new Set<string>();
    for (const name of [
      address,
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `http://e${number}.cairn.test`),
    ]) {
      const page = `<iframe src="${name}/frame"></iframe><img src="${name}/image"><a href="${name}/link">go</a><form method="post" action="${name}/form"><button>send</button></form><button onclick="open('${name}/window')">open</button><script>
        fetch('${name}/fetch', { method: 'POST', mode: 'no-cors', body: 'act' }).catch(() => undefined); navigator.sendBeacon('${name}/beacon', 'x'); new WebSocket('${name}/socket'.replace('http', 'ws'));</script>`;
      await onPage(
        engine,
        (request) =>
          new URL(request.url).pathname === '/' ? onePage(page)(request) : onePage('<p>mine</p>')(request),
        async (episode, content) => {
          ownAddresses.add(String(await episode.read('location.origin', noAbort)));
          expect(JSON.stringify(content)).not.toContain('secret');
          for (const [role, label] of [
            ['button', 'open'],
            ['link', 'go'],
            ['button', 'send'],
          ] as const) {
            const { view } = await episode.act(
              { kind: 'click', element: idOf(content, role, label) },
              noAbort,
            );
            expect(JSON.stringify(view.content)).not.toContain('secret');
            await episode.act({ kind: 'close' }, noAbort);
            await episode.act({ kind: 'goto', url: '/' }, noAbort);
          }
        },
      );
    }
    expect(asked).toEqual([]);
    expect([...ownAddresses]).toEqual([address]); // nothing shown can depend on which episode it is
    await other.close();
  });

  it.each([
    ['send', 'await fetch("/", { method: "POST", body: "x".repeat(4e6) })', 5, 'sent as much as they may'],
    ['load', 'await fetch("/large")', 5, 'loaded as much as they may'],
  ])('limits what a page may %s', async (_what, call, most, why) => {
    const large = 'x'.repeat(60 * 2 ** 20);
    const script = `(async () => { for (let at = 0; at < 9; at += 1) { const answer = ${call}; const text = await answer.text(); if (answer.status === 429) return tell(at + ' ' + text); } tell('all'); })()`;
    const page = onePage(
      `<script>const tell = (what) => { window.told = String(what); }; ${script}</script>`,
    );
    const told = await onPage(
      engine,
      (request) => (request.url.endsWith('/large') ? new Response(large) : page(request)),
      async (episode) => {
        for (let value: unknown; ; await new Promise((resolve) => setTimeout(resolve, 50)))
          if ((value = await episode.read('window.told', noAbort)) !== undefined) return value;
      },
    );
    expect(told).toMatch(new RegExp(`^${most} .*${why}`));
  });
});
