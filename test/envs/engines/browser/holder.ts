import { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';

// Holds a browser with two episodes open until it is ended from outside, or its input ends.

const engine = await BrowserEngine.open({ viewport: { width: 300, height: 200 } });
const page = (): Response => new Response('<button>b</button>', { headers: { 'content-type': 'text/html' } });
for (let number = 0; number < 2; number += 1) {
  const episode = await engine.episode(
    page,
    { seed: number, actionMs: 0, patienceMs: 20_000, screenshots: false },
    new AbortController().signal,
  );
  await episode.open('/', new AbortController().signal);
}
process.stdin.on('end', () => void engine.close());
process.stdin.resume();
console.log('open');
