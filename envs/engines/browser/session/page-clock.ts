import { settlesWithin } from '../../../core/waiting.ts';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { clockPlace, pageEpoch } from '../scripts/clock-script.ts';
import type { Tab } from './episode-tabs.ts';
import { inFrame } from '../page/in-frame.ts';
import { inOwnWorld } from '../page/own-world.ts';
import { isGoneAway, isTabClosed } from '../page/page-faults.ts';

/** One clock of the documents of an episode: that of a tab, with its frames, or of a frame of another origin. */
interface Clock {
  readonly tab: Tab;
  /** Evaluates in its document; undefined where it has none any more. */
  readonly ask: (expression: string) => Promise<unknown>;
}

/** Turns of several clocks in the exact order of their timers; each takes a millisecond or more of ours. */
const exactTurns = 40;
/** Milliseconds of each turn after these. */
const turnMs = 16;

/** How long an answer is waited for at least that may never come, since its tab set out for another document just before it was asked. */
const answerMs = 5_000;

/** How often tabs are told the time at most, of which others close meanwhile. */
const mostTells = 20;

/** A page may begin an animation whenever another ends. */
const mostWaits = 3;

/** Lets the clocks of all documents of an episode go on, alike and in one order. */
export class PageClock {
  readonly #context: BrowserContext;
  #now = pageEpoch;
  /** Tells the time to documents that begin. */
  #teller: { dispose(): Promise<void> } | undefined;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** Milliseconds that have gone by. */
  get elapsed(): number {
    return this.#now - pageEpoch;
  }

  /**
   * Lets so many milliseconds go by, or more, where a page has waited for its clock in a loop. Documents that begin amid them begin at their end, or, where such a page sets out for them, before what is more.
   */
  async run(tabs: readonly Tab[], ms: number): Promise<void> {
    this.#now += ms;
    const telling = answered(tabs, this.#tell()); // sent first, so that it is there first
    const clocks = (await Promise.all(tabs.map(clocksOf))).flat();
    const [, reached] = await Promise.all([telling, runInOrder(clocks, this.#now)]);
    if (reached === this.#now) return;
    this.#now = reached;
    if (!tabs.some(isLeaving)) await answered(tabs, this.#tell()); // else it would come to some documents and not to others
  }

  /** Tabs are told one after the other, and none where one of them closes meanwhile. */
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

/** Waits until animations of style sheets that have begun are at their end, which takes a frame. What they tell is held by the page until its clock goes on, and so has to have come before. */
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

/** Whether the tab's document is about to give way to another: the browser passes nothing on to it any more, but keeps it for the next one. */
const isLeaving = ({ leaving, frame }: Tab): boolean => leaving.has(frame);

/** What is answered; undefined where it may never be, since a tab that was asked is about to give way, and what it sets out for may come after this alone. */
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
 * The time that they have come to. Where there are several, that which has the earliest timer goes on until another's is due, so that they have their timers in the order of their times, and of the tabs where
 * these are the same. Where that takes many turns, all go on by a frame of a screen at a time, one after the other. Those of a tab that sets out for another document stand still from then on, since that
 * comes when all have come to their end; where none comes, they go on from there the next time.
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
