import type { BrowserContext, CDPSession, Dialog, Page } from 'playwright-core';
import { clockPlace } from '../scripts/clock-script.ts';
import { ElementIds } from '../view/element-ids.ts';
import { isGoneAway, isTabClosed } from '../page/page-faults.ts';
import { PageLoads, type LoadCount } from './page-loads.ts';
import { cut, mostQuoted } from '../view/page-texts.ts';
import type { Refusal } from '../actions/perform-action.ts';
import type { TabOrder } from '../actions/tab-order.ts';
import { settlesWithin, sleep } from '../../../core/waiting.ts';

/** The most tabs that a page may open. Further tabs are closed at once and reported. */
const mostTabs = 8;

export interface Tab {
  readonly page: Page;
  readonly session: CDPSession;
  readonly ids: ElementIds;
  /** The id of its outermost frame. */
  readonly frame: string;
  /** Frames that are loading another document, and how far they are. */
  readonly leaving: Map<string, 'asked' | 'begun'>;
  readonly loads: PageLoads;
  /** Animations of style sheets that have started. They report with the next frame. */
  animations: number;
  /** Documents and history entries that have been entered, including those of frames. */
  entered: number;
}

/**
 * Time limit in milliseconds. An announced window, or a requested document, starts at once or was not
 * allowed. An answered one is taken at once, and a closing one closes at once.
 */
const arrivalMs = 2_000;

/** Milliseconds to wait for a step in the history, because nothing reports one that is given up. */
const historyMs = 2;

/** Protocols of addresses that lead somewhere, even if only to a refusal by the network. */
const shownProtocols: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'http:',
  'https:',
  'javascript:',
]);

/** How often a tab is asked whether it closes while its documents are replaced. */
const mostAsked = 3;

/** Styles are computed last. That starts their animations and requests their resources. */
const calm = (most: 'frames' | 'tasks'): string => `(async () => {
  const isCalm = await ${clockPlace}?.rest.calm(${most === 'frames'});
  document.documentElement?.offsetWidth;
  return isCalm;
})()`;

/**
 * The tabs of one episode: which one is shown, which opened and closed, and what pages said in dialogs.
 * Dialogs are answered at once.
 */
export class EpisodeTabs {
  readonly #context: BrowserContext;
  readonly #order: TabOrder;
  readonly #onCrash: () => void;
  #tabs: Tab[] = [];
  #shown = 0;
  #said: string[] = [];
  /** Windows that pages have started to open since the last wait for them, and those that have arrived. */
  #announced = 0;
  #come = 0;
  /** Windows that were closed at once since the last call of `takeSaid`. */
  #refused = 0;
  #documents = 0;
  readonly #loadCount: LoadCount = { begun: 0, late: 0 };
  #waiting: (() => void)[] = [];
  /** Tabs that are being added. */
  readonly #arriving = new Set<Promise<void>>();

  constructor(
    context: BrowserContext,
    { order, onCrash }: { readonly order: TabOrder; readonly onCrash: () => void },
  ) {
    this.#context = context;
    this.#order = order;
    this.#onCrash = onCrash;
    context.on('page', (page) => this.#welcome(page));
  }

  /** Adds the first tab. */
  async begin(page: Page): Promise<void> {
    page.on('close', () => this.#leave(page));
    await this.#take(page, await this.#attached(page));
  }

  get shown(): Tab {
    return this.#tabs[this.#shown] as Tab;
  }

  get first(): Tab {
    return this.#tabs[0] as Tab;
  }

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  get shownNumber(): number {
    return this.#shown + 1;
  }

  /**
   * Waits until nothing but loading goes on in the page that is shown. Also waits for tabs that are arriving,
   * and until no page of any tab is about to be replaced.
   */
  async settle(): Promise<void> {
    if (!(await this.calm(this.shown, 'frames')))
      this.#tell('The page never comes to rest: it is seen as it was at some moment.');
    while (this.#announced > this.#come && (await this.#change(arrivalMs)));
    this.#announced = this.#come = 0;
    await Promise.all(this.#arriving);
    await this.#left();
    for (let leaving = this.#leaving; leaving.length > 0; leaving = this.#leaving) {
      const isBegun = leaving.some((frames) => [...frames.values()].includes('begun'));
      const isChanged = await this.#change(isBegun ? undefined : arrivalMs);
      if (!isChanged) for (const frames of leaving) frames.clear();
    }
  }

  get #leaving(): readonly Tab['leaving'][] {
    return this.#tabs.map(({ leaving }) => leaving).filter(({ size }) => size > 0);
  }

  /**
   * Asks in the page's own turn. So everything that the last action started, including animations of styles,
   * has been reported before the answer. False where the page never rests.
   *
   * @param most whether frames are awaited too, where something on the page waits for them
   */
  async calm({ session }: Tab, most: 'frames' | 'tasks'): Promise<boolean> {
    try {
      const { result } = await session.send('Runtime.evaluate', {
        expression: calm(most),
        awaitPromise: true,
        returnByValue: true,
      });
      return result.value !== false;
    } catch (thrown) {
      if (isGoneAway(thrown)) return true;
      throw thrown;
    }
  }

  /**
   * Waits for tabs that are closing, by themselves or by others. Each page knows that it will close before
   * the browser reports it.
   */
  async #left(): Promise<void> {
    if (this.#tabs.length === 1) return;
    const all = this.#tabs;
    const areClosing = await Promise.all(all.map(isClosing));
    for (const [place, tab] of all.entries()) if (areClosing[place] === true) await this.#closed(tab.page);
  }

  /** Whether the tab is closed, now or shortly. */
  async #closed(page: Page): Promise<boolean> {
    while (!page.isClosed() && (await this.#change(arrivalMs)));
    return page.isClosed();
  }

  /** Whether a request to a tab failed because the tab closed while others stay open. */
  async isLeft(tab: Tab, thrown: unknown): Promise<boolean> {
    return isGoneAway(thrown) && (await this.#closed(tab.page)) && !this.#tabs.includes(tab);
  }

  #tell(what: string): void {
    if (!this.#said.includes(what)) this.#said.push(what);
  }

  /** Reports addresses that another program would open, or that no page may open. */
  #tellOutside(url: string): void {
    if (URL.canParse(url) && !shownProtocols.has(new URL(url).protocol))
      this.#tell(
        `The page wanted to go to ${JSON.stringify(cut(url, mostQuoted))}, which nothing here opens.`,
      );
  }

  /** The number of documents that all tabs have loaded, without those of frames. */
  get documents(): number {
    return this.#documents;
  }

  get loadCount(): Readonly<LoadCount> {
    return this.#loadCount;
  }

  /** Whether a document of some tab is about to be replaced. */
  get isLeaving(): boolean {
    return this.#leaving.length > 0;
  }

  get isLoading(): boolean {
    return this.#tabs.some(({ loads }) => !loads.isEmpty);
  }

  /**
   * Waits until a load ends. It may be that no load ends although all requests are answered, for example
   * because a page does not read a response. Then all loads are abandoned, so that this wait happens only
   * once.
   */
  async loaded(isAnswered: () => boolean): Promise<void> {
    if (!this.isLoading || (await this.#change(arrivalMs)) || !isAnswered()) return;
    for (const { loads } of this.#tabs) loads.forget();
  }

  /** Waits for a report on tabs or documents, at most for the given time. Returns whether there was one. */
  async #change(ms: number | undefined): Promise<boolean> {
    const told = new Promise<void>((resolve) => void this.#waiting.push(resolve));
    if (ms !== undefined) return settlesWithin(ms, told);
    await told;
    return true;
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Shows the tab of this number, from 1. False where it does not exist. */
  async show(number: number): Promise<boolean> {
    const tab = this.#tabs[number - 1];
    if (tab === undefined) return false;
    this.#shown = number - 1;
    await tab.page.bringToFront();
    return true;
  }

  /** Closes the tab that is shown. False where it is the last one. */
  async close(): Promise<boolean> {
    if (this.#tabs.length === 1) return false;
    await this.shown.page.close();
    return true;
  }

  /**
   * Goes back one step in the history of the tab that is shown and of its frames. Returns the reason where
   * that is impossible.
   */
  async back(): Promise<Refusal> {
    const tab = this.shown;
    const { session, leaving, entered } = tab;
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
    const before = entries[currentIndex - 1];
    // a tab starts with an empty page
    if (before === undefined || before.url === 'about:blank') return 'there is no page before this one';
    await session.send('Page.navigateToHistoryEntry', { entryId: before.id });
    let isSetOut = false;
    for (
      const late = AbortSignal.timeout(arrivalMs);
      tab.entered === entered && (!late.aborted || leaving.size > 0);
      await sleep(historyMs)
    ) {
      const isBack = await isBefore(tab, currentIndex);
      // it was given up, for example because the page forbids it or no page came
      if (isSetOut && isBack === false) break;
      isSetOut ||= isBack === true;
    }
    return tab.entered === entered && !(await isBefore(tab, currentIndex))
      ? 'the page before this one does not come back'
      : undefined;
  }

  /** What pages have said in dialogs since the last call, and how the dialogs were answered. */
  takeSaid(): readonly string[] {
    const said =
      this.#refused === 0
        ? this.#said
        : [
            ...this.#said,
            `A page wanted to open ${this.#refused === 1 ? 'another tab' : `${this.#refused} other tabs`}; there are ${mostTabs} already.`,
          ];
    this.#said = [];
    this.#refused = 0;
    return said;
  }

  #welcome(page: Page): void {
    page.on('close', () => this.#leave(page));
    const arrival = this.#arrive(page)
      .catch(async (thrown: unknown) => {
        if (!(await this.#closed(page))) throw thrown;
        this.#leave(page); // it may have closed before it was added to the tabs
      })
      .finally(() => this.#arriving.delete(arrival));
    this.#arriving.add(arrival);
    this.#come += 1;
    this.#changed();
    arrival.catch(() => undefined); // reported when it is awaited
  }

  async #arrive(page: Page): Promise<void> {
    if (this.#tabs.some((tab) => tab.page === page)) return;
    const attached = await this.#attached(page);
    if (this.#order.olderThan(attached.frame) >= mostTabs) {
      this.#refused += 1;
      await page.close();
      return;
    }
    await this.#take(page, attached);
    this.#shown = this.#tabs.length - 1;
  }

  async #attached(page: Page): Promise<Pick<Tab, 'session' | 'frame'>> {
    const session = await this.#context.newCDPSession(page);
    return { session, frame: (await session.send('Target.getTargetInfo')).targetInfo.targetId };
  }

  async #take(page: Page, { session, frame }: Pick<Tab, 'session' | 'frame'>): Promise<void> {
    const leaving: Tab['leaving'] = new Map();
    const loads = new PageLoads(this.#loadCount);
    const tab: Tab = {
      page,
      session,
      ids: new ElementIds(),
      frame,
      leaving,
      loads,
      animations: 0,
      entered: 0,
    };
    this.#tabs = [...this.#tabs, tab].sort(
      (one, other) => this.#order.placeOf(one.frame) - this.#order.placeOf(other.frame),
    );
    const stays = (frame: string): void => {
      if (leaving.delete(frame)) this.#changed();
    };
    session.on('Page.windowOpen', ({ url }) => {
      this.#announced += 1;
      this.#tellOutside(url);
    });
    // also for navigations by the page itself
    session.on('Page.frameScheduledNavigation', ({ url }) => this.#tellOutside(url));
    // The page sends this before its next answer, while the browser reports the start of a frame's navigation
    // at any time.
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (disposition === 'currentTab' && !leaving.has(frameId)) leaving.set(frameId, 'asked');
    });
    session.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
      if (navigationType !== 'sameDocument' && navigationType !== 'historySameDocument')
        leaving.set(frameId, 'begun');
      this.#changed();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId }) => {
      tab.entered += 1;
      if (leaving.get(frameId) === 'asked') stays(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      tab.entered += 1;
      if (frame.parentId === undefined) {
        this.#documents += 1;
        tab.ids.clear(); // not reported for another address within the same document
      }
      stays(frame.id);
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => stays(frameId));
    session.on('Page.frameDetached', ({ frameId }) => stays(frameId));
    session.on('Animation.animationCreated', () => (tab.animations += 1));
    await session.send('Page.enable');
    await session.send('Animation.enable');
    await loads.follow(session, () => this.#changed());
    page.on('dialog', (dialog) => void this.#reply(dialog).catch(() => undefined)); // its page may be gone
    page.on('crash', this.#onCrash);
  }

  /** The last tab stays in the list, so that it can be found closed. */
  #leave(page: Page): void {
    const place = this.#tabs.findIndex((tab) => tab.page === page);
    this.#tabs[place]?.leaving.clear();
    if (place >= 0 && this.#tabs.length > 1) {
      this.#tabs = this.#tabs.filter((tab) => tab.page !== page);
      if (this.#shown >= place) this.#shown = Math.max(0, this.#shown - 1);
    }
    this.#changed();
  }

  /** Alerts are recorded. Questions are answered with yes and their own default. */
  async #reply(dialog: Dialog): Promise<void> {
    const answer =
      dialog.type() === 'prompt'
        ? `, answered ${JSON.stringify(dialog.defaultValue())}`
        : dialog.type() === 'confirm'
          ? ', answered OK'
          : '';
    if (dialog.type() !== 'beforeunload')
      this.#said.push(`The page said: ${JSON.stringify(dialog.message().slice(0, 500))}${answer}.`);
    await dialog.accept(dialog.type() === 'prompt' ? dialog.defaultValue() : undefined);
  }
}

async function isClosing({ session }: Tab): Promise<boolean> {
  for (let ask = 0; ask < mostAsked; ask += 1) {
    try {
      return (
        (await session.send('Runtime.evaluate', { expression: 'globalThis.closed', returnByValue: true }))
          .result.value === true
      );
    } catch (thrown) {
      if (isTabClosed(thrown)) return true;
      if (!isGoneAway(thrown)) throw thrown;
    }
  }
  return false;
}

/**
 * Whether the tab is at an earlier entry of its history, or on its way there; undefined where it is just
 * being replaced.
 */
async function isBefore({ page, session }: Tab, index: number): Promise<boolean | undefined> {
  try {
    return (await session.send('Page.getNavigationHistory')).currentIndex < index;
  } catch (thrown) {
    if (!isGoneAway(thrown) || page.isClosed()) throw thrown;
    return undefined;
  }
}
