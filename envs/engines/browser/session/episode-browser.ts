import type { BrowserContext } from 'playwright-core';
import { FaultError } from '../../../core/errors.ts';
import { abortable, openDeadline, settlesWithin } from '../../../core/waiting.ts';
import { capturePage } from '../view/capture-page.ts';
import type { Clipboard } from '../actions/clipboard.ts';
import { EpisodeTabs, type Tab } from './episode-tabs.ts';
import { siteOrigin } from '../page/site-origin.ts';
import { PageClock, animationsEnded } from './page-clock.ts';
import type { PageAction } from '../actions/page-action.ts';
import { PageRest } from './page-rest.ts';
import { browserFault, browserGone, isGoneAway, pageCrashed } from '../page/page-faults.ts';
import { takeSnapshot, type Snapshot } from '../view/page-snapshot.ts';
import type { PageView } from '../view/page-view.ts';
import { performAction, type Refusal } from '../actions/perform-action.ts';
import type { HandledPage } from '../actions/mouse.ts';
import { isPasting } from '../actions/key-press.ts';
import type { MountedPages } from './mounted-pages.ts';
import { cut, mostQuoted } from '../view/page-texts.ts';
import { quietScript } from '../scripts/quiet-script.ts';
import type { TabOrder } from '../actions/tab-order.ts';
import { mostOfTitle } from '../view/view-bounds.ts';

export interface EpisodeOptions {
  readonly seed: number;
  /** Milliseconds of the page's own clock per action. */
  readonly actionMs: number;
  /** Milliseconds of real time that a page may take to answer. */
  readonly patienceMs: number;
  readonly screenshots: boolean;
  /**
   * Enters texts at once, as pasting does, and never key by key. For pages that do not watch the keyboard.
   */
  readonly pastes?: boolean;
  /** Runs in every document before its own scripts and after ours. */
  readonly script?: string;
}

/** The parts of an episode besides its context. */
export interface EpisodeParts {
  readonly pages: MountedPages;
  readonly clipboard: Clipboard;
  readonly order: TabOrder;
  readonly options: EpisodeOptions;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Checks the browser and kills it where it does not answer. */
  readonly checkBrowser: () => Promise<void>;
}

/** What was captured of a tab at one moment, before its elements have ids. */
interface Seen {
  readonly tab: Tab;
  readonly snapshot: Snapshot;
  readonly screenshot: string | undefined;
}

/**
 * One episode in a context of its own. Whatever the page does, every call ends: with a view, with the reason
 * why the action could not be done, or with a fault of this episode alone.
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
  readonly #rest: PageRest;
  /** Milliseconds of the page's clock that remain for the current action. */
  #left = 0;

  constructor(context: BrowserContext, on: EpisodeParts) {
    this.#context = context;
    this.#clock = new PageClock(context);
    this.#pages = on.pages;
    this.#clipboard = on.clipboard;
    this.#checkBrowser = on.checkBrowser;
    this.#options = on.options;
    this.#viewport = on.viewport;
    this.#tabs = new EpisodeTabs(context, {
      order: on.order,
      onCrash: () => this.#broken.abort(pageCrashed('the browser')),
    });
    this.#rest = new PageRest(this.#tabs, on.pages);
    context.once('close', () => this.#broken.abort(browserGone('the browser')));
  }

  /** Opens the address and returns the view. */
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

  /** Performs the action, lets the page react, and returns the view. */
  async act(
    action: PageAction,
    signal: AbortSignal,
  ): Promise<{ readonly view: PageView; readonly refusal: Refusal }> {
    return this.#inTime(`${action.kind} on the page`, signal, async () => {
      this.#left = this.#options.actionMs;
      const refusal = await this.#perform(action);
      await this.#settle(this.#left);
      return { view: await this.#view(), refusal };
    });
  }

  /**
   * Returns the current view, for example after an expression of {@link read} has changed something. No time
   * passes on the page.
   */
  async look(signal: AbortSignal): Promise<PageView> {
    return this.#inTime('looking at the page', signal, async () => {
      await this.#settle(0);
      return this.#view();
    });
  }

  /** Lets this much of the page's time pass, for a page that is not ready yet. */
  async pass(ms: number, signal: AbortSignal): Promise<void> {
    return this.#inTime('waiting for the page', signal, async () => this.#settle(ms));
  }

  /** A value of the scripts of the first tab, such as a global, as JSON. */
  async read(expression: string, signal: AbortSignal): Promise<unknown> {
    return this.#inTime('reading from the page', signal, async () => {
      const { result, exceptionDetails } = await this.#tabs.first.session.send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: false,
      });
      if (exceptionDetails !== undefined)
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as unknown;
    });
  }

  /** Performs an action. An action that closes its tab counts as done. */
  async #perform(action: PageAction): Promise<Refusal> {
    const tab = this.#tabs.shown;
    try {
      return await this.#performOn(tab, action);
    } catch (thrown) {
      if (await this.#tabs.isLeft(tab, thrown)) return undefined;
      throw thrown;
    }
  }

  async #performOn(tab: Tab, action: PageAction): Promise<Refusal> {
    const { page } = tab;
    if (action.kind === 'press' && isPasting(action.key)) await this.#clipboard.offer(page);
    switch (action.kind) {
      case 'wait':
        return undefined;
      case 'goto':
        return this.#goTo(action.url);
      case 'back':
        return this.#tabs.back();
      case 'tab':
        return (await this.#tabs.show(action.tab)) ? undefined : `there is no tab ${action.tab}`;
      case 'close':
        return (await this.#tabs.close()) ? undefined : 'the last tab stays open';
      default:
        return performAction(
          {
            ...tab,
            viewport: this.#viewport,
            pastes: this.#options.pastes === true,
            rest: this.#resting(tab),
            pass: async (share) => this.#pass(share),
          },
          action,
        );
    }
  }

  /**
   * Waits for the effects of the last mouse or keyboard input on a tab, at each call during an action. A page
   * that never rests is not awaited again.
   */
  #resting(tab: Tab): HandledPage['rest'] {
    let left = mostRests;
    let isRestless = false;
    return async (until) => {
      if (isRestless) return;
      left -= 1;
      isRestless = !(await this.#tabs.calm(tab, left >= 0 ? 'frames' : 'tasks'));
      if (!this.#tabs.isLoading && !this.#tabs.isLeaving && this.#pages.isIdle) return;
      await (until === 'shown' ? this.#rest.reached() : this.#rest.come());
    };
  }

  /** Lets a share of the action's time pass before the action is done. */
  async #pass(share: number): Promise<void> {
    const ms = Math.min(this.#left, Math.floor(this.#options.actionMs * share));
    this.#left -= ms;
    await this.#settle(ms);
  }

  async #goTo(address: string): Promise<Refusal> {
    const { page } = this.#tabs.shown;
    const url = URL.canParse(address, page.url()) ? new URL(address, page.url()) : undefined;
    if (url?.protocol !== 'http:' || url.origin !== siteOrigin)
      return `${quoted(address)} is no address of this site`; // addresses of blobs have this origin too
    try {
      await page.goto(url.href, { waitUntil: 'commit', timeout: 0 });
      return undefined;
    } catch (thrown) {
      if (thrown instanceof Error && /net::ERR_|Download is starting/.test(thrown.message))
        // a response without a page, or a file, or one that the browser refuses
        return `${quoted(address)} shows no page`;
      throw thrown;
    }
  }

  /**
   * Advances the page's clock. After that nothing happens until the next action. Loading takes none of the
   * page's time: what the action requested arrives before the clock advances, and what timers request arrives
   * when it has stopped again. So a response always finds the same time, however long it took.
   */
  async #settle(ms: number): Promise<void> {
    await this.#still();
    if (ms === 0) return;
    await this.#pages.after(async () => this.#clock.run(this.#tabs.all, ms));
    await this.#still();
  }

  async #still(): Promise<void> {
    await this.#rest.reached();
    await Promise.all(this.#tabs.all.map(animationsEnded));
  }

  /**
   * The current view. Capturing it can make the page load something, such as an image of a style that was not
   * needed before. It can also find that a document was replaced or a tab closed. Then it is captured again.
   */
  async #view(): Promise<PageView> {
    for (let round = 1; ; round += 1) {
      const { begun } = this.#tabs.loadCount;
      try {
        const seen = await this.#look();
        if (this.#tabs.loadCount.begun === begun || !this.#rest.isWaitedFor || round === viewRounds)
          return await this.#viewOf(seen);
      } catch (thrown) {
        if (!isGoneAway(thrown) || round === viewRounds) throw thrown;
      }
      await this.#rest.reached();
    }
  }

  async #look(): Promise<Seen> {
    const tab = this.#tabs.shown;
    const [snapshot, screenshot] = await Promise.all([
      takeSnapshot(tab.session),
      this.#options.screenshots
        ? tab.page.screenshot({ timeout: 0 }).then((bytes) => bytes.toString('base64'))
        : undefined,
    ]);
    return { tab, snapshot, screenshot };
  }

  async #viewOf({ tab: { page, ids }, snapshot, screenshot }: Seen): Promise<PageView> {
    const { content, title, leftOut } = capturePage(snapshot, ids);
    const titles = await Promise.all(
      this.#tabs.all.map(async (tab) =>
        tab.page === page ? title : cut(await tab.page.title(), mostOfTitle),
      ),
    );
    return {
      url: shownAddress(page.url()),
      title,
      tabs: titles,
      tab: this.#tabs.shownNumber,
      content,
      said: [...this.#tabs.takeSaid(), ...leftOut],
      ...(screenshot === undefined ? {} : { screenshot }),
    };
  }

  /** Ends with the work, with the caller's abort, with the crash of a page, or at the page's time limit. */
  async #inTime<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    this.#rest.begin();
    const where = `${what}, at ${this.#clock.elapsed} ms of its clock,`;
    const { documents } = this.#tabs;
    using deadline = openDeadline(AbortSignal.any([signal, this.#broken.signal]), {
      where,
      ms: this.#options.patienceMs,
    });
    try {
      return await abortable(deadline.signal, work()); // abandoned work fails when its context closes
    } catch (thrown) {
      void this.#checkBrowser(); // this page may hang, or all of them
      const isEndless = this.#tabs.documents - documents > mostDocuments && !signal.aborted;
      if (isEndless && FaultError.is(thrown) && thrown.fault.kind === 'deadline-passed')
        throw new FaultError(
          { ...thrown.fault, where: `${where} where each document gave way to another,` },
          { cause: thrown },
        );
      if (signal.aborted || FaultError.is(thrown)) throw thrown;
      if (this.#broken.signal.aborted) throw this.#broken.signal.reason as Error;
      throw browserFault(what, thrown);
    }
  }

  /**
   * Closes the context, whatever its pages are doing. Where the browser does not close it, the browser is
   * closed too.
   */
  async close(): Promise<void> {
    this.#pages[Symbol.dispose]();
    const closed = this.#context.close();
    if (await settlesWithin(closeMs, closed)) return; // a browser that is gone has no contexts
    await this.#checkBrowser();
    await settlesWithin(closeMs, closed);
  }
}

const quoted = (address: string): string => cut(address, mostQuoted);

/** Blobs have random addresses. */
function shownAddress(address: string): string {
  const { protocol, pathname, search, hash } = new URL(address);
  return (protocol === 'blob:' ? protocol : pathname) + search + hash;
}

/** Time limit in milliseconds. A working browser closes a context at once. */
const closeMs = 1000;

/**
 * How often frames are awaited during an action where something on the page waits for them. Each takes some
 * milliseconds, on a busy machine some tens.
 */
const mostRests = 101; // 50 letters, and the focus before them

const viewRounds = 3;

/** The most documents in a row before a page counts as never arriving. */
const mostDocuments = 10;
