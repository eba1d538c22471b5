/** Turns of a timer that a page whose own tasks never end is given: a second or more, the longer the busier the machine. */
const mostTurns = 250;

/** The same for work that is done elsewhere, such as in storage, and may never end. */
const mostWaits = 1000;

/** Events that come with a frame. */
const frameEvents: readonly string[] = (
  'scroll scrollend scrollsnapchange scrollsnapchanging selectionchange fullscreenchange close cancel contentvisibilityautostatechange ' +
  'animationstart animationiteration animationend animationcancel transitionrun transitionstart transitionend transitioncancel'
).split(' ');

/** Frames in a row of which each changes the document. */
const mostFrames = 20;

/** Marks a request that a script waits for, clock and all. */
export const waitingHeader = 'x-cairn-waits';

/**
 * What runs in every document of an episode before all other scripts but the clock: it makes seen from outside when nothing goes on in the page any more, though nothing is loaded. Then
 *
 * - its queue of tasks is empty: a task of the lowest priority has had its turn, and Chromium gives it none while another waits (messages, toggles, timers of no delay, chains of them);
 * - nothing is under way in other threads and processes that page scripts would hear of: IndexedDB, files and blobs, pictures out of pixels, WebAssembly, steps in the history;
 * - a frame has been drawn, where something waits for one (observers, lazy pictures, an element to be focused at first, listeners for scrolling and the like), and has changed nothing, else another one.
 *
 * `__pwClock.calm()` waits for all three, and says whether they came; all are bounded in number. Between two timers the page's clock waits for the first two, and for the third where the page has an observer:
 * so what one timer sets going has ended before the next, at the time of the first. Idle callbacks of the browser's own are not asked: the headless shell may never have one.
 */
export const restScript = `(() => {
  const { builtins, controller } = globalThis.__pwClock;
  const { Promise, Blob, Uint8Array, MutationObserver, atob } = globalThis; // pages put others in their place
  const { setTimeout, clearTimeout, requestAnimationFrame } = builtins;
  const postTask = scheduler.postTask.bind(scheduler);
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  const frameEvents = new Set(${JSON.stringify(frameEvents)});
  const awaiting = ['img[loading=lazy]', 'iframe[loading=lazy]', ...Array.from(frameEvents, (name) => '[on' + name + ']')].join();
  const own = { underway: new Set(), isObserved: false, isHeard: false };
  const sharedWith = () => {
    try {
      return parent.__pwClock?.work;
    } catch {
      return undefined; // another origin's
    }
  };
  const work = sharedWith() ?? own; // one for all frames of a page
  const begun = new Set();
  const begin = () => {
    const token = {};
    work.underway.add(token);
    begun.add(token);
    return () => {
      work.underway.delete(token);
      begun.delete(token);
    };
  };
  globalThis.addEventListener('pagehide', () => begun.forEach((token) => work.underway.delete(token)));

  const { postTask: turn } = controller._embedder;
  let isRestless = false;
  const emptied = () =>
    isRestless
      ? new Promise(turn)
      : new Promise((done) => {
          let timer;
          const wait = (left) => {
            timer = setTimeout(() => {
              if (left > 0) return wait(left - 1);
              isRestless = true;
              done();
            }, 4);
          };
          wait(${mostTurns});
          postTask(() => {
            clearTimeout(timer);
            done();
          }, { priority: 'background' });
        });
  const ended = async () => {
    for (let left = ${mostWaits}; work.underway.size > 0 && left > 0; left -= 1) await pause(1);
    work.underway.clear(); // what does not end costs this once
  };
  const drained = async () => {
    do {
      await ended();
      await emptied();
    } while (work.underway.size > 0 && !isRestless);
  };
  let isDrawn = true;
  const drawn = () =>
    new Promise((done) => {
      const timer = setTimeout(() => {
        isDrawn = false; // a tab behind another
        done();
      }, 1000);
      requestAnimationFrame(() => {
        clearTimeout(timer);
        done();
      });
    });
  const isAwaited = (of) => {
    try {
      const { document, frames } = of;
      if (document.querySelector(awaiting) !== null) return true;
      if (document.activeElement === document.body && document.querySelector('[autofocus]') !== null) return true;
      return Array.from(frames, isAwaited).includes(true);
    } catch {
      return false; // another origin's
    }
  };
  let frames = ${mostFrames};
  const settled = async (needsFrame) => {
    await drained();
    for (let left = frames; left > 0 && !isRestless; left -= 1) {
      if (!isDrawn || !needsFrame()) return true; // a frame takes long
      let isChanged = false;
      const watch = new MutationObserver(() => (isChanged = true));
      watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      await drawn();
      await drained();
      watch.disconnect();
      if (!isChanged) return true;
    }
    frames = 1; // one that changes with each is waited for once
    return false;
  };
  controller._embedder.postTask = async (task) => {
    await settled(() => work.isObserved);
    task();
  };
  const calm = async () => {
    isDrawn = true;
    return settled(() => work.isObserved || work.isHeard || isAwaited(globalThis));
  };
  globalThis.__pwClock.work = work;
  globalThis.__pwClock.calm = calm;

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
  wrap(of('Permissions'), ['query'], answered);
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
    turn(() => done(blob));
  });
  wrap(EventTarget.prototype, ['addEventListener'], (_, how, call) => {
    work.isHeard ||= frameEvents.has(how[0]);
    call();
  });
  for (const holder of [globalThis, Document.prototype, HTMLElement.prototype, SVGElement.prototype])
    for (const name of frameEvents) {
      const property = Object.getOwnPropertyDescriptor(holder, 'on' + name);
      if (property?.set === undefined) continue;
      const set = function (handler) {
        work.isHeard = true;
        property.set.call(this, handler);
      };
      Object.defineProperty(holder, 'on' + name, { ...property, set });
    }
  for (const name of ['IntersectionObserver', 'ResizeObserver']) {
    const Original = globalThis[name];
    globalThis[name] = { [name]: class extends Original {
      constructor(...how) {
        super(...how);
        work.isObserved = true;
      }
    } }[name];
  }
})();`;
