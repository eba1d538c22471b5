import { siteOrigin } from '../page/site-origin.ts';
import { frameEvents } from './rest-script.ts';

/** Marks a request that a script or the clock waits for, so that the clock waits too. */
export const waitingHeader = 'x-cairn-waits';

/**
 * Counts the work of a document in other threads and processes that it will get results of: requests of
 * scripts, IndexedDB, files and blobs, pictures made of pixels, WebAssembly, steps in the history. It also
 * finds what waits for frames. {@link restScript | Its rest} waits for both. The text runs after the scripts
 * that keep the document still and before its own.
 */
export const workScript = `
  const { Blob, Uint8Array, atob } = globalThis; // pages put others in their place
  const { arrayBuffer } = Response.prototype;
  const task = scheduler.postTask.bind(scheduler);
  const ours = new Set();
  const begin = (kind) => {
    const work = rest.begin(kind);
    ours.add(work);
    return () => {
      rest.end(work);
      ours.delete(work);
    };
  };
  addEventListener('pagehide', () => ours.forEach(rest.end));

  const until = (kind, target, ...types) => {
    const end = begin(kind);
    for (const type of types) target.addEventListener(type, end, { once: true });
  };
  const wrap = (holder, names, around) => {
    for (const name of names) {
      const original = holder?.[name];
      if (typeof original !== 'function') continue;
      holder[name] = { [name](...how) { return around(this, how, () => original.apply(this, how), original); } }[name];
    }
  };
  const answered = (_, how, call, kind) => {
    const answer = call();
    const end = begin(kind);
    answer.then(end, end);
    return answer;
  };
  const of = (name) => globalThis[name]?.prototype;

  wrap(of('Blob'), ['text', 'arrayBuffer', 'bytes'], answered);
  for (const body of ['Request', 'Response']) wrap(of(body), ['text', 'json', 'arrayBuffer', 'blob', 'bytes', 'formData'], answered);
  wrap(of('OffscreenCanvas'), ['convertToBlob'], answered);
  wrap(of('HTMLImageElement'), ['decode'], (image, how, call, kind) => (image.complete ? answered(image, how, call, kind) : call())); // one that is loaded waits for the network too
  wrap(of('BaseAudioContext'), ['decodeAudioData'], answered);
  wrap(globalThis, ['createImageBitmap'], answered);
  wrap(WebAssembly, ['compile', 'instantiate'], answered);
  wrap(of('IDBFactory'), ['databases'], answered);
  wrap(of('IDBFactory'), ['open', 'deleteDatabase'], (_, how, call, kind) => {
    const request = call();
    until(kind, request, 'success', 'error', 'blocked');
    return request;
  });
  wrap(of('IDBDatabase'), ['transaction'], (_, how, call, kind) => {
    const transaction = call();
    until(kind, transaction, 'complete', 'abort');
    return transaction;
  });
  wrap(of('FileReader'), ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'], (reader, how, call, kind) => {
    call();
    until(kind, reader, 'loadend');
  });
  wrap(globalThis, ['open'], (_, how, call) => (rest.open() ? call() : null)); // as where windows are blocked
  const { navigation } = globalThis;
  const steps = { back: () => -1, forward: () => 1, go: (by) => Math.trunc(by) || 0 };
  for (const [name, by] of Object.entries(steps))
    wrap(of('History'), [name], (_, how, call) => {
      const { currentEntry } = navigation;
      const isWithin = currentEntry !== null && navigation.entries()[currentEntry.index + by(...how)]?.sameDocument === true;
      call();
      if (isWithin && by(...how) !== 0) begin('step');
    });
  addEventListener('popstate', () => rest.endOne('step')); // it may be that of another frame

  {
    const { Request, URL, origin } = globalThis;
    const isOfSite = (address) => URL.canParse(address, document.baseURI) && new URL(address, document.baseURI).origin === '${siteOrigin}'; // all else is refused, or comes without the network
    const isMarkable = origin === '${siteOrigin}';
    wrap(globalThis, ['fetch'], async (_, how, call, fetch) => {
      const request = new Request(...how);
      const isMarked = isOfSite(request.url);
      const isCounted = (!isMarked || (isMarkable && request.mode !== 'no-cors')) && rest.ask();
      if (isCounted && isMarked) request.headers.set('${waitingHeader}', '1');
      const end = isCounted ? begin(fetch) : () => undefined;
      try {
        const answer = await fetch(request);
        arrayBuffer.call(answer.clone()).then(end, end); // one that nobody reads does not end, and would be waited for
        return answer;
      } catch (thrown) {
        end();
        throw thrown;
      }
    });
    const { setRequestHeader } = XMLHttpRequest.prototype;
    const opened = new WeakMap();
    wrap(of('XMLHttpRequest'), ['open'], (request, how, call) => {
      call();
      opened.set(request, { isMarked: isOfSite(how[1]), isHolding: how.length > 2 && !how[2] });
    });
    wrap(of('XMLHttpRequest'), ['send'], (request, how, call, kind) => {
      const { isMarked, isHolding } = opened.get(request) ?? {};
      const isCounted = (!isMarked || isMarkable) && (isHolding || rest.ask());
      if (isCounted && isMarked) setRequestHeader.call(request, '${waitingHeader}', '1');
      call();
      if (isCounted && !isHolding) until(kind, request, 'loadend');
    });
  }
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
          clock.anew();
          for (const entry of news[0]) timeOf(entry);
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
