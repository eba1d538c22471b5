import { frameEvents } from './rest-script.ts';

/** Marks a request that a script waits for, clock and all. */
export const waitingHeader = 'x-cairn-waits';

/**
 * Counts what a document has under way in other threads and processes and will hear of (IndexedDB, files and blobs, pictures out of pixels, WebAssembly, steps in the history), and sees what it
 * has that waits for frames: what {@link restScript | its rest} waits for. It is text that runs after the scripts that hold the document still and before its own.
 */
export const workScript = `
  const { Blob, Uint8Array, atob } = globalThis; // pages put others in their place
  const task = scheduler.postTask.bind(scheduler);
  const ours = new Set();
  const begin = () => {
    const token = {};
    rest.underway.add(token);
    ours.add(token);
    return () => {
      rest.underway.delete(token);
      ours.delete(token);
    };
  };
  addEventListener('pagehide', () => ours.forEach((token) => rest.underway.delete(token)));

  const until = (target, ...types) => {
    const end = begin();
    for (const type of types) target.addEventListener(type, end, { once: true });
  };
  const wrap = (holder, names, around) => {
    for (const name of names) {
      const original = holder?.[name];
      if (typeof original !== 'function') continue;
      holder[name] = { [name](...how) { return around(this, how, () => original.apply(this, how)); } }[name];
    }
  };
  const answered = (_, how, call) => {
    const answer = call();
    const end = begin();
    answer.then(end, end);
    return answer;
  };
  const of = (name) => globalThis[name]?.prototype;

  wrap(of('Blob'), ['text', 'arrayBuffer', 'bytes'], answered);
  for (const body of ['Request', 'Response']) wrap(of(body), ['text', 'json', 'arrayBuffer', 'blob', 'bytes', 'formData'], answered);
  wrap(of('OffscreenCanvas'), ['convertToBlob'], answered);
  wrap(of('HTMLImageElement'), ['decode'], (image, how, call) => (image.complete ? answered(image, how, call) : call())); // one that is loaded waits for the network too
  wrap(of('BaseAudioContext'), ['decodeAudioData'], answered);
  wrap(globalThis, ['createImageBitmap'], answered);
  wrap(WebAssembly, ['compile', 'instantiate'], answered);
  wrap(of('IDBFactory'), ['databases'], answered);
  wrap(of('IDBFactory'), ['open', 'deleteDatabase'], (_, how, call) => {
    const request = call();
    until(request, 'success', 'error', 'blocked');
    return request;
  });
  wrap(of('IDBDatabase'), ['transaction'], (_, how, call) => {
    const transaction = call();
    until(transaction, 'complete', 'abort');
    return transaction;
  });
  wrap(of('FileReader'), ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'], (reader, how, call) => {
    call();
    until(reader, 'loadend');
  });
  const { navigation } = globalThis;
  const steps = { back: () => -1, forward: () => 1, go: (by) => Math.trunc(by) || 0 };
  for (const [name, by] of Object.entries(steps))
    wrap(of('History'), [name], (_, how, call) => {
      const { currentEntry } = navigation;
      const isWithin = currentEntry !== null && navigation.entries()[currentEntry.index + by(...how)]?.sameDocument === true;
      call();
      if (isWithin && by(...how) !== 0) until(globalThis, 'popstate');
    });
  const { setRequestHeader } = XMLHttpRequest.prototype;
  wrap(of('XMLHttpRequest'), ['open'], (request, how, call) => {
    call();
    if (how.length > 2 && !how[2]) setRequestHeader.call(request, '${waitingHeader}', '1');
  });
  wrap(of('HTMLCanvasElement'), ['toBlob'], (canvas, [done, ...how]) => {
    const [head, body] = canvas.toDataURL(...how).split(';base64,'); // the browser's own waits until it is idle, which it may never be
    const blob = body === undefined ? null : new Blob([Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))], { type: head.slice(5) });
    task(guarded(done, [blob]));
  });
  const frameEvents = new Set(${JSON.stringify(frameEvents)});
  const { addEventListener: listen } = EventTarget.prototype;
  const told = () => void (rest.isStirred = true);
  const hear = (target, name) => {
    rest.isHeard = true;
    listen.call(target, name, told, true); // those of shadow trees are not heard outside
  };
  for (const name of frameEvents) listen.call(globalThis, name, told, true);
  wrap(EventTarget.prototype, ['addEventListener'], (target, [name], call) => {
    if (frameEvents.has(name)) hear(target ?? globalThis, name);
    call();
  });
  for (const holder of [globalThis, Document.prototype, HTMLElement.prototype, SVGElement.prototype])
    for (const name of frameEvents) {
      const property = Object.getOwnPropertyDescriptor(holder, 'on' + name);
      if (property?.set === undefined) continue;
      const set = function (handler) {
        hear(this ?? globalThis, name);
        property.set.call(this, handler);
      };
      Object.defineProperty(holder, 'on' + name, { ...property, set });
    }
  for (const name of ['IntersectionObserver', 'ResizeObserver']) {
    const Original = globalThis[name];
    globalThis[name] = { [name]: class extends Original {
      constructor(handler, ...how) {
        const tell = function (...news) {
          told();
          news[0].forEach(timeOf);
          return handler.apply(this, news);
        };
        super(typeof handler === 'function' ? tell : handler, ...how);
        rest.isObserved = true;
      }
      observe(...how) {
        super.observe(...how);
        told();
      }
    } }[name];
  }
`;
