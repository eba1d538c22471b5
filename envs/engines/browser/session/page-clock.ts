import { settlesWithin } from '../../../core/waiting.ts';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { clockPlace, pageEpoch } from '../scripts/clock-script.ts';
import type { Tab } from './episode-tabs.ts';
import { inFrame } from '../page/in-frame.ts';
import { inOwnWorld } from '../page/own-world.ts';
import { isGoneAway, isTabClosed } from '../page/page-faults.ts';

/** A clock of an episode's documents: that of a tab with its frames, or that of a frame of another origin. */
interface Clock {
  readonly tab: Tab;
  /** Evaluates in its document; undefined where it has no document any more. */
  readonly ask: (expression: string) => Promise<unknown>;
}

/** Turns of several clocks in the exact order of their timers. Each takes a real millisecond or more. */
const exactTurns = 40;
/** Milliseconds of each turn after these. */
const turnMs = 16;

/**
 * Time limit in milliseconds for an answer that may never come, because the tab left for another document
 * just before the question.
 */
const answerMs = 5_000;

/** The most attempts to send tabs the time while others close. */
const mostTells = 20;

/** A page may start an animation whenever another ends. */
const mostWaits = 3;

/** Advances the clocks of all documents of an episode, alike and in one order. */
export class PageClock {
  readonly #context: BrowserContext;
  #now = pageEpoch;
  /** Sends the time to new documents. */
  #teller: { dispose(): Promise<void> } | undefined;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** Milliseconds that have passed. */
  get elapsed(): number {
    return this.#now - pageEpoch;
  }

  /**
   * Advances all clocks by these milliseconds, or more where a page has waited for its clock in a loop.
   * Documents that are loaded meanwhile start at the end of that time. Where such a page has left for them,
   * they start before the excess.
   */
  async run(tabs: readonly Tab[], ms: number): Promise<void> {
    this.#now += ms;
    const telling = answered(tabs, this.#tell()); // sent first, so that it arrives first
    const clocks = (await Promise.all(tabs.map(clocksOf))).flat();
    const [, reached] = await Promise.all([telling, runInOrder(clocks, this.#now)]);
    if (reached === this.#now) return;
    this.#now = reached;
    // otherwise it would reach some documents and not others
    if (!tabs.some(isLeaving)) await answered(tabs, this.#tell());
  }

  /** Sends the time to one tab after the other. Sends it to none where one of them closes meanwhile. */
  async #tell(): Promise<void> {
    const last = this.#teller;
    for (let left = mostTells; ; left -= 1) {
      try {
        this.#teller = await this.#context.addInitScript(`${clockPlace}?.begin?.(${this.#now})`);
        break;
      } catch (thrown) {
        if (left === 0 || !isTabClosed(thrown)) throw thrown;
      }
    }
    last?.dispose().catch(() => undefined); // the context may be gone
  }
}

/**
 * Waits until started animations of style sheets have ended, which takes a frame. The page delays their
 * events until its clock advances, so they must have arrived before.
 */
export async function animationsEnded(tab: Tab): Promise<void> {
  for (let wait = 0; tab.animations > 0 && wait < mostWaits; wait += 1) {
    tab.animations = 0;
    await inOwnWorld(tab.session, ending);
  }
}

const ending = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const late = new Promise((done) => setTimeout(done, 1000));
  await Promise.race([late, Promise.allSettled(document.getAnimations().map((animation) => animation.playState === 'running' && animation.finished))]);
  await Promise.race([late, frame().then(frame)]);
  await new Promise((done) => setTimeout(done, 0));
})()`;

/**
 * Whether the tab's document is about to be replaced. The browser then passes nothing on to it and keeps
 * messages for the next one.
 */
const isLeaving = ({ leaving, frame }: Tab): boolean => leaving.has(frame);

/**
 * The answers. Undefined where they may never come: one of the tabs is about to be replaced, and its next
 * document may wait for this very step.
 */
async function answered<T>(tabs: readonly Tab[], asking: Promise<T>): Promise<T | undefined> {
  while (!(await settlesWithin(answerMs, asking))) if (tabs.some(isLeaving)) return undefined;
  return asking;
}

async function clocksOf(tab: Tab): Promise<Clock[]> {
  const { page, session } = tab;
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  const foreign = await Promise.all(
    frames.map(async (frame) =>
      (await inFrame(frame, `${clockPlace} !== undefined`)) === true
        ? [{ tab, ask: async (expression: string) => inFrame(frame, expression) }]
        : [],
    ),
  );
  return [{ tab, ask: async (expression) => answered([tab], inTab(session, expression)) }, ...foreign.flat()];
}

/**
 * Runs several clocks and returns the time that they reach. The clock with the earliest timer advances until
 * another clock's timer is due. So timers run in the order of their times, and on a tie in the order of the
 * tabs. After many turns, all clocks advance by one frame of the screen at a time, one after the other. The
 * clocks of a tab that leaves for another document stop, because that document arrives after this step. Where
 * it does not arrive, they continue from there the next time.
 */
async function runInOrder(clocks: readonly Clock[], until: number): Promise<number> {
  let reached = until;
  const run = async ({ tab, ask }: Clock, time: number): Promise<void> => {
    if (!isLeaving(tab)) reached = Math.max(reached, timeOf(await ask(runUntil(time)), until));
  };
  const due = async ({ tab, ask }: Clock): Promise<number> =>
    isLeaving(tab) ? Infinity : timeOf(await ask(`${clockPlace}?.clock.next()`), Infinity);
  for (let turn = 1; clocks.length > 1; turn += 1) {
    const times = await Promise.all(clocks.map(due));
    const earliest = Math.min(...times);
    if (earliest > until) break;
    if (turn > exactTurns) {
      const end = Math.min(until, pageEpoch + Math.ceil((earliest - pageEpoch) / turnMs) * turnMs);
      for (const clock of clocks) await run(clock, end);
      continue;
    }
    const place = times.indexOf(earliest);
    const others = times
      .map((time, other) => (other > place ? time : time - 1))
      .filter((_, other) => other !== place);
    await run(clocks[place] as Clock, Math.min(until, ...others));
  }
  for (const clock of clocks) await run(clock, until);
  return reached;
}

const runUntil = (time: number): string => `${clockPlace}?.clock.run(${time})`;
const timeOf = (told: unknown, otherwise: number): number => (typeof told === 'number' ? told : otherwise);

async function inTab(session: CDPSession, expression: string): Promise<unknown> {
  try {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(
        `the page's clock failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
      );
    return result.value as unknown;
  } catch (thrown) {
    if (isGoneAway(thrown)) return undefined;
    throw thrown;
  }
}
