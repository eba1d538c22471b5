/** Milliseconds that a browser keeps between timers that follow one another (HTML standard, 8.6). */
const shortestInterval = 4;

/**
 * What runs in every document of an episode before its own scripts: chance from a seed, all clocks alike, nothing that moves by itself, no way around the gateway. It comes as text,
 * because it runs in the page.
 *
 * Chance is mulberry32 over 32 bits of seed (Tommy Ettinger, public domain): pages want reproducible draws, not strong ones. There are no workers: they have clocks and
 * a pace of their own, so that what they tell a page, and when, would never be the same twice. Answers to `fetch` are read to their end, since a load counts until then.
 */
export const quietScript = (seed: number): string => `(() => {
  let state = ${seed >>> 0};
  const chance = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = () => chance();
  const { getRandomValues } = Crypto.prototype;
  Crypto.prototype.getRandomValues = function (array) {
    getRandomValues.call(this, array); // which refuses what it does not take
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let place = 0; place < bytes.length; place += 1) bytes[place] = chance() * 256;
    return array;
  };
  const begun = Date.now(); // by now the clock is the one that stands still
  performance.now = () => Date.now() - begun;
  Object.defineProperty(performance, 'timeOrigin', { value: begun });
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => performance.now() });
  Object.defineProperty(DocumentTimeline.prototype, 'currentTime', { get: () => performance.now() });
  globalThis.File = class extends File {
    constructor(parts, name, how) {
      super(parts, name, { lastModified: Date.now(), ...how });
    }
  };
  const { fetch } = globalThis;
  globalThis.fetch = async (...how) => {
    const answer = await fetch(...how);
    answer.clone().arrayBuffer().catch(() => undefined); // an answer that nobody reads does not end, and would be waited for
    return answer;
  };
  const { setInterval, setTimeout, requestAnimationFrame, requestIdleCallback, reportError } = globalThis;
  const guarded = (handler) => (...values) => {
    try {
      if (typeof handler === 'function') handler.apply(globalThis, values);
      else (0, eval)(String(handler));
    } catch (thrown) {
      reportError(thrown); // as a browser does; else it would be the clock that failed
    }
  };
  globalThis.setTimeout = (handler, ms, ...rest) => setTimeout(guarded(handler), ms, ...rest);
  globalThis.setInterval = (handler, ms, ...rest) => setInterval(guarded(handler), Math.max(${shortestInterval}, Number(ms) || 0), ...rest); // else a clock of ours never gets past one of 0
  globalThis.requestAnimationFrame = (handler) => requestAnimationFrame(guarded(handler));
  globalThis.requestIdleCallback = (handler, options) => requestIdleCallback(guarded(handler), options);
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'Worker', 'SharedWorker']) delete globalThis[name];
  const atEnd = (animation) => {
    try {
      animation.finish();
    } catch {
      animation.pause(); // one without an end stays at its start
      animation.currentTime = 0;
    }
    return animation;
  };
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    return atEnd(animate.apply(this, how));
  };
  for (const name of ['play', 'reverse']) {
    const original = Animation.prototype[name];
    Animation.prototype[name] = function () {
      original.call(this);
      atEnd(this);
    };
  }
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation-duration: 0s !important; animation-delay: 0s !important; transition: none !important; scroll-behavior: auto !important; caret-color: transparent !important; }');
  document.adoptedStyleSheets = [still];
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (how) {
    const root = attachShadow.call(this, how);
    root.adoptedStyleSheets = [still];
    return root;
  };
})();`;
