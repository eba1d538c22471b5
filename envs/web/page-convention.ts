import { z } from 'zod';
import { FaultError } from '../core/errors.ts';
import type { EpisodeBrowser } from '../engines/browser/session/episode-browser.ts';
import type { FolderPage } from './page-folder.ts';

/** How an episode of a page ended: a reward from -1 to 1, lower the more time it took. */
export interface PageOutcome {
  readonly raw: number;
  readonly timed: number;
  /** In the page's own words. */
  readonly reason: string;
}

const said = z.union([
  z.string(),
  z.object({ utterance: z.string() }).transform(({ utterance }) => utterance),
]);
const started = z.union([
  z.strictObject({ missing: z.string() }),
  z.strictObject({ threw: z.string() }),
  z.strictObject({ loading: z.literal(true) }),
  z.strictObject({ said }),
]);
/** A reward by the convention, or a description of the value in its place. */
const paid = z.union([z.number(), z.strictObject({ is: z.string() })]);
const state = z.strictObject({
  here: z.string(),
  isOurs: z.boolean(),
  isCovered: z.boolean(),
  isPage: z.boolean(),
  done: z.boolean(),
  raw: paid,
  timed: paid,
  reason: z.string(),
});

/** Marks the document of the running episode. A document that was loaded again lacks it. */
const mark = '__cairnEpisode';

/** The page time for loading its parts, and the interval of checks, in milliseconds. */
const mostLoadingMs = 60_000;
const loadingMs = 500;

/** Characters. */
const longestInstruction = 100_000;

/** The instruction, once the page reports that it is ready. Not all pages report it. */
const ask = `typeof WOB_TASK_READY === 'boolean' && !WOB_TASK_READY ? { loading: true } : { said: core.getUtterance() }`;

/**
 * Starts an episode of the page that is shown, by the MiniWoB++ convention: a seed,
 * `core.startEpisodeReal()`, and the instruction when it is ready.
 */
export async function startEpisode(
  browser: EpisodeBrowser,
  { page, seed }: { readonly page: FolderPage; readonly seed: number },
  signal: AbortSignal,
): Promise<string> {
  let answer = await startedBy(
    browser,
    `if (typeof Math.seedrandom !== 'function') return { missing: 'Math.seedrandom' };
    if (typeof core !== 'object' || typeof core.startEpisodeReal !== 'function' || typeof core.getUtterance !== 'function') return { missing: 'core.startEpisodeReal or core.getUtterance' };
    Math.seedrandom(${seed});
    core.startEpisodeReal();
    Object.defineProperty(globalThis, '${mark}', { value: true });
    return ${ask};`,
    signal,
  );
  for (let waitedMs = 0; answer !== undefined && 'loading' in answer; waitedMs += loadingMs) {
    if (waitedMs >= mostLoadingMs)
      throw broken(page, `its WOB_TASK_READY did not become true within ${mostLoadingMs} ms of its time.`);
    await browser.pass(loadingMs, signal);
    answer = await startedBy(browser, `return ${ask};`, signal);
  }
  if (answer === undefined) throw broken(page, 'core.getUtterance() returned no text.');
  if ('said' in answer && answer.said.length > longestInstruction)
    throw broken(
      page,
      `its instruction has ${answer.said.length} characters; at most ${longestInstruction} are given to agents.`,
    );
  if ('said' in answer) return answer.said.replaceAll(/\s+/g, ' ').trim();
  throw broken(
    page,
    'threw' in answer ? `it could not be started: ${answer.threw}.` : `it has no ${answer.missing}.`,
  );
}

/** The result of the statements; undefined where the convention does not know it. */
async function startedBy(
  browser: EpisodeBrowser,
  statements: string,
  signal: AbortSignal,
): Promise<z.output<typeof started> | undefined> {
  const answer = await browser.read(
    `(() => { try { ${statements} } catch (thrown) { return { threw: String(thrown).slice(0, 500) }; } })()`,
    signal,
  );
  return started.safeParse(answer).data;
}

const broken = ({ name }: FolderPage, what: string): FaultError =>
  new FaultError({
    kind: 'task-broken',
    where: `page ${name}`,
    message: `${what} Pages follow the MiniWoB++ convention.`,
  });

/**
 * The state of the episode: how it ended, or undefined while it goes on. An episode is lost where its
 * document was left, or was loaded again so that its problem is gone. Nothing is played there, so that nobody
 * can look for an easier problem. Several documents of one page continue with one problem. The title of a
 * document does not count.
 */
export async function outcomeOf(
  browser: EpisodeBrowser,
  page: FolderPage,
  signal: AbortSignal,
): Promise<PageOutcome | undefined> {
  const { data: now } = state.safeParse(await browser.read(readState, signal));
  if (now === undefined)
    throw broken(
      page,
      'it changed what its outcome is read by, such as Number.isFinite, so that its reward cannot be told.',
    );
  if (!now.isOurs && (now.here !== page.path || !now.isPage)) return lost;
  if (now.done)
    return {
      raw: rewardOf(page, 'WOB_RAW_REWARD_GLOBAL', now.raw),
      timed: rewardOf(page, 'WOB_REWARD_GLOBAL', now.timed),
      reason: now.reason,
    };
  if (now.isOurs) return undefined;
  if (now.isCovered) return lost;
  await browser.read(`void Object.defineProperty(globalThis, '${mark}', { value: true })`, signal);
  return undefined;
}

/**
 * Checks that a page stays. A page that navigates away by itself before it is ready was not left by the
 * player, and nothing can be won there.
 *
 * @throws FaultError where it navigated away
 */
export async function assertStays(
  browser: EpisodeBrowser,
  page: FolderPage,
  signal: AbortSignal,
): Promise<void> {
  if ((await outcomeOf(browser, page, signal)) === lost)
    throw broken(page, 'it navigated away or reloaded itself while it was starting.');
}

const readState = `(() => {
  const paid = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : { is: (typeof value === 'string' ? JSON.stringify(value) : Object(value) === value ? 'an object' : String(value)).slice(0, 60) });
  return {
    here: location.pathname,
    isOurs: globalThis.${mark} === true,
    isCovered: document.getElementById('sync-task-cover') !== null && document.getElementById('sync-task-cover').style.display !== 'none',
    isPage: typeof WOB_DONE_GLOBAL === 'boolean',
    done: typeof WOB_DONE_GLOBAL === 'boolean' && WOB_DONE_GLOBAL,
    raw: paid(typeof WOB_RAW_REWARD_GLOBAL === 'undefined' ? undefined : WOB_RAW_REWARD_GLOBAL),
    timed: paid(typeof WOB_REWARD_GLOBAL === 'undefined' ? undefined : WOB_REWARD_GLOBAL),
    reason: typeof WOB_REWARD_REASON === 'string' ? WOB_REWARD_REASON : '',
  };
})()`;

function rewardOf(page: FolderPage, name: string, value: z.output<typeof paid>): number {
  if (typeof value === 'number' && value >= -1 && value <= 1) return value;
  throw broken(
    page,
    `its episode ended with ${name} ${typeof value === 'number' ? value : value.is}, and rewards are numbers from -1 to 1.`,
  );
}

const lost: PageOutcome = { raw: -1, timed: -1, reason: 'the page was left' };
