/**
 * The time at which the clocks of all pages start: the first of January 2024, in milliseconds since 1970.
 * They advance only during actions.
 */
export const pageEpoch = 1_704_067_200_000;

/** The global where a document keeps its {@link clockScript | clock} and {@link restScript | rest}. */
export const clockPlace = "globalThis[Symbol.for('cairn.clock')]";

/**
 * The least milliseconds between nested timers in a browser, and the number of nested timers without that
 * limit (HTML standard, 8.6).
 */
const shortestInterval = 4;
const mostNested = 5;
/** Rounds of microtasks after a timer that still count as part of the timer. */
const microtaskTurns = 10;
/**
 * Tasks of a page with priority over all others, as from `scheduler.yield()`, until the others get a turn. An
 * endless sequence would block loading, timers and this driver.
 */
const mostAhead = 200;
/**
 * How often a page may read the stopped clock in one go: one task, or all listeners of one event. After that
 * the clock advances by one millisecond per reading, for pages that wait in a loop.
 */
const patientReadings = 10_000;
/** Milliseconds of user activation after a key or a press (HTML standard, 6.4.1). */
const activationMs = 5000;
/** Milliseconds between frames. They come at multiples of it, never at a phase of the machine's clock. */
const frameMs = 16;
/** Milliseconds until an idle callback while other timers are set. */
const idleMs = 50;

/**
 * The clock of a document, as text that runs before the document's scripts and after {@link restScript}. It
 * advances only in `run(until)`. That calls all due timers in order, each when the work of the previous one
 * is done. It returns the time then, which is later where the page has waited for its clock in a loop. The
 * frames of a page share the clock of their top document, and so one order of all their timers. Frames of
 * another origin have clocks of their own.
 *
 * Later parts of the same script have `rest`, `clock.now`, `pageNow()`, `guarded(handler, values)`,
 * `later(handler, ms)` and `nextFrame(handler)`. `hold(handler)` calls the handler when the clock advances.
 * `timeOf(object)` is the page's time of an object that has a time of the browser: the time at which it was
 * first asked for. `askedTimeOf(object)` is the same where the page asks, which counts as a reading of its
 * clock.
 */
export const clockScript = `
  const { reportError } = globalThis;
  const makeClock = (rest) => {
    let now = ${pageEpoch};
    let lastId = 0;
    let isRunning = false;
    let held = [];
    let depth = 0; // how many timers have set the next, up to the one under way
    let readings = 0;
    let usedAt = -Infinity;
    const postTask = scheduler.postTask.bind(scheduler);
    const anew = () => (readings = 0);
    const timers = new Map();
    const queue = []; // in the order in which they are due, and of what is due at the same moment in that in which it was set
    const put = (timer) => {
      let from = 0;
      for (let to = queue.length; from < to; ) {
        const middle = (from + to) >> 1;
        if (queue[middle].at <= timer.at) from = middle + 1;
        else to = middle;
      }
      queue.splice(from, 0, timer);
      timers.set(timer.id, timer);
    };
    const take = (timer) => {
      timers.delete(timer.id);
      queue.splice(queue.indexOf(timer), 1);
    };
    const first = () => {
      while (queue.length > 0 && !queue[0].isLive()) take(queue[0]);
      return queue[0];
    };
    return {
      get now() {
        return now;
      },
      read() {
        if (readings === 0) postTask(anew, { priority: 'user-blocking' });
        if ((readings += 1) > ${patientReadings}) now += 1;
        return now;
      },
      anew,
      get isUsed() {
        return this.read() - usedAt < ${activationMs};
      },
      use() {
        usedAt = now;
      },
      get size() {
        return timers.size;
      },
      begin(time) {
        now = Math.max(now, time);
      },
      add(kind, handler, ms, isLive, every) {
        const id = (lastId += 1);
        const shortest = depth > ${mostNested} ? ${shortestInterval} : isRunning ? 1 : 0;
        put({ id, kind, handler, at: now + Math.max(ms, shortest), isLive, every, depth: depth + 1 });
        return id;
      },
      drop(kind, id) {
        const timer = timers.get(Number(id));
        if (timer?.kind === kind) take(timer);
      },
      hold(handler) {
        held.push(handler);
      },
      next: () => first()?.at ?? null,
      async run(until) {
        isRunning = true;
        for (const timer of queue.filter(({ isLive }) => !isLive())) take(timer);
        const end = Math.max(now, until);
        const releasing = held;
        held = [];
        if (releasing.length > 0 || first()?.at <= end) await rest.between();
        for (const release of releasing) release();
        if (releasing.length > 0) await rest.between();
        for (let timer = first(); timer !== undefined && timer.at <= end; ) {
          now = Math.max(now, timer.at);
          take(timer);
          if (timer.every !== undefined) put({ ...timer, at: now + timer.every - ((now - timer.at) % timer.every), depth: timer.depth + 1 }); // behind those set before, and none for what it was too late for
          depth = timer.kind === 'timer' ? timer.depth : 0;
          timer.handler();
          for (let turn = 0; turn < ${microtaskTurns}; turn += 1) await undefined;
          depth = 0;
          const next = first();
          if (timer.kind !== 'frame' || next?.kind !== 'frame' || next.at !== now) await rest.between(); // a frame is one task
          timer = first();
        }
        now = Math.max(now, end);
        isRunning = false;
        return now;
      },
    };
  };
  const clockKey = Symbol.for('cairn.clock');
  const ofTop = () => {
    try {
      return top[clockKey];
    } catch {
      return undefined; // another origin's
    }
  };
  const shared = globalThis[clockKey] ?? ofTop();
  const rest = shared?.rest ?? makeRest();
  const clock = shared?.clock ?? makeClock(rest);
  let begun = clock.now;
  if (shared === undefined) {
    const begin = (time) => {
      clock.begin(time);
      begun = clock.now;
    };
    Object.defineProperty(globalThis, clockKey, { value: { clock, rest, begin } });
  }
  const isLive = () => document.defaultView !== null; // the timers of a document that is gone are gone
  const guarded = (handler, values = []) => () => {
    try {
      if (typeof handler === 'function') handler.apply(globalThis, values);
      else (0, eval)(String(handler));
    } catch (thrown) {
      reportError(thrown); // as a browser does; else it would be the clock that failed
    }
  };
  const add = (kind, handler, ms, every) => clock.add(kind, handler, Math.max(0, ms), isLive, every);
  const pageNow = () => clock.read() - begun;
  const times = new WeakMap();
  const timeOf = (object, time = clock.now) => {
    if (!times.has(object)) times.set(object, time - begun);
    return times.get(object);
  };
  const askedTimeOf = (object) => (times.has(object) ? times.get(object) : timeOf(object, clock.read()));
  const byTime = (prototype, name) => Object.defineProperty(prototype, name, { configurable: true, get() { return askedTimeOf(this); } });
  const later = (handler, ms) => add('timer', guarded(handler), Math.trunc(ms) || 0);
  const nextFrame = (handler) => add('frame', guarded(() => handler(pageNow())), ${frameMs} - ((clock.now - ${pageEpoch}) % ${frameMs}));
  const hold = (handler) => clock.hold(() => isLive() && guarded(handler)());
  const asked = (name, handler) => {
    if (typeof handler !== 'function') throw new TypeError("Failed to execute '" + name + "' on 'Window': parameter 1 is not of type 'Function'.");
    return handler;
  };
  Object.assign(globalThis, {
    setTimeout: (handler, ms, ...rest) => add('timer', guarded(handler, rest), ms | 0), // more than 31 bits are cut off, here alone
    setInterval: (handler, ms, ...rest) => add('timer', guarded(handler, rest), Math.max(${shortestInterval}, ms | 0), Math.max(${shortestInterval}, ms | 0)),
    clearTimeout: (id) => clock.drop('timer', id),
    clearInterval: (id) => clock.drop('timer', id),
    requestAnimationFrame: (handler) => nextFrame(asked('requestAnimationFrame', handler)),
    cancelAnimationFrame: (id) => clock.drop('frame', id),
    requestIdleCallback: (handler, how) => {
      let left = ${idleMs}; // one less each time it is asked for, so that those who work until it is used up do so much, and end
      const deadline = { didTimeout: false, timeRemaining: () => (left = Math.max(0, left - 1)) };
      return add('idle', guarded(asked('requestIdleCallback', handler), [deadline]), clock.size === 0 ? 0 : Math.min(how?.timeout || ${idleMs}, ${idleMs}));
    },
    cancelIdleCallback: (id) => clock.drop('idle', id),
  });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    later(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), ms);
    return controller.signal;
  };
  const { postTask, yield: yieldOn } = Scheduler.prototype;
  let ahead = 0; // tasks in a row that went before all others
  let others;
  const inTurn = (go) => {
    if ((ahead += 1) === 1) others = postTask.call(scheduler, () => void (ahead = 0)); // those that wait now, and this, have their turn
    return ahead > ${mostAhead} ? others.then(go) : go();
  };
  Scheduler.prototype.yield = function () {
    return inTurn(() => yieldOn.call(this));
  };
  const post = (on, handler, how) => {
    const isUrgent = typeof handler === 'function' && (how.priority ?? how.signal?.priority) === 'user-blocking';
    return postTask.call(on, isUrgent ? () => inTurn(handler) : handler, how);
  };
  Scheduler.prototype.postTask = function (handler, options) {
    const { delay = 0, ...how } = options ?? {};
    if (!(delay > 0) || how.signal?.aborted === true) return post(this, handler, how);
    return new Promise((resolve, reject) => {
      const timer = later(() => post(this, handler, how).then(resolve, reject), delay);
      how.signal?.addEventListener('abort', () => {
        clock.drop('timer', timer);
        reject(how.signal.reason);
      });
    });
  };
  const timeouts = new WeakMap(); // of requests: they take none of the page's time, and so never too much
  Object.defineProperty(XMLHttpRequest.prototype, 'timeout', { configurable: true, get() { return timeouts.get(this) ?? 0; }, set(ms) { timeouts.set(this, ms >>> 0); } });
`;
