import { frameEvents } from './rest-script.ts';

/** Milliseconds of a day, within which an episode ends. */
const dayMs = 86_400_000;

/** Events that pages may keep and ask for their time much later. Their time is recorded when they arrive. */
const keptEvents = `click dblclick auxclick contextmenu mousedown mouseup mousemove mouseover mouseout pointerdown pointerup pointermove pointerover pointerout pointercancel wheel keydown keyup keypress
  beforeinput input change submit reset select invalid focus blur focusin focusout dragstart drag dragenter dragleave dragover drop dragend compositionstart compositionupdate compositionend copy cut paste
  toggle hashchange popstate message DOMContentLoaded load`;

/**
 * Makes everything that a page can read of the time follow {@link clockScript | its clock}: dates and their
 * formats, events, files, marks and measures. The text runs after the clock and before the page's own
 * scripts. Measurements of the browser itself get our times, or are absent. `timelineTime` is the value that
 * timelines of animations have by the browser's own clock.
 */
export const timeScript = `
  const { Date: AnyDate } = globalThis;
  const { now: realNow } = AnyDate;
  AnyDate.now = () => clock.read();
  globalThis.Date = AnyDate.prototype.constructor = new Proxy(AnyDate, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [clock.read()] : given, as),
    apply: () => new AnyDate(clock.read()).toString(),
  });
  const dateFormat = Intl.DateTimeFormat.prototype;
  const { get: formatOf } = Object.getOwnPropertyDescriptor(dateFormat, 'format');
  Object.defineProperty(dateFormat, 'format', { configurable: true, get() { const format = formatOf.call(this); return (date = clock.read()) => format(date); } });
  const { formatToParts } = dateFormat;
  dateFormat.formatToParts = function (date = clock.read()) {
    return formatToParts.call(this, date);
  };
  if (typeof Temporal === 'object') {
    const { Now, Instant } = Temporal;
    Now.instant = () => Instant.fromEpochMilliseconds(clock.read());
    Now.zonedDateTimeISO = (zone = Now.timeZoneId()) => Now.instant().toZonedDateTimeISO(zone);
    for (const kind of ['plainDateTime', 'plainDate', 'plainTime']) Now[kind + 'ISO'] = (zone) => Now.zonedDateTimeISO(zone)['to' + kind[0].toUpperCase() + kind.slice(1)]();
  }
  byTime(Event.prototype, 'timeStamp');
  const { queueMicrotask } = globalThis;
  const noted = (event) => {
    timeOf(event);
    if (event.isTrusted) queueMicrotask(clock.anew); // before the page hears of it, unless it is a script of the page's that is at work and has made it: then when that has ended
  };
  for (const type of ${JSON.stringify([...keptEvents.split(/\s+/), ...frameEvents])}) addEventListener(type, noted, { capture: true, passive: true });
  const { dispatchEvent } = EventTarget.prototype;
  EventTarget.prototype.dispatchEvent = function (event) {
    if (event instanceof Event) askedTimeOf(event);
    return dispatchEvent.call(this ?? globalThis, event);
  };
  for (const type of ['keydown', 'mousedown']) addEventListener(type, ({ isTrusted, key }) => isTrusted && key !== 'Escape' && clock.use(), true);
  Object.defineProperty(UserActivation.prototype, 'isActive', { configurable: true, get() { return this.hasBeenActive && clock.isUsed; } });
  byTime(IntersectionObserverEntry.prototype, 'time');
  byTime(VideoPlaybackQuality.prototype, 'creationTime');
  const { get: timelineTime } = Object.getOwnPropertyDescriptor(AnimationTimeline.prototype, 'currentTime');
  Object.defineProperty(AnimationTimeline.prototype, 'currentTime', { configurable: true, get() { return this instanceof DocumentTimeline ? pageNow() : timelineTime.call(this); } });
  const { File: AnyFile } = globalThis;
  const { get: modified } = Object.getOwnPropertyDescriptor(AnyFile.prototype, 'lastModified');
  const dated = new WeakSet();
  globalThis.File = AnyFile.prototype.constructor = new Proxy(AnyFile, {
    construct(target, given, as) {
      const [parts, name, how] = given;
      const file = Reflect.construct(target, given.length < 2 || how?.lastModified !== undefined ? given : [parts, name, { ...how, lastModified: clock.read() }], as);
      dated.add(file);
      return file;
    },
  });
  Object.defineProperty(AnyFile.prototype, 'lastModified', { configurable: true, get() {
    const time = modified.call(this);
    const isOurs = dated.has(this) || Math.abs(realNow() - time) > ${dayMs}; // else the browser has made it, out of a blob, and by its own clock
    return isOurs ? time : begun + timeOf(this);
  } });
  const { get: lastModified } = Object.getOwnPropertyDescriptor(Document.prototype, 'lastModified');
  Object.defineProperty(Document.prototype, 'lastModified', { configurable: true, get() { return this.URL.startsWith('http') ? lastModified.call(this) : '01/01/2024 00:00:00'; } });

  const noTimes = { configurable: true, value: undefined };
  const { getEntries, mark, measure } = Performance.prototype;
  const timed = (entry) => entry.entryType === 'mark' || entry.entryType === 'measure'; // what the browser times itself has times of ours
  const moments = new Set(Object.keys(PerformanceTiming.prototype).filter((name) => name !== 'toJSON'));
  const placed = (at) => (moments.has(at) ? 0 : at);
  const entries = (of) => getEntries.call(of).filter(timed);
  Object.defineProperties(Performance.prototype, {
    now: { configurable: true, writable: true, value: () => pageNow() },
    timeOrigin: { configurable: true, get: () => begun },
    timing: { configurable: true, get: () => ({ ...Object.fromEntries(Array.from(moments, (name) => [name, begun])), toJSON: () => ({}) }) },
    memory: noTimes,
    eventCounts: noTimes,
    interactionCount: noTimes,
    toJSON: { configurable: true, writable: true, value: () => ({ timeOrigin: begun }) },
    getEntries: { configurable: true, writable: true, value() { return entries(this); } },
    getEntriesByType: { configurable: true, writable: true, value(type) { return entries(this).filter(({ entryType }) => entryType === type); } },
    getEntriesByName: { configurable: true, writable: true, value(name, type) { return entries(this).filter((entry) => entry.name === name && (type === undefined || entry.entryType === type)); } },
    mark: { configurable: true, writable: true, value(name, how) { return mark.call(this, name, { startTime: pageNow(), ...how }); } },
    measure: { configurable: true, writable: true, value(name, from, to) {
      if (typeof from !== 'object' || from === null) return measure.call(this, name, { start: placed(from) ?? 0, end: placed(to) ?? pageNow() });
      const { start, end = from.duration === undefined || start === undefined ? pageNow() : undefined, ...how } = from;
      return measure.call(this, name, { ...how, start: placed(start), end: placed(end) });
    } },
  });
  globalThis.PerformanceMark = PerformanceMark.prototype.constructor = new Proxy(PerformanceMark, {
    construct: (target, [name, how, ...more], as) => Reflect.construct(target, [name, { startTime: pageNow(), ...how }, ...more], as),
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
