/**
 * Turns of a timer granted to a page whose own tasks never end: a second or more, the longer the busier the
 * machine.
 */
const mostTurns = 250;

/** The same for work in other threads and processes, such as storage, that may never end. */
const mostWaits = 1000;

/** The same once new work has been found to start whenever some ends. */
const fewWaits = 10;

/**
 * Requests of scripts that are awaited amid timers, until the page rests. Pages that come to an end need far
 * fewer.
 */
const mostAsked = 200;

/**
 * Windows that scripts may open before their page rests. Each takes the browser a tenth of a second, and all
 * but a few are closed at once.
 */
const mostOpened = 16;

/** Consecutive frames that each change the document or send it an event. */
const mostFrames = 20;

/** Events that come with a frame. They include those of the mouse, where another element moves under it. */
export const frameEvents: readonly string[] =
  'scroll scrollend scrollsnapchange scrollsnapchanging selectionchange fullscreenchange close cancel contentvisibilityautostatechange mousemove mouseover mouseout mouseenter mouseleave pointermove pointerover pointerout pointerenter pointerleave'.split(
    ' ',
  );

/**
 * Detects, in a document, when nothing goes on any more although nothing is loading. The text runs before the
 * clock and all other scripts, while the browser's functions are still original. A document is at rest when
 *
 * - its task queue is empty: a task of the lowest priority has run, which Chromium does not run while another
 *   task waits (messages, toggles, chains of them);
 * - nothing is {@link workScript | counted} as running in other threads and processes;
 * - a frame has been drawn, if something waits for one: observers, lazy pictures, an element to be focused at
 *   first, listeners for scrolling and the like. The frame has changed nothing and sent the page no event;
 *   otherwise another one follows.
 *
 * `rest.calm(withFrames)` waits for all three, or for the first two. `rest.between()`, which the clock uses
 * between its timers, waits for the first two, and for the third if the page has an observer. So the work of
 * one timer ends before the next one, at the time of the first. Both return whether the document came to
 * rest. All waits are limited in number. Idle callbacks of the browser are not used, because the headless
 * shell may never call one.
 */
export const restScript = `
  const makeRest = () => {
    const { Promise, MutationObserver, setTimeout, clearTimeout, requestAnimationFrame } = globalThis;
    const postTask = scheduler.postTask.bind(scheduler);
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const underway = new Set();
    const patience = new Map(); // turns that work of a kind is given: a tenth each time that some did not end
    const patienceWith = (kind) => patience.get(kind) ?? ${mostWaits};
    let isRestless = false;
    const emptied = () =>
      new Promise((done) => {
        if (isRestless) return void postTask(done);
        let timer;
        const wait = (left) => {
          timer = setTimeout(() => (left > 0 ? wait(left - 1) : done((isRestless = true))), 4);
        };
        wait(${mostTurns});
        postTask(() => done(clearTimeout(timer)), { priority: 'background' });
      });
    const ended = async () => {
      for (let left = isRestless ? ${fewWaits} : ${mostWaits}; underway.size > 0; left -= 1) {
        if (left === 0) return void (isRestless = true);
        await pause(1);
        for (const work of underway) {
          work.left -= 1;
          if (work.left > 0) continue;
          underway.delete(work);
          patience.set(work.kind, Math.ceil(patienceWith(work.kind) / 10));
        }
      }
    };
    const drained = async () => {
      do {
        await ended();
        await emptied();
      } while (underway.size > 0 && !isRestless);
    };
    let isDrawn = true;
    const drawn = () =>
      new Promise((done) => {
        const timer = setTimeout(() => done((isDrawn = false)), 1000); // a tab behind another
        requestAnimationFrame(() => done(clearTimeout(timer)));
        rest.hasten();
      });
    const awaiting = ['img[loading=lazy]', 'iframe[loading=lazy]', ...${JSON.stringify(frameEvents)}.map((name) => '[on' + name + ']')].join();
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
    let asked = 0;
    let opened = 0;
    const settled = async (needsFrame) => {
      asked = opened = 0;
      await drained();
      for (let left = frames; left > 0 && !isRestless; left -= 1) {
        if (!isDrawn || !needsFrame()) return true; // a frame takes long
        rest.isStirred = false;
        const watch = new MutationObserver(() => (rest.isStirred = true));
        watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        await drawn();
        await drained();
        watch.disconnect();
        if (!rest.isStirred) return true;
      }
      frames = 1; // one that changes with each is waited for once
      return false;
    };
    const rest = {
      begin(kind) {
        const work = { kind, left: patienceWith(kind) };
        underway.add(work);
        return work;
      },
      end: (work) => void underway.delete(work),
      endOne(kind) {
        for (const work of underway) if (work.kind === kind) return void underway.delete(work);
      },
      ask: () => (asked += 1) <= ${mostAsked},
      open: () => (opened += 1) <= ${mostOpened},
      blobBytes: 0,
      isObserved: false,
      isHeard: false,
      isStirred: false,
      stilling: new Set(),
      holding: new Set(),
      hold(isHeld) {
        for (const tell of rest.holding) tell(isHeld);
      },
      hasten: () => undefined,
      between: () => settled(() => rest.isObserved),
      calm(withFrames) {
        isDrawn = true;
        for (const makeStill of rest.stilling) makeStill();
        return settled(() => withFrames && (rest.isObserved || rest.isHeard || isAwaited(globalThis)));
      },
    };
    return rest;
  };
`;
