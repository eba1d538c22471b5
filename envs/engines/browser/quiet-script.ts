/** Milliseconds that a browser keeps between timers that follow one another (HTML standard, 8.6). */
const shortestInterval = 4;

/**
 * What runs in every document of an episode before its own scripts: chance from a seed, all clocks alike, nothing that moves by itself, no way around the gateway. It comes as text,
 * because it runs in the page.
 *
 * Chance is mulberry32 over 32 bits of seed (Tommy Ettinger, public domain): pages want reproducible draws, not strong ones.
 */
export const quietScript = (seed: number): string => `(() => {
  let state = ${seed >>> 0};
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const begun = Date.now(); // by now the clock is the one that stands still
  performance.now = () => Date.now() - begun;
  Object.defineProperty(performance, 'timeOrigin', { value: begun });
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => performance.now() });
  const { setInterval } = globalThis;
  globalThis.setInterval = (handler, ms, ...rest) => setInterval(handler, Math.max(${shortestInterval}, Number(ms) || 0), ...rest); // else a clock of ours never gets past one of 0
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) delete globalThis[name];
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation-duration: 0s !important; animation-delay: 0s !important; transition: none !important; scroll-behavior: auto !important; caret-color: transparent !important; }');
  document.adoptedStyleSheets = [still];
})();`;
