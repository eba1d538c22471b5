import type { Browser, BrowserContext } from 'playwright-core';
import { UsageError } from '../../core/errors.ts';
import { EpisodeBrowser, pageEpoch, type EpisodeOptions } from './episode-browser.ts';
import { findBrowser, type BrowserProgram } from './find-browser.ts';
import { Gateway } from './gateway.ts';
import { launchBrowser, type LaunchedBrowser } from './launch-browser.ts';
import { MountedPages } from './mounted-pages.ts';
import { browserFault, browserGone } from './page-faults.ts';
import type { PageHandler } from './page-handler.ts';

export interface BrowserOptions {
  /** Its program; found where it is left out. */
  readonly browserPath?: string | undefined;
  readonly viewport: { readonly width: number; readonly height: number };
}

const launchMs = 30_000;

/**
 * One browser for all episodes of a host, with a context for each. It starts with the first episode, and again where it has ended in
 * the midst of others. A context is made ready before it is asked for, since that takes longer than all the rest of a reset.
 */
export class BrowserEngine implements AsyncDisposable {
  readonly #program: BrowserProgram;
  readonly #gateway: Gateway;
  readonly #options: BrowserOptions;
  #launched: Promise<LaunchedBrowser> | undefined;
  #spare: Promise<BrowserContext> | undefined;
  #launches = 0;
  #closed = false;

  private constructor(program: BrowserProgram, gateway: Gateway, options: BrowserOptions) {
    this.#program = program;
    this.#gateway = gateway;
    this.#options = options;
  }

  /** Finds the program and opens the gateway. @throws UsageError where there is no browser */
  static async open(options: BrowserOptions): Promise<BrowserEngine> {
    return new BrowserEngine(await findBrowser(options.browserPath), await Gateway.open(), options);
  }

  /** How often the browser was started. */
  get launches(): number {
    return this.#launches;
  }

  /** A context of its own for one episode, whose pages `handler` answers for. Close it after the episode. */
  async episode(handler: PageHandler, options: EpisodeOptions): Promise<EpisodeBrowser> {
    if (this.#closed) throw new UsageError({ where: 'the browser', what: 'it was closed.', mend: 'Close the host after its last env.' });
    const context = await this.#takeContext();
    const { viewport } = this.#options;
    return new EpisodeBrowser(context, { pages: new MountedPages(this.#gateway, handler), options, viewport });
  }

  /** Makes the next context ready. Called when a reset is done, so that it is not in its way. */
  prepare(): void {
    if (this.#closed || this.#spare !== undefined) return;
    this.#spare = this.#makeContext();
    this.#spare.catch(() => (this.#spare = undefined)); // whoever wants one tries again, and is told
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#spare?.catch(() => undefined);
    const launched = await this.#launched?.catch(() => undefined);
    await launched?.close();
    await this.#gateway.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #takeContext(): Promise<BrowserContext> {
    const spare = this.#spare;
    this.#spare = undefined;
    const ready = await spare?.catch(() => undefined);
    return ready?.browser()?.isConnected() === true ? ready : this.#makeContext();
  }

  async #makeContext(): Promise<BrowserContext> {
    const browser = await this.#browser();
    try {
      const context = await browser.newContext({
        viewport: this.#options.viewport,
        serviceWorkers: 'block',
        acceptDownloads: false,
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'UTC',
        colorScheme: 'light',
        deviceScaleFactor: 1,
      });
      await context.clock.install({ time: pageEpoch });
      await context.clock.pauseAt(pageEpoch + 1);
      await context.newPage();
      return context;
    } catch (thrown) {
      throw browserFault('opening a context', thrown);
    }
  }

  async #browser(): Promise<Browser> {
    this.#launched ??= this.#launch();
    const { context } = await this.#launched;
    const browser = context.browser();
    if (browser === null) throw browserGone('opening a context');
    return browser;
  }

  async #launch(): Promise<LaunchedBrowser> {
    try {
      this.#launches += 1;
      const launched = await launchBrowser({ program: this.#program, proxy: this.#gateway.address, timeoutMs: launchMs });
      launched.context.once('close', () => {
        this.#launched = undefined; // the next episode starts another
        this.#spare = undefined;
        void launched.close();
      });
      return launched;
    } catch (thrown) {
      this.#launched = undefined;
      throw thrown;
    }
  }
}
