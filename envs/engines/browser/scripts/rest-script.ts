/** Turns of a timer that a page whose own tasks never end is given: a second or more, the longer the busier the machine. */
const mostTurns = 250;

/** The same for work that is done elsewhere, such as in storage, and may never end. */
const mostWaits = 1000;

/** The same where it has turned out that other work begins whenever some ends. */
const fewWaits = 10;

/** What scripts ask for before their page rests, to be waited for amid timers: far more than pages with an end do. */
const mostAsked = 200;

/** Windows that scripts open before their page rests: each takes the browser a tenth of a second, and all but a few are closed at once. */
const mostOpened = 16;

/** Frames in a row of which each changes the document or tells it something. */
const mostFrames = 20;

/** Events that come with a frame: those of the mouse too, where something else comes to lie under it. */
export const frameEvents: readonly string[] =
  'scroll scrollend scrollsnapchange scrollsnapchanging selectionchange fullscreenchange close cancel contentvisibilityautostatechange mousemove mouseover mouseout mouseenter mouseleave pointermove pointerover pointerout pointerenter pointerleave'.split(
    ' ',
  );

/**
 * What knows, in a document, when nothing goes on in it any more though nothing is loaded, as text that runs before its clock and all other scripts, while what the browser gives is still as it is. Then
 *
 * - its queue of tasks is empty: a task of the lowest priority has had its turn, and Chromium gives it none while another waits (messages, toggles, chains of them);
 * - nothing is {@link workScript | counted} as under way in other threads and processes;
 * - a frame has been drawn, where something waits for one (observers, lazy pictures, an element to be focused at first, listeners for scrolling and the like), and has changed nothing and told the page nothing, else another one.
 *
 * `rest.calm(withFrames)` waits for all three, or the first two, and `rest.between()`, for the clock between its timers, for the first two, and for the third where the page has an observer: so what one timer sets going has ended before
 * the next, at the time of the first. Both say whether it came to that; all is bounded in number. Idle callbacks of the browser's own are not asked: the headless shell may never have one.
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
