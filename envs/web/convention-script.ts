/**
 * Elements of the original's core that are for people and are hidden from agents: the score with the clock,
 * and the places of clicks.
 */
const forPeople = '#reward-display, #reward-display *, #click-canvas';

/** The names of the handle of the end timer in the original's core, and in ours. */
const endTimers = '[core.EP_TIMER, core.timer]';

/**
 * The script of every document of an episode, which runs before the document's own scripts. Elements for
 * people alone are hidden, and stay hidden when a page shows them. Unless time counts, the page's own time
 * limit ends nothing. The limit is a timer of the core, or one of the same length that pays less than
 * nothing. Its value stays, because pages compute with it.
 */
export const conventionScript = ({ timed }: { readonly timed: boolean }): string => `(() => {
  const hidden = new CSSStyleSheet();
  hidden.replaceSync('${forPeople} { visibility: hidden !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, hidden];
  ${timed ? '' : withoutLimit}
})();`;

const withoutLimit = `const { setTimeout } = globalThis;
  globalThis.setTimeout = (handler, ms, ...rest) => {
    if (typeof handler !== 'function' || typeof core !== 'object') return setTimeout(handler, ms, ...rest);
    const isLong = ms >= core.EPISODE_MAX_TIME;
    const timer = setTimeout(() => {
      if (!isLong && !${endTimers}.includes(timer)) return handler(...rest);
      const { endEpisode } = core;
      core.endEpisode = (reward, ...more) => (reward < 0 ? undefined : endEpisode.call(core, reward, ...more));
      try {
        return handler(...rest);
      } finally {
        core.endEpisode = endEpisode;
      }
    }, ms);
    return timer;
  };`;
