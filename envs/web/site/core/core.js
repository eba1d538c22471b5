// The MiniWoB++ convention in our own writing: a page draws a problem, says what is wanted in #query, and ends its episode with a reward from -1 to 1.
// Globals are the convention: whoever runs pages reads them.

/** Whether the problem is there to be worked on. */
var WOB_TASK_READY = false;
/** Whether the episode is over. */
var WOB_DONE_GLOBAL = false;
/** The reward of the last episode, less the more time it took. */
var WOB_REWARD_GLOBAL = 0;
/** The reward of the last episode, whatever time it took. */
var WOB_RAW_REWARD_GLOBAL = 0;
/** Why the last episode ended as it did, in words. */
var WOB_REWARD_REASON = '';
/** How many episodes of this page have ended. */
var WOB_EPISODE_ID = 0;

// Chance from a seed: sfc32 (Chris Doty-Humphrey, public domain), its 96 bits of state from an FNV-1a hash of the seed's text, and 12 rounds thrown away.
/** @param {string | number} seed */
function seedChance(seed) {
  let hash = 0x811c9dc5;
  for (const letter of String(seed)) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  let [a, b, c, counter] = [hash, Math.imul(hash, 0x85ebca6b), ~hash, 1];
  Math.random = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  for (let round = 0; round < 12; round += 1) Math.random();
}

Object.assign(Math, { seedrandom: seedChance });

const core = {
  /** Milliseconds that an episode may take; pages with more to do set more. */
  EPISODE_MAX_TIME: 10_000,

  /** @type {number | undefined} */
  timer: undefined,
  startedAt: 0,

  /** Draws a problem. */
  draw: () => {},

  /** Where an episode over several documents is kept: unlike an address, nobody can change it who only uses the page. */
  keptAs: 'episode',

  /**
   * Says which function draws a problem of this page. It is called with an empty #area, and must set the instruction.
   *
   * @param {() => void} genProblem
   */
  page(genProblem) {
    core.draw = genProblem;
    Object.assign(globalThis, { genProblem });
    sessionStorage.removeItem(core.keptAs);
    addEventListener('load', () => core.startEpisode());
  },

  /**
   * The same for a page that is one of several documents of a problem: what has begun in one goes on in the next.
   *
   * @param {() => void} genProblem draws the same in each of them, and shows what is due in this one
   */
  pageOfSeveral(genProblem) {
    const kept = sessionStorage.getItem(core.keptAs);
    let begun =
      kept === null ? undefined : /** @type {{ seed: number, startedAt: number }} */ (JSON.parse(kept));
    const draw = () => {
      const { seed } = begun ?? { seed: core.randi(0, 1_000_000_000) };
      sessionStorage.setItem(
        core.keptAs,
        JSON.stringify({ seed, startedAt: begun?.startedAt ?? Date.now() }),
      );
      begun = undefined; // whoever starts again wants another problem
      seedChance(seed);
      genProblem();
    };
    core.draw = draw;
    Object.assign(globalThis, { genProblem: draw });
    addEventListener('DOMContentLoaded', () =>
      begun === undefined ? core.startEpisode() : core.begin(begun.startedAt),
    );
  },

  /** Shows a cover until somebody starts the episode, by hand or by calling startEpisodeReal. */
  startEpisode() {
    if (document.getElementById('sync-task-cover') !== null) return;
    const cover = document.createElement('div');
    cover.id = 'sync-task-cover';
    const start = document.createElement('button');
    start.textContent = 'START';
    start.addEventListener('click', () => core.startEpisodeReal());
    cover.append(start);
    document.body.append(cover);
  },

  /** Draws a problem and lets its time begin. */
  startEpisodeReal() {
    core.begin(Date.now());
  },

  /**
   * Draws the problem of an episode that began then, perhaps in another document.
   *
   * @param {number} startedAt
   */
  begin(startedAt) {
    clearTimeout(core.timer);
    document.getElementById('sync-task-cover')?.remove();
    WOB_DONE_GLOBAL = false;
    WOB_REWARD_GLOBAL = 0;
    WOB_RAW_REWARD_GLOBAL = 0;
    WOB_REWARD_REASON = '';
    core.byId('area').replaceChildren();
    core.draw();
    WOB_TASK_READY = true;
    core.startedAt = startedAt;
    core.timer = setTimeout(
      () => core.endEpisode(-1, false, 'out of time'),
      core.EPISODE_MAX_TIME - (Date.now() - startedAt),
    );
  },

  /**
   * Ends the episode; one that has ended stays as it is.
   *
   * @param {number} reward from -1 to 1
   * @param {boolean} [timeProportional] whether less is paid the more time it took
   * @param {string} [reason]
   */
  endEpisode(reward, timeProportional = false, reason = '') {
    if (core.timer === undefined) return;
    clearTimeout(core.timer);
    core.timer = undefined;
    const left = Math.max(0, 1 - (Date.now() - core.startedAt) / core.EPISODE_MAX_TIME);
    sessionStorage.removeItem(core.keptAs);
    WOB_RAW_REWARD_GLOBAL = reward;
    WOB_REWARD_GLOBAL = timeProportional ? reward * left : reward;
    WOB_REWARD_REASON = reason;
    WOB_DONE_GLOBAL = true;
    WOB_TASK_READY = false;
    WOB_EPISODE_ID += 1;
    core.startEpisode();
  },

  /**
   * Ends the episode with what a right answer pays, or a wrong one.
   *
   * @param {boolean} right
   */
  finish(right) {
    core.endEpisode(right ? 1 : -1, right, right ? 'right' : 'wrong');
  },

  /** What is wanted, in words. */
  getUtterance() {
    return (core.byId('query').textContent ?? '').replace(/\s+/g, ' ').trim();
  },

  /**
   * Says what is wanted, in one of several wordings.
   *
   * @param {...string} wordings
   */
  ask(...wordings) {
    core.byId('query').textContent = core.sample(wordings);
  },

  /** @param {string} id of an element that is there */
  byId(id) {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`the page has no element #${id}`);
    return found;
  },

  /**
   * A whole number from `low`, below `high`.
   *
   * @param {number} low
   * @param {number} high
   */
  randi(low, high) {
    return low + Math.floor(Math.random() * (high - low));
  },

  /**
   * @template T
   * @param {readonly T[]} items at least one
   * @returns {T}
   */
  sample(items) {
    const item = items[core.randi(0, items.length)];
    if (item === undefined) throw new Error('there is nothing to draw from');
    return item;
  },

  /**
   * A shuffled copy.
   *
   * @template T
   * @param {readonly T[]} items
   * @returns {T[]}
   */
  shuffle(items) {
    const pool = [...items];
    return items.map(() => /** @type {T} */ (pool.splice(core.randi(0, pool.length), 1)[0]));
  },

  /**
   * So many different ones, in any order.
   *
   * @template T
   * @param {readonly T[]} items
   * @param {number} count
   */
  some(items, count) {
    return core.shuffle(items).slice(0, count);
  },
};
