import type { BrowserContext } from 'playwright-core';
import { abortable, openDeadline } from '../../core/context.ts';
import { FaultError } from '../../core/errors.ts';
import { capturePage } from './capture-page.ts';
import type { Clipboard } from './clipboard.ts';
import { EpisodeTabs, type Tab } from './episode-tabs.ts';
import { siteOrigin } from './gateway.ts';
import { inOwnWorld } from './own-world.ts';
import { PageClock, animationsEnded } from './page-clock.ts';
import type { PageAction } from './page-action.ts';
import { browserFault, browserGone, isGoneAway, pageCrashed } from './page-faults.ts';
import { takeSnapshot, type Snapshot } from './page-snapshot.ts';
import type { PageView } from './page-view.ts';
import { performAction, type Refusal } from './perform-action.ts';
import { isPasting } from './key-press.ts';
import type { MountedPages } from './mounted-pages.ts';
import { quietScript } from './quiet-script.ts';
import { settledWithin } from './settled-within.ts';

export interface EpisodeOptions {
  readonly seed: number;
  /** Milliseconds of the page's own clock that an action takes. */
  readonly actionMs: number;
  /** Milliseconds of ours that a page may take to answer. */
  readonly patienceMs: number;
  readonly screenshots: boolean;
  /** Enters texts at once, as pasting does, and never key by key: for pages that do not watch the keyboard. */
  readonly pastes?: boolean;
  /** Runs in every document before its own scripts, and after ours. */
  readonly script?: string;
}

/** What an episode is made of besides its context. */
export interface EpisodeParts {
  readonly pages: MountedPages;
  readonly clipboard: Clipboard;
  readonly options: EpisodeOptions;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Sees that a browser that does not answer is killed. */
  readonly checkBrowser: () => Promise<void>;
}

/** What was taken of a tab at one moment, before its elements have ids. */
interface Seen {
  readonly tab: Tab;
  readonly snapshot: Snapshot;
  readonly screenshot: string | undefined;
}

/**
 * One episode in a context of its own. Whatever the page does, every call ends: with a view, with why the action could not be done, or
 * with a fault of this episode alone.
 */
export class EpisodeBrowser {
  readonly #context: BrowserContext;
  readonly #tabs: EpisodeTabs;
  readonly #pages: MountedPages;
  readonly #clipboard: Clipboard;
  readonly #clock: PageClock;
  readonly #checkBrowser: () => Promise<void>;
  readonly #options: EpisodeOptions;
  readonly #viewport: { readonly width: number; readonly height: number };
  readonly #broken = new AbortController();
  /** How much had come late when the page last came to rest. */
  #shownLoads = 0;
  /** So much may have been loaded at the end of what is done now, to be waited for. */
  #mostLoaded = 0;

  constructor(context: BrowserContext, on: EpisodeParts) {
    this.#context = context;
    this.#clock = new PageClock(context);
    this.#pages = on.pages;
    this.#clipboard = on.clipboard;
    this.#checkBrowser = on.checkBrowser;
    this.#options = on.options;
    this.#viewport = on.viewport;
    this.#tabs = new EpisodeTabs(context, () => this.#broken.abort(pageCrashed('the browser')));
    context.once('close', () => this.#broken.abort(browserGone('the browser')));
  }

  /** Opens the address and gives what is there. */
  async open(path: string, signal: AbortSignal): Promise<PageView> {
    return this.#inTime('opening the page', signal, async () => {
      const [page] = this.#context.pages();
      if (page === undefined) throw new Error('the context has no page');
      await this.#context.addInitScript(`${quietScript(this.#options.seed)}\n${this.#options.script ?? ''}`);
      await this.#tabs.begin(page);
      await page.goto(new URL(path, siteOrigin).href, { waitUntil: 'load', timeout: 0 });
      await this.#settle(this.#options.actionMs);
      return this.#view();
    });
  }

  /** Does the action, lets the page do what it wants to, and gives what is there then. */
  async act(action: PageAction, signal: AbortSignal): Promise<{ readonly view: PageView; readonly refusal: Refusal }> {
    return this.#inTime(`${action.kind} on the page`, signal, async () => {
      const refusal = await this.#perform(action);
      await this.#settle(this.#options.actionMs);
      return { view: await this.#view(), refusal };
    });
  }

  /** What is there now, as after something that {@link read} has set going. No time goes by on the page. */
  async look(signal: AbortSignal): Promise<PageView> {
    return this.#inTime('looking at the page', signal, async () => {
      await this.#settle(0);
      return this.#view();
    });
  }

  /** Lets so much of the page's time go by, as for one that is not ready yet. */
  async pass(ms: number, signal: AbortSignal): Promise<void> {
    return this.#inTime('waiting for the page', signal, async () => this.#settle(ms));
  }

  /** A value of the first tab's own scripts, such as a global, as JSON has it. */
  async read(expression: string, signal: AbortSignal): Promise<unknown> {
    return this.#inTime('reading from the page', signal, async () => {
      const { result, exceptionDetails } = await this.#tabs.first.session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: false });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as unknown;
    });
  }

  async #perform(action: PageAction): Promise<Refusal> {
    const { page } = this.#tabs.shown;
    if (action.kind === 'press' && isPasting(action.key)) await this.#clipboard.offer(page);
    switch (action.kind) {
      case 'wait':
        return undefined;
      case 'goto':
        return this.#goTo(action.url);
      case 'back':
        return (await page.goBack({ waitUntil: 'commit', timeout: 0 })) === null ? 'there is no page before this one' : undefined;
      case 'tab':
        return (await this.#tabs.show(action.tab)) ? undefined : `there is no tab ${action.tab}`;
      case 'close':
        return (await this.#tabs.close()) ? undefined : 'the last tab stays open';
      default:
        return performAction({ ...this.#tabs.shown, viewport: this.#viewport, pastes: this.#options.pastes === true }, action);
    }
  }

  async #goTo(address: string): Promise<Refusal> {
    const { page } = this.#tabs.shown;
    const url = URL.canParse(address, page.url()) ? new URL(address, page.url()) : undefined;
    if (url === undefined || url.origin !== siteOrigin) return `${address} is no address of this site`;
    await page.goto(url.href, { waitUntil: 'commit', timeout: 0 });
    return undefined;
  }

  /**
   * Lets the page's clock go on: then nothing happens until the next action. Loading takes none of its time: what the action asked for is there before the clock
   * goes on, and what timers ask for comes when it stands again. So an answer finds the same time each time, however long it took.
   */
  async #settle(ms: number): Promise<void> {
    await this.#still();
    if (ms === 0) return;
    await this.#pages.after(async () => this.#clock.run(this.#tabs.all, ms));
    await this.#still();
  }

  async #still(): Promise<void> {
    await this.#rest();
    await Promise.all(this.#tabs.all.map(animationsEnded));
  }

  /**
   * Waits until the page has what it asked for, has shown it, and asks for nothing more, twice in a row. A page that always asks for more is left after a number
   * of requests, and what is seen of it then is of some moment or other, and may differ from one episode to the next.
   */
  async #rest(): Promise<void> {
    for (let round = 0, calm = 0; round < restRounds && calm < calmRounds && this.#isWaitedFor; round += 1) {
      const { begun } = this.#tabs.loadCount;
      await this.#tabs.settle();
      const { page, session } = this.#tabs.shown;
      const isStill = this.#pages.isIdle && !this.#tabs.isLoading;
      await page.waitForLoadState('load', { timeout: 0 });
      await this.#loaded();
      const isNew = this.#tabs.loadCount.late !== this.#shownLoads; // a frame takes long, and is not waited for where nothing new can be in it
      if (isNew) await inOwnWorld(session, showing);
      const isCalm = isStill && this.#tabs.loadCount.begun === begun && page === this.#tabs.shown.page;
      calm = !isCalm ? 0 : isNew ? calm + 1 : calmRounds;
    }
    this.#shownLoads = this.#tabs.loadCount.late;
  }

  async #loaded(): Promise<void> {
    await this.#pages.idle();
    for (; this.#tabs.isLoading && this.#isWaitedFor; await this.#pages.idle()) await this.#tabs.loaded(() => this.#pages.isIdle);
  }

  get #isWaitedFor(): boolean {
    return this.#tabs.loadCount.begun < this.#mostLoaded;
  }

  /** What is shown. Taking it can make the page load something, as for a style that nobody has asked for yet, or find that a document has given way: then it is taken again. */
  async #view(): Promise<PageView> {
    for (let round = 1; ; round += 1) {
      const { begun } = this.#tabs.loadCount;
      try {
        const seen = await this.#look();
        if (this.#tabs.loadCount.begun === begun || !this.#isWaitedFor || round === viewRounds) return await this.#viewOf(seen);
      } catch (thrown) {
        if (!isGoneAway(thrown) || round === viewRounds) throw thrown;
      }
      await this.#rest();
    }
  }

  async #look(): Promise<Seen> {
    const tab = this.#tabs.shown;
    const [snapshot, screenshot] = await Promise.all([
      takeSnapshot(tab.session),
      this.#options.screenshots ? tab.page.screenshot({ timeout: 0 }).then((bytes) => bytes.toString('base64')) : undefined,
    ]);
    return { tab, snapshot, screenshot };
  }

  async #viewOf({ tab: { page, ids }, snapshot, screenshot }: Seen): Promise<PageView> {
    const { content, title } = capturePage(snapshot, ids);
    const { pathname, search, hash } = new URL(page.url());
    const titles = await Promise.all(this.#tabs.all.map(async (tab) => (tab.page === page ? title : tab.page.title())));
    return { url: pathname + search + hash, title, tabs: titles, tab: this.#tabs.shownNumber, content, said: this.#tabs.takeSaid(), ...(screenshot === undefined ? {} : { screenshot }) };
  }

  /** Ends with the work, with the caller's abort, with the crash of a page, or when the page has had its time. */
  async #inTime<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    this.#mostLoaded = this.#tabs.loadCount.begun + mostLoads;
    using deadline = openDeadline(AbortSignal.any([signal, this.#broken.signal]), { where: what, ms: this.#options.patienceMs });
    try {
      return await abortable(deadline.signal, work()); // what was given up fails when its context closes
    } catch (thrown) {
      void this.#checkBrowser(); // it may be this page, or all of them
      if (signal.aborted || FaultError.is(thrown)) throw thrown;
      if (this.#broken.signal.aborted) throw this.#broken.signal.reason as Error;
      throw browserFault(what, thrown);
    }
  }

  /** Gives the context back, whatever its pages are doing; the browser with it where it does not take it. */
  async close(): Promise<void> {
    this.#pages[Symbol.dispose]();
    const closed = this.#context.close();
    if (await settledWithin(closeMs, closed)) return; // a browser that is gone has no contexts
    await this.#checkBrowser();
    await settledWithin(closeMs, closed);
  }
}

/** A context is given back at once by a browser that works. */
const closeMs = 1000;

/** What a page may ask for at most with an action, to be waited for: far more than pages with an end do. */
const mostLoads = 200;
const restRounds = 40;
const calmRounds = 2;
const viewRounds = 3;

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
