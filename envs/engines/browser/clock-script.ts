/** When the clocks of all pages begin, the first of January 2024, in milliseconds since 1970: they stand still but for what actions take. */
export const pageEpoch = 1_704_067_200_000;

/** Where a document keeps its {@link clockScript | clock} and {@link restScript | rest}. */
export const clockPlace = "globalThis[Symbol.for('cairn.clock')]";

/** Milliseconds that a browser keeps between timers that follow one another (HTML standard, 8.6). */
const shortestInterval = 4;
/** Milliseconds between frames, which come at multiples of it: never at a phase of the machine's. */
const frameMs = 16;
/** Milliseconds until an idle callback where other timers are set. */
const idleMs = 50;

/**
 * The clock of a document, as text that runs in it before its own scripts and after {@link restScript}. It stands still but for `run(until)`, which calls all timers that are due by then in their order,
 * each when what the one before has set going is at its end. The frames of a page have the clock of their top document, and so one order of all their timers; those of another origin have one of their own.
 *
 * What follows in the same script has `rest`, `clock.now`, `guarded(handler, values)`, `later(handler, ms)`, `nextFrame(handler)` and `hold(handler)`, which calls it when the clock goes on.
 */
export const clockScript = `
  const { reportError } = globalThis;
  const makeClock = (rest) => {
    let now = ${pageEpoch};
    let lastId = 0;
    let isRunning = false;
    let held = [];
    const timers = new Map(); // in the order of their ids, and so is what is due at the same moment
    const first = () => {
      let found;
      for (const [id, timer] of timers) {
        if (!timer.isLive()) timers.delete(id);
        else if (found === undefined || timer.at < found.at) found = timer;
      }
      return found;
    };
    return {
      get now() {
        return now;
      },
      get size() {
        return timers.size;
      },
      begin(time) {
        now = Math.max(now, time);
      },
      add(kind, handler, ms, isLive, every) {
        const id = (lastId += 1);
        timers.set(id, { id, kind, handler, at: now + (ms || (isRunning ? 1 : 0)), isLive, every });
        return id;
      },
      drop(kind, id) {
        if (timers.get(Number(id))?.kind === kind) timers.delete(Number(id));
      },
      hold(handler) {
        held.push(handler);
      },
      next: () => first()?.at ?? null,
      async run(until) {
        isRunning = true;
        const releasing = held;
        held = [];
        if (releasing.length > 0 || first()?.at <= until) await rest.between();
        for (const release of releasing) release();
        if (releasing.length > 0) await rest.between();
        for (let timer = first(); timer !== undefined && timer.at <= until; ) {
          now = Math.max(now, timer.at);
          if (timer.every === undefined) timers.delete(timer.id);
          else timer.at += timer.every;
          timer.handler();
          const next = first();
          if (timer.kind !== 'frame' || next?.kind !== 'frame' || next.at !== now) await rest.between(); // a frame is one task
          timer = first();
        }
        now = Math.max(now, until);
        isRunning = false;
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
  const add = (kind, handler, ms, every) => clock.add(kind, handler, Math.max(0, ms | 0), isLive, every);
  const later = (handler, ms) => add('timer', guarded(handler), ms);
  const nextFrame = (handler) => add('frame', guarded(() => handler(performance.now())), ${frameMs} - ((clock.now - ${pageEpoch}) % ${frameMs}));
  const hold = (handler) => clock.hold(() => isLive() && guarded(handler)());
  const asked = (name, handler) => {
    if (typeof handler !== 'function') throw new TypeError("Failed to execute '" + name + "' on 'Window': parameter 1 is not of type 'Function'.");
    return handler;
  };
  Object.assign(globalThis, {
    setTimeout: (handler, ms, ...rest) => add('timer', guarded(handler, rest), ms),
    setInterval: (handler, ms, ...rest) => add('timer', guarded(handler, rest), Math.max(${shortestInterval}, ms | 0), Math.max(${shortestInterval}, ms | 0)),
    clearTimeout: (id) => clock.drop('timer', id),
    clearInterval: (id) => clock.drop('timer', id),
    requestAnimationFrame: (handler) => nextFrame(asked('requestAnimationFrame', handler)),
    cancelAnimationFrame: (id) => clock.drop('frame', id),
    requestIdleCallback: (handler, { timeout } = {}) => {
      let left = ${idleMs}; // one less each time it is asked for, so that those who work until it is used up do so much, and end
      const deadline = { didTimeout: false, timeRemaining: () => (left = Math.max(0, left - 1)) };
      return add('idle', guarded(asked('requestIdleCallback', handler), [deadline]), clock.size === 0 ? 0 : Math.min(timeout || ${idleMs}, ${idleMs}));
    },
    cancelIdleCallback: (id) => clock.drop('idle', id),
  });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    later(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), ms);
    return controller.signal;
  };
  const { postTask } = Scheduler.prototype;
  Scheduler.prototype.postTask = function (handler, { delay = 0, ...how } = {}) {
    if (!(delay > 0) || how.signal?.aborted === true) return postTask.call(this, handler, how);
    return new Promise((resolve, reject) => {
      const timer = later(() => postTask.call(this, handler, how).then(resolve, reject), delay);
      how.signal?.addEventListener('abort', () => {
        clock.drop('timer', timer);
        reject(how.signal.reason);
      });
    });
  };
  const timeouts = new WeakMap(); // of requests: they take none of the page's time, and so never too much
  Object.defineProperty(XMLHttpRequest.prototype, 'timeout', { configurable: true, get() { return timeouts.get(this) ?? 0; }, set(ms) { timeouts.set(this, ms >>> 0); } });

  const { Date: AnyDate } = globalThis;
  AnyDate.now = () => clock.now;
  globalThis.Date = AnyDate.prototype.constructor = new Proxy(AnyDate, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [clock.now] : given, as),
    apply: () => new AnyDate(clock.now).toString(),
  });
  const dateFormat = Intl.DateTimeFormat.prototype;
  const { get: formatOf } = Object.getOwnPropertyDescriptor(dateFormat, 'format');
  Object.defineProperty(dateFormat, 'format', { configurable: true, get() { const format = formatOf.call(this); return (date = clock.now) => format(date); } });
  const { formatToParts } = dateFormat;
  dateFormat.formatToParts = function (date = clock.now) {
    return formatToParts.call(this, date);
  };
  if (typeof Temporal === 'object') {
    const { Now, Instant } = Temporal;
    Now.instant = () => Instant.fromEpochMilliseconds(clock.now);
    Now.zonedDateTimeISO = (zone = Now.timeZoneId()) => Now.instant().toZonedDateTimeISO(zone);
    for (const kind of ['plainDateTime', 'plainDate', 'plainTime']) Now[kind + 'ISO'] = (zone) => Now.zonedDateTimeISO(zone)['to' + kind[0].toUpperCase() + kind.slice(1)]();
  }
  const toldAt = new WeakMap(); // when each event was asked for its time first
  Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get() {
    if (!toldAt.has(this)) toldAt.set(this, performance.now());
    return toldAt.get(this);
  } });
  for (const { prototype } of [AnimationTimeline, DocumentTimeline]) Object.defineProperty(prototype, 'currentTime', { configurable: true, get: () => performance.now() });
  globalThis.File = class extends File {
    constructor(parts, name, how) {
      super(parts, name, { lastModified: clock.now, ...how });
    }
  };
  const { get: lastModified } = Object.getOwnPropertyDescriptor(Document.prototype, 'lastModified');
  Object.defineProperty(Document.prototype, 'lastModified', { configurable: true, get() { return this.URL.startsWith('http') ? lastModified.call(this) : '01/01/2024 00:00:00'; } });

  const noTimes = { configurable: true, value: undefined };
  const { getEntries, mark, measure } = Performance.prototype;
  const timed = (entry) => entry.entryType === 'mark' || entry.entryType === 'measure'; // what the browser times itself has times of ours
  const entries = (of) => getEntries.call(of).filter(timed);
  Object.defineProperties(Performance.prototype, {
    now: { configurable: true, writable: true, value: () => clock.now - begun },
    timeOrigin: { configurable: true, get: () => begun },
    timing: { configurable: true, get: () => Object.fromEntries(Object.keys(PerformanceTiming.prototype).map((name) => [name, name === 'toJSON' ? () => ({}) : begun])) },
    memory: noTimes,
    eventCounts: noTimes,
    toJSON: { configurable: true, writable: true, value: () => ({ timeOrigin: begun }) },
    getEntries: { configurable: true, writable: true, value() { return entries(this); } },
    getEntriesByType: { configurable: true, writable: true, value(type) { return entries(this).filter(({ entryType }) => entryType === type); } },
    getEntriesByName: { configurable: true, writable: true, value(name, type) { return entries(this).filter((entry) => entry.name === name && (type === undefined || entry.entryType === type)); } },
    mark: { configurable: true, writable: true, value(name, how) { return mark.call(this, name, { startTime: performance.now(), ...how }); } },
    measure: { configurable: true, writable: true, value(name, from, to) {
      if (typeof from === 'object' && from !== null) return measure.call(this, name, { ...(from.duration === undefined || from.start === undefined ? { end: performance.now() } : {}), ...from });
      return measure.call(this, name, { start: from ?? 0, end: to ?? performance.now() });
    } },
  });
  Object.defineProperties(PerformanceEntry.prototype, {
    navigationId: { configurable: true, get: () => 0 }, // a number of chance
    toJSON: { configurable: true, writable: true, value() {
      const { name, entryType, startTime, duration, detail = null } = this;
      return { name, entryType, startTime, duration, detail };
    } },
  });
  PerformanceObserver.prototype.observe = () => undefined;
`;
