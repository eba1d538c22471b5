import type { EpisodeTabs } from './episode-tabs.ts';
import type { MountedPages } from './mounted-pages.ts';
import { inOwnWorld } from '../page/own-world.ts';
import { isGoneAway } from '../page/page-faults.ts';

/**
 * Detects when the page that is shown is at rest: nothing is loading, nothing goes on, and everything that
 * has arrived is shown.
 */
export class PageRest {
  readonly #tabs: EpisodeTabs;
  readonly #pages: MountedPages;
  /** The count of late loads when the page was last at rest. */
  #shownLoads = 0;
  /** The load count up to which the current action is awaited. */
  #mostLoaded = 0;

  constructor(tabs: EpisodeTabs, pages: MountedPages) {
    this.#tabs = tabs;
    this.#pages = pages;
  }

  /** Starts a new action: later loads count as its loads. */
  begin(): void {
    this.#mostLoaded = this.#tabs.loadCount.begun + mostLoads;
  }

  /** Whether the page has requested no more than is awaited. */
  get isWaitedFor(): boolean {
    return this.#tabs.loadCount.begun < this.#mostLoaded;
  }

  /**
   * Waits until the page has received and shown what it requested, and requests nothing more, twice in a row.
   * A page that never stops requesting is abandoned after a number of requests. Its view is then from an
   * arbitrary moment and may differ between episodes.
   */
  async reached(): Promise<void> {
    await this.#rounds(async () => {
      // decoding takes long, so it is skipped where nothing new can be in it
      if (this.#tabs.loadCount.late === this.#shownLoads) return 'nothing new';
      await inOwnWorld(this.#tabs.shown.session, showing);
      return 'shown';
    });
    this.#shownLoads = this.#tabs.loadCount.late;
  }

  /**
   * Waits until the page has received what it requested and requests nothing more, whether or not it is
   * shown.
   */
  async come(): Promise<void> {
    await this.#rounds(() => 'nothing new');
  }

  /** @param end runs when everything has arrived; what is shown for the first time may request more */
  async #rounds(end: () => Promise<'shown' | 'nothing new'> | 'nothing new'): Promise<void> {
    for (let round = 0, calm = 0; round < restRounds && calm < calmRounds && this.isWaitedFor; round += 1) {
      const { begun } = this.#tabs.loadCount;
      const asked = this.#tabs.shown;
      await this.#tabs.settle();
      const { page } = this.#tabs.shown;
      const isStill = this.#pages.isIdle && !this.#tabs.isLoading;
      await page.waitForLoadState('load', { timeout: 0 }).catch(unlessGoneAway);
      await this.#loaded();
      const done = await end();
      const isCalm = isStill && this.#tabs.loadCount.begun === begun && asked === this.#tabs.shown;
      calm = !isCalm ? 0 : done === 'shown' ? calm + 1 : calmRounds;
    }
  }

  async #loaded(): Promise<void> {
    await this.#pages.idle();
    for (; this.#tabs.isLoading && this.isWaitedFor; await this.#pages.idle())
      await this.#tabs.loaded(() => this.#pages.isIdle);
  }
}

const unlessGoneAway = (thrown: unknown): void => {
  if (!isGoneAway(thrown)) throw thrown;
};

/** The most requests per action that are awaited. Pages that come to an end need far fewer. */
const mostLoads = 200;
const restRounds = 40;
const calmRounds = 2;

/**
 * Waits until everything that has arrived is shown. Pictures and fonts of all frames are decoded, the page's
 * earlier tasks have run, and it has been drawn again. A tab in the background is not drawn and not awaited.
 */
const showing = `(async () => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const documents = (of) => {
    try {
      return [of.document, ...Array.from(of, documents).flat()];
    } catch {
      return []; // another origin's
    }
  };
  const all = documents(globalThis);
  const pictures = all.flatMap((document) => [...document.images]).filter((image) => image.complete); // others are not asked for yet, or under way
  await Promise.race([pause(1000), Promise.allSettled([...pictures.map((image) => image.decode()), ...all.map((document) => document.fonts.ready)])]);
  await Promise.race([pause(1000), new Promise((done) => requestAnimationFrame(done))]);
  await pause(0);
})()`;
