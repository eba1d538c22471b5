import type { BrowserContext } from 'playwright-core';
import { UsageError } from '../../../core/errors.ts';
import { abortable, openDeadline } from '../../../core/waiting.ts';
import { makeBrowserFolder, removeBrowserFolder } from './browser-folder.ts';
import { Clipboard } from '../actions/clipboard.ts';
import { EpisodeBrowser, type EpisodeOptions } from './episode-browser.ts';
import { findBrowser, type BrowserProgram } from './find-browser.ts';
import { Gateway } from './gateway.ts';
import { launchBrowser, type LaunchedBrowser } from './launch-browser.ts';
import { MountedPages } from './mounted-pages.ts';
import { browserFault, browserGone } from '../page/page-faults.ts';
import type { PageHandler } from '../page/page-handler.ts';

export interface BrowserOptions {
  /** Path of the browser's program. Default: a search of the usual places. */
  readonly browserPath?: string | undefined;
  readonly viewport: { readonly width: number; readonly height: number };
}

const launchMs = 30_000;

/** An unused context with all parts of an episode. */
interface Stage {
  readonly browser: LaunchedBrowser;
  readonly context: BrowserContext;
  readonly gateway: Gateway;
  readonly clipboard: Clipboard;
}

/**
 * One browser for all episodes of a host, with a context for each. It starts with the first episode. It
 * restarts where it has ended or no longer answers while others run. A context is prepared in advance,
 * because that takes longer than the rest of a reset.
 */
export class BrowserEngine implements AsyncDisposable {
  readonly #program: BrowserProgram;
  /** A gateway that refuses the browser's own requests. */
  readonly #refusal: Gateway;
  readonly #options: BrowserOptions;
  readonly #closing = new AbortController();
  #launched: Promise<LaunchedBrowser> | undefined;
  #spare: Promise<Stage> | undefined;
  /** Browsers that are closing, or being checked for life. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #gateways = new Set<Gateway>();
  #launches = 0;
  #hasRun = false;

  private constructor(program: BrowserProgram, refusal: Gateway, options: BrowserOptions) {
    this.#program = program;
    this.#refusal = refusal;
    this.#options = options;
  }

  /**
   * Finds the program and checks that there is room for a browser.
   *
   * @throws UsageError where there is no browser, or no folder for it
   */
  static async open(options: BrowserOptions): Promise<BrowserEngine> {
    const program = await findBrowser(options.browserPath);
    await removeBrowserFolder(await makeBrowserFolder());
    return new BrowserEngine(program, await Gateway.open(), options);
  }

  /** How often the browser has been started. */
  get launches(): number {
    return this.#launches;
  }

  /** Opens a context for one episode, whose pages `handler` serves. Close it after the episode. */
  async episode(handler: PageHandler, options: EpisodeOptions, signal: AbortSignal): Promise<EpisodeBrowser> {
    if (this.#closing.signal.aborted)
      throw new UsageError({
        where: 'the browser',
        what: 'it was closed.',
        fix: 'Close the host after its last env.',
      });
    const { browser, context, gateway, clipboard } = await this.#takeStage(options.patienceMs, signal);
    const { viewport } = this.#options;
    return new EpisodeBrowser(context, {
      pages: new MountedPages(gateway, handler),
      clipboard,
      order: browser.order,
      options,
      viewport,
      checkBrowser: () => this.#check(browser),
    });
  }

  /** Prepares the next context. Call it after a reset, so that it does not delay one. */
  prepare(): void {
    if (this.#closing.signal.aborted || this.#spare !== undefined) return;
    const spare = this.#makeStage();
    this.#spare = spare;
    spare.catch(() => {
      if (this.#spare === spare) this.#spare = undefined; // the next caller tries again and gets the error
    });
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new Error('the browser was closed.'));
    const launched = await this.#launched?.catch(() => undefined);
    await launched?.close();
    await Promise.all(this.#leaving);
    await Promise.all([this.#refusal, ...this.#gateways].map((gateway) => gateway.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Takes the prepared context, or creates one, within the time limits of the caller and of the episode. */
  async #takeStage(patienceMs: number, signal: AbortSignal): Promise<Stage> {
    await abortable(signal, Promise.all(this.#leaving)); // no episode starts in a browser that may be dead
    const browser = await abortable(signal, this.#browser());
    const spare = this.#spare;
    this.#spare = undefined;
    const making =
      spare?.then(
        (stage) => (stage.browser === browser ? stage : this.#makeStage()),
        () => this.#makeStage(),
      ) ?? this.#makeStage();
    const ended = new AbortController();
    // Playwright leaves some calls unanswered then
    const end = (): void => ended.abort(browserGone('opening a context'));
    browser.context.once('close', end);
    using deadline = openDeadline(AbortSignal.any([signal, ended.signal]), {
      where: 'opening a context',
      ms: patienceMs,
    });
    try {
      return await abortable(deadline.signal, making);
    } catch (thrown) {
      making.then(({ context }) => context.close()).catch(() => undefined); // nobody waits for it any more
      void this.#check(browser);
      throw thrown;
    } finally {
      browser.context.off('close', end);
    }
  }

  async #makeStage(): Promise<Stage> {
    const launched = await this.#browser();
    const gateway = await Gateway.open();
    this.#gateways.add(gateway);
    const drop = (): void => {
      if (this.#gateways.delete(gateway)) void gateway.close();
    };
    let context: BrowserContext | undefined;
    try {
      context = await launched.context.browser()?.newContext({
        viewport: this.#options.viewport,
        serviceWorkers: 'block',
        acceptDownloads: false,
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'UTC',
        colorScheme: 'light',
        deviceScaleFactor: 1,
        proxy: { server: gateway.address, bypass: '<-loopback>' },
      });
      if (context === undefined) throw new Error('the browser ended.');
      context.once('close', drop);
      const clipboard = await Clipboard.of(context);
      await context.newPage();
      return { browser: launched, context, gateway, clipboard };
    } catch (thrown) {
      drop();
      context?.close().catch(() => undefined);
      throw browserFault('opening a context', thrown);
    }
  }

  #browser(): Promise<LaunchedBrowser> {
    return (this.#launched ??= this.#launch());
  }

  async #launch(): Promise<LaunchedBrowser> {
    try {
      this.#launches += 1;
      const launched = await launchBrowser({
        program: this.#program,
        proxy: this.#refusal.address,
        timeoutMs: launchMs,
        signal: this.#closing.signal,
      });
      this.#hasRun = true;
      launched.context.once('close', () => {
        this.#launched = undefined; // the next episode starts another browser
        this.#spare = undefined;
        void this.#leave(launched.close());
      });
      return launched;
    } catch (thrown) {
      this.#launched = undefined;
      // a browser that has run before can run, so this failure affects only current episodes
      throw this.#hasRun ? browserFault('starting the browser again', thrown) : thrown;
    }
  }

  #check(browser: LaunchedBrowser): Promise<void> {
    return this.#leave(browser.check());
  }

  #leave(work: Promise<void>): Promise<void> {
    const leaving = work.catch(() => undefined).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    return leaving;
  }
}
