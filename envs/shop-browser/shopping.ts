import { FaultError } from '../core/errors.ts';
import type { StepResult, Turn } from '../core/step.ts';
import type { EpisodeBrowser } from '../engines/browser/session/episode-browser.ts';
import type { PageView } from '../engines/browser/view/page-view.ts';
import type { PageAction } from '../engines/browser/actions/page-action.ts';
import { readCommand, searchFor, type Command } from '../shop/command.ts';
import { noReward } from '../shop/reward-terms.ts';
import { createShopSite } from '../shop/site/shop-site.ts';
import type { Visit } from '../shop/visit.ts';
import { fits, typedAs } from './field-text.ts';
import type { BrowsingManner } from './host.ts';
import { elementsOf, type PageElements } from './page-elements.ts';
import { readSite, siteReading } from './read-site.ts';
import { showPage, type ShownPage } from './shown-page.ts';

interface SiteStep {
  readonly action: string;
  readonly result: StepResult<string, string>;
}

const where = 'shop-browser-v1';

/** The shop uses no random numbers, reads no clock and does not watch the keyboard. */
const still = { seed: 0, actionMs: 0, screenshots: false, pastes: true } as const;

/**
 * One episode in a browser. The possible actions are read from the elements of the page and performed on
 * them. Behind the page is a visit of the shop, which has the rules. An action that finds its element is
 * exactly one step of the visit. One that finds none is no step.
 */
export class Shopping {
  readonly visit: Visit;
  readonly #manner: BrowsingManner;
  /** Steps of the visit, in order. */
  readonly #steps: SiteStep[] = [];
  #browser: EpisodeBrowser | undefined;
  #elements: PageElements | undefined;
  #shown: ShownPage | undefined;
  #failure: { readonly thrown: unknown } | undefined;
  #closed = false;

  /** @param shown for a continued episode, the page at which it was left */
  constructor(visit: Visit, manner: BrowsingManner, shown?: ShownPage) {
    this.visit = visit;
    this.#manner = manner;
    this.#shown = shown;
  }

  /** Opens the current page of the visit. */
  async begin(signal: AbortSignal): Promise<Turn<string, string>> {
    await this.#open(signal);
    return this.turn();
  }

  /** The current content of the page. */
  get shown(): ShownPage {
    if (this.#shown === undefined) throw new Error('no page was shown yet');
    return this.#shown;
  }

  turn(): Turn<string, string> {
    const { observation, admissible } = this.shown;
    const { stateKey, anchorKey, stepsLeft, seat } = this.visit.turn();
    return { observation, stateKey, anchorKey, admissible: [...admissible], stepsLeft, seat };
  }

  /** Performs the action on the page. An action that is impossible there has no effect. */
  async step(action: string, signal: AbortSignal): Promise<StepResult<string, string>> {
    const left = this.#shown;
    const browser = this.#browser ?? (await this.#reopen(left, signal));
    const wanted = this.#wantedOf(readCommand(action, this.#manner));
    if (wanted === undefined)
      return { kind: 'ongoing', ...this.turn(), reward: noReward, inadmissible: true };
    const before = this.#steps.length;
    let view: PageView | undefined;
    for (const one of wanted.acts) view = await this.#act(browser, one, signal);
    const result = this.#stepAfter(before, wanted.action, view);
    if (view !== undefined) await this.#look(browser, view, signal);
    return result.kind === 'ongoing'
      ? { kind: 'ongoing', ...this.turn(), reward: result.reward, inadmissible: result.inadmissible }
      : { ...result, observation: this.shown.observation };
  }

  /** Closes its page, whatever it is doing. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#browser?.close();
  }

  /**
   * The actions on the page, and the step of the visit that must follow; undefined where there is no element
   * for it.
   */
  #wantedOf(command: Command): { readonly action: string; readonly acts: readonly PageAction[] } | undefined {
    const { searchField, buttons } = this.#elements ?? {};
    switch (command.kind) {
      case 'none':
        return undefined;
      case 'search': {
        const text = typedAs(command.query);
        if (searchField === undefined || !fits(text)) return undefined;
        return {
          action: searchFor(text),
          acts: [
            { kind: 'type', element: searchField, text },
            { kind: 'press', key: 'Enter' },
          ],
        };
      }
      case 'click': {
        const button = buttons?.get(command.target);
        return button === undefined
          ? undefined
          : { action: button.action, acts: [{ kind: 'click', element: button.element }] };
      }
      default:
        return command satisfies never;
    }
  }

  async #act(browser: EpisodeBrowser, act: PageAction, signal: AbortSignal): Promise<PageView> {
    const { view, refusal } = await browser.act(act, signal);
    if (this.#failure !== undefined) throw this.#failure.thrown;
    if (refusal !== undefined) throw crashed(`${act.kind} on the page`, `${refusal}.`);
    return view;
  }

  /** The single step of the visit that followed the actions on the page. */
  #stepAfter(before: number, action: string, view: PageView | undefined): StepResult<string, string> {
    const [made, ...others] = this.#steps.slice(before);
    if (made === undefined || others.length > 0)
      throw crashed('the page', `${this.#steps.length - before} steps came of one action.`);
    if (made.action !== action) throw crashed('the page', 'another step came of the action than was meant.');
    if (view?.url !== `/step/${this.#steps.length}`)
      throw crashed('the page', `after ${this.#steps.length} steps it is at ${view?.url}.`);
    return made.result;
  }

  /** Reopens the page of an episode that continues from a snapshot. It must show the same content. */
  async #reopen(left: ShownPage | undefined, signal: AbortSignal): Promise<EpisodeBrowser> {
    const browser = await this.#open(signal);
    if (left !== undefined && left.observation !== this.shown.observation)
      throw crashed('the page', 'it is not the one at which the snapshot was taken.');
    return browser;
  }

  async #open(signal: AbortSignal): Promise<EpisodeBrowser> {
    const site = createShopSite(this.visit, {
      searchAnywhere: true,
      onStep: (action, result) => void this.#steps.push({ action, result }),
    });
    const answer = async (request: Request): Promise<Response> => {
      try {
        return await site(request);
      } catch (thrown) {
        this.#failure ??= { thrown }; // the page cannot report it
        throw thrown;
      }
    };
    const browser = await this.#manner.engine.episode(
      answer,
      { ...still, patienceMs: this.#manner.patienceMs },
      signal,
    );
    this.#browser = browser;
    if (this.#closed) await browser.close(); // nobody waited for it
    const view = await browser.open('/', signal);
    if (this.#failure !== undefined) throw this.#failure.thrown;
    await this.#look(browser, view, signal);
    return browser;
  }

  async #look(browser: EpisodeBrowser, view: PageView, signal: AbortSignal): Promise<void> {
    const reading = readSite(await browser.read(siteReading, signal));
    this.#elements = elementsOf(view.content, reading);
    this.#shown = showPage({ view, reading, elements: this.#elements }, this.#manner);
  }
}

const crashed = (place: string, message: string): FaultError =>
  new FaultError({ kind: 'env-crashed', where: `${place} of ${where}`, message });
