/** What the original's core shows to people, and leaves out of what it tells agents of a page: the score with the clock, and where clicks went. */
const forPeople = '#reward-display, #reward-display *, #click-canvas';

/** What the handle of its end timer is called in the original's core, and in ours. */
const endTimers = '[core.EP_TIMER, core.timer]';

/**
 * What runs in every document of an episode, before its own scripts. What is for people alone is hidden, and stays so when a page shows it. Unless time counts, the page's own
 * limit ends nothing: it is a timer of the core, or one as long as the limit, which pays less than nothing. The limit itself stays, since pages reckon with it.
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
