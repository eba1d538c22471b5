import { z } from 'zod';
import { FaultError } from '../core/errors.ts';
import type { EpisodeBrowser } from '../engines/browser/episode-browser.ts';

/** How an episode of a page ended: rewards from -1 to 1, one less the more time it took. */
export interface PageOutcome {
  readonly raw: number;
  readonly timed: number;
  /** In the page's own words. */
  readonly reason: string;
}

const said = z.union([z.string(), z.object({ utterance: z.string() }).transform(({ utterance }) => utterance)]);
const started = z.union([z.strictObject({ missing: z.string() }), z.strictObject({ said })]);
const number = z.number().catch(0);
const state = z.strictObject({ here: z.string(), isOurs: z.boolean(), isCovered: z.boolean(), isPage: z.boolean(), done: z.boolean(), raw: number, timed: number, reason: z.string() });

/** Left on a document in which the episode goes on; one that is loaded anew has it not. */
const mark = '__cairnEpisode';

/** Longer than any episode, and short enough for a timer. */
const unlimitedMs = 2_000_000_000;

/**
 * Starts an episode of the page that is shown, by the MiniWoB++ convention: a seed, `core.startEpisodeReal()`, and the instruction. With
 * `timed` the page's own limit stays; else steps alone end an episode.
 */
export async function startEpisode(browser: EpisodeBrowser, on: { readonly page: string; readonly seed: number; readonly timed: boolean }, signal: AbortSignal): Promise<string> {
  const answer = await browser.read(
    `(() => {
      if (typeof Math.seedrandom !== 'function') return { missing: 'Math.seedrandom' };
      if (typeof core !== 'object' || typeof core.startEpisodeReal !== 'function' || typeof core.getUtterance !== 'function') return { missing: 'core.startEpisodeReal or core.getUtterance' };
      ${on.timed ? '' : `core.EPISODE_MAX_TIME = ${unlimitedMs};`}
      Math.seedrandom(${on.seed});
      core.startEpisodeReal();
      Object.defineProperty(globalThis, '${mark}', { value: true });
      return { said: core.getUtterance() };
    })()`,
    signal,
  );
  const read = started.safeParse(answer);
  if (read.success && 'said' in read.data) return read.data.said.replaceAll(/\s+/g, ' ').trim();
  const message = read.success && 'missing' in read.data ? `it has no ${read.data.missing}.` : 'core.getUtterance() gave no text.';
  throw new FaultError({ kind: 'task-broken', where: `page ${on.page}`, message: `${message} Pages follow the MiniWoB++ convention.` });
}

/**
 * Where the episode stands: how it ended, or undefined while it goes on. A page that was left, or loaded anew so that its problem is gone, has
 * lost it; nothing is played there, so that nobody can look for an easier problem. Several documents of one page go on with one problem.
 */
export async function outcomeOf(browser: EpisodeBrowser, page: string, signal: AbortSignal): Promise<PageOutcome | undefined> {
  const now = state.parse(
    await browser.read(
      `(() => ({
        here: location.pathname,
        isOurs: globalThis.${mark} === true,
        isCovered: document.getElementById('sync-task-cover') !== null && document.getElementById('sync-task-cover').style.display !== 'none',
        isPage: typeof WOB_DONE_GLOBAL === 'boolean',
        done: typeof WOB_DONE_GLOBAL === 'boolean' && WOB_DONE_GLOBAL,
        raw: typeof WOB_RAW_REWARD_GLOBAL === 'number' ? WOB_RAW_REWARD_GLOBAL : 0,
        timed: typeof WOB_REWARD_GLOBAL === 'number' ? WOB_REWARD_GLOBAL : 0,
        reason: typeof WOB_REWARD_REASON === 'string' ? WOB_REWARD_REASON : '',
      }))()`,
      signal,
    ),
  );
  if (now.here !== page || !now.isPage) return lost;
  if (now.done) return { raw: now.raw, timed: now.timed, reason: now.reason };
  if (now.isOurs) return undefined;
  if (now.isCovered) return lost;
  await browser.read(`void Object.defineProperty(globalThis, '${mark}', { value: true })`, signal);
  return undefined;
}

const lost: PageOutcome = { raw: -1, timed: -1, reason: 'the page was left' };
