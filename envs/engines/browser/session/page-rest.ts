import type { EpisodeTabs } from './episode-tabs.ts';
import type { MountedPages } from './mounted-pages.ts';
import { inOwnWorld } from '../page/own-world.ts';
import { isGoneAway } from '../page/page-faults.ts';

/** Knows when the page that is shown has come to rest: nothing is loaded, nothing goes on, and what has come is shown. */
export class PageRest {
  readonly #tabs: EpisodeTabs;
  readonly #pages: MountedPages;
  /** How much had come late when the page last came to rest. */
  #shownLoads = 0;
  /** So much may have been loaded at the end of what is done now, to be waited for. */
  #mostLoaded = 0;

  constructor(tabs: EpisodeTabs, pages: MountedPages) {
    this.#tabs = tabs;
    this.#pages = pages;
  }

  /** What is loaded from now on counts as that of one action. */
  begin(): void {
    this.#mostLoaded = this.#tabs.loadCount.begun + mostLoads;
  }

  /** Whether the page has asked for no more than is waited for. */
  get isWaitedFor(): boolean {
    return this.#tabs.loadCount.begun < this.#mostLoaded;
  }

  /**
   * Waits until the page has what it asked for, has shown it, and asks for nothing more, twice in a row. A page that always asks for more is left after a number
   * of requests, and what is seen of it then is of some moment or other, and may differ from one episode to the next.
   */
  async reached(): Promise<void> {
    await this.#rounds(async () => {
      if (this.#tabs.loadCount.late === this.#shownLoads) return 'nothing new'; // decoding takes long, and is not waited for where nothing new can be in it
      await inOwnWorld(this.#tabs.shown.session, showing);
      return 'shown';
    });
    this.#shownLoads = this.#tabs.loadCount.late;
  }

  /** Waits until the page has what it asked for and asks for nothing more, whether it has been shown or not. */
  async come(): Promise<void> {
    await this.#rounds(() => 'nothing new');
  }

  /** @param end what is done when all has come; what was shown for the first time may ask for more */
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

/** What a page may ask for at most with an action, to be waited for: far more than pages with an end do. */
const mostLoads = 200;
const restRounds = 40;
const calmRounds = 2;

/**
 * Waits until what has come is shown: pictures and fonts of all frames are decoded, the page's tasks that were there before have run, and it is drawn anew. A tab that
 * is not in front is not drawn, and not waited for.
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
