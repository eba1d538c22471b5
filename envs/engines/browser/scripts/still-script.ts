/**
 * Keeps a document from moving by itself. The text runs before the document's own scripts and after its
 * clock. Animations end at once, transitions do not start, and scrolling arrives at once. The arrows in
 * number fields repeat by the machine's clock while the mouse is held, so they do not receive a dragging
 * mouse. Animation events that the browser sends with a frame of its own are delivered when the page's clock
 * advances.
 */
export const stillScript = `
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation-duration: 1ms !important; animation-delay: 0s !important; animation-iteration-count: 1 !important; transition: none !important; scroll-behavior: auto !important; caret-color: transparent !important; } :where(:root) { overscroll-behavior: auto; } input::-webkit-inner-spin-button { }');
  if (globalThis === top) {
    const { getComputedStyle } = globalThis;
    const { style } = still.cssRules[1]; // a frame in which nothing is new waits for the next moment of a screen
    rest.hasten = () => {
      style.overscrollBehavior = 'contain'; // the window has nothing around it that would scroll
      void getComputedStyle(document.documentElement).overscrollBehavior; // now it counts as new, and goes back before any script sees it
      style.overscrollBehavior = 'auto';
    };
  }
  const { style: arrows } = still.cssRules[2];
  const holdArrows = (isHeld) => arrows.setProperty('pointer-events', isHeld ? 'none' : '', 'important');
  rest.holding.add(holdArrows);
  const animationEvents = ['start', 'iteration', 'end', 'cancel'].map((end) => 'animation' + end);
  const tellLater = (event) => {
    if (!event.isTrusted) return;
    event.stopImmediatePropagation();
    const [target = event.target] = event.composedPath();
    hold(() => target.dispatchEvent(new AnimationEvent(event.type, event)));
  };
  const makeStill = (root, listening) => {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets]; // and ours
    for (const kind of animationEvents) listening.addEventListener(kind, tellLater, true);
  };
  for (const { prototype } of [Document, ShadowRoot]) {
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, 'adoptedStyleSheets');
    Object.defineProperty(prototype, 'adoptedStyleSheets', { configurable: true, get, set(sheets) {
      const isOurs = (this.ownerDocument ?? this) === document; // no sheet can be another document's
      set.call(this, isOurs ? [...new Set([...sheets, still])] : sheets);
    } });
  }
  makeStill(document, globalThis);
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (how) {
    const root = attachShadow.call(this, how);
    makeStill(root, root);
    return root;
  };
  const stillWithin = (root) => {
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      if (shadowRoot === null) continue;
      if (!shadowRoot.adoptedStyleSheets.includes(still)) makeStill(shadowRoot, shadowRoot);
      stillWithin(shadowRoot);
    }
  };
  addEventListener('DOMContentLoaded', (event) => event.isTrusted && stillWithin(document), true); // those that the document has written out

  const followed = new WeakSet();
  const follow = (animation) => {
    if (followed.has(animation)) return;
    followed.add(animation);
    for (const kind of ['finish', 'cancel', 'remove']) animation.addEventListener(kind, (event) => event.isTrusted && event.stopImmediatePropagation());
  };
  const untold = new WeakMap(); // what the next frame reports of each
  const tellOf = (animation, kind) => {
    clock.drop('frame', untold.get(animation));
    const tell = () => animation.dispatchEvent(new AnimationPlaybackEvent(kind, { currentTime: animation.currentTime, timelineTime: pageNow() }));
    untold.set(animation, nextFrame(() => (kind === 'cancel' || animation.playState === 'finished') && tell()));
  };
  const { animate } = Element.prototype;
  const { play, reverse, finish, cancel } = Animation.prototype;
  const finished = (animation) => {
    const isOver = animation.playState === 'finished';
    finish.call(animation);
    times.delete(animation);
    timeOf(animation); // when it ended
    if (!isOver) tellOf(animation, 'finish');
  };
  const atEnd = (animation) => {
    follow(animation);
    try {
      finished(animation);
    } catch {
      animation.pause(); // one without an end stays at its start
      animation.currentTime = 0;
    }
    return animation;
  };
  Element.prototype.animate = function (...how) {
    return atEnd(animate.apply(this, how));
  };
  Object.assign(Animation.prototype, {
    play() {
      play.call(this);
      atEnd(this);
    },
    reverse() {
      reverse.call(this);
      atEnd(this);
    },
    finish() {
      follow(this);
      finished(this);
    },
    cancel() {
      follow(this);
      const isIdle = this.playState === 'idle';
      cancel.call(this);
      if (!isIdle) tellOf(this, 'cancel');
    },
  });
  for (const name of ['currentTime', 'startTime', 'playbackRate']) {
    const { get, set } = Object.getOwnPropertyDescriptor(Animation.prototype, name);
    const getters = {
      currentTime() {
        const time = get.call(this);
        return typeof time === 'number' ? Math.round(time * 1000) / 1000 : time; // the browser computes it from its own clock, whose last digits differ
      },
      startTime() {
        return get.call(this) === null ? null : timeOf(this) - this.currentTime / (this.playbackRate || 1);
      },
    };
    const setters = {
      startTime(value) {
        const isOurs = typeof value === 'number' && this.timeline instanceof DocumentTimeline;
        set.call(this, isOurs ? timelineTime.call(this.timeline) - (pageNow() - value) : value); // as long ago by the browser's clock as it is by the page's
        if (isOurs) times.delete(this);
      },
    };
    const assign = setters[name] ?? set;
    Object.defineProperty(Animation.prototype, name, { configurable: true, get: getters[name] ?? get, set(value) {
      assign.call(this, value);
      if (this.playState === 'running') atEnd(this);
    } });
  }
  if (typeof Document.prototype.startViewTransition === 'function') {
    const { startViewTransition } = Document.prototype;
    Document.prototype.startViewTransition = function (...how) {
      const transition = startViewTransition.apply(this, how);
      transition.skipTransition();
      return transition;
    };
  }
  const { stop: stopMarquee } = HTMLMarqueeElement.prototype;
  for (const name of ['start', 'stop']) HTMLMarqueeElement.prototype[name] = () => undefined;
  const marquees = document.getElementsByTagName('marquee');
  const stopMarquees = () => {
    for (const marquee of marquees) stopMarquee.call(marquee);
  };
  rest.stilling.add(stopMarquees);
  addEventListener('pagehide', () => {
    rest.stilling.delete(stopMarquees);
    rest.holding.delete(holdArrows);
  });

  const atOnce = (how) => (how?.behavior === 'smooth' ? { ...how, behavior: 'instant' } : how);
  for (const of of [Element.prototype, globalThis]) {
    for (const name of ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView']) {
      const original = of[name];
      if (original === undefined) continue;
      of[name] = function (...how) {
        return original.apply(this, how.map(atOnce));
      };
    }
  }
`;
