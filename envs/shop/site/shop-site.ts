import type { Reward, StepResult } from '../../core/step.ts';
import { plainAnswer, type PageHandler } from '../../engines/browser/page/page-handler.ts';
import { searchFor } from '../command.ts';
import type { Markup } from '../pages/markup.ts';
import type { Visit } from '../visit.ts';
import { drawSitePage, drawSpentPage, sitePaths, type SiteExit } from './draw-site-page.ts';
import { formOf, isLook, pageAnswer, seeOther, styleAnswer, wholeOf } from './site-answer.ts';
import { siteStyle } from './site-style.ts';

export interface ShopSiteOptions {
  /** The prefix of all its addresses, without a final slash. Absent where it has an origin of its own. */
  readonly base?: string;
  /** Shows people the reward of their purchase. Agents see their reward elsewhere. */
  readonly showReward?: boolean;
  /**
   * After this number of steps nothing is possible any more, and pages show the total. Absent where another
   * component counts.
   */
  readonly stepLimit?: number;
  /** A link out of the site, in the head of every page. */
  readonly exit?: SiteExit;
  /**
   * Puts a search field into the head of every page, because shop-v1 allows searches anywhere. The original's
   * pages have it on the start page alone.
   */
  readonly searchAnywhere?: boolean;
  /** Receives every step. */
  readonly onStep?: (action: string, result: StepResult<string, string>) => void;
}

/**
 * A shop as a web site, for one episode. Its rules are those of the visit. A sent form becomes the action of
 * the same meaning and is passed on, so that clickable elements, keys and rewards are those of shop-v1.
 *
 * The session is kept here, and addresses only number its steps: `/step/3` is the page after three steps. So
 * a page that a browser cached, went back to or sent twice has no effect, because it names an earlier step.
 * The answer is the current page with a notice and the status 410, or 409 for an action. A session in the
 * address would let Back undo what shop-v1 cannot undo. Viewing never changes anything. Actions are POST
 * requests. The answer is the address of the next page, which can be reloaded any number of times.
 */
export function createShopSite(visit: Visit, options: ShopSiteOptions = {}): PageHandler {
  const site = new ShopSite(visit, options);
  return (request) => site.answer(request);
}

const stale = {
  past: 'That page is out of date: the shop has moved on since. This is where you are now.',
  act: 'That page was out of date, so nothing was done. This is where you are now.',
  future: 'There is no such page yet. This is where you are now.',
  nothing: 'Nothing came of that.',
} as const;

class ShopSite {
  readonly #visit: Visit;
  readonly #options: ShopSiteOptions;
  readonly #base: string;
  #step = 0;
  #last: { readonly action: string; readonly result: StepResult<string, string> } | undefined;

  constructor(visit: Visit, options: ShopSiteOptions) {
    this.#visit = visit;
    this.#options = options;
    this.#base = options.base ?? '';
  }

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(this.#base)) return this.#missing();
    const path = pathname.slice(this.#base.length);
    if (path === sitePaths.act) return this.#act(request);
    if (!isLook(request)) return plainAnswer(405, 'pages can be looked at only.');
    if (path === sitePaths.style) return styleAnswer(siteStyle);
    if (path === '' || path === '/') return seeOther(this.#here());
    const step = wholeOf(/^\/step\/(\d+)$/.exec(path)?.[1]);
    if (step === undefined) return this.#missing();
    if (step === this.#step)
      return pageAnswer(
        200,
        this.#draw(this.#last?.result.inadmissible === true ? stale.nothing : undefined),
      );
    return step < this.#step
      ? pageAnswer(410, this.#draw(stale.past))
      : pageAnswer(404, this.#draw(stale.future));
  }

  async #act(request: Request): Promise<Response> {
    const form = await formOf(request);
    if (form === undefined)
      return isLook(request)
        ? seeOther(this.#here())
        : plainAnswer(415, 'a form is wanted, sent with POST as application/x-www-form-urlencoded.');
    if (wholeOf(form.get('step')) !== this.#step || this.#isOver())
      // no awaits from here on: two concurrent requests cannot both be the next step
      return pageAnswer(409, this.#draw(stale.act));
    const action = this.#actionOf(form);
    if (action === undefined) return pageAnswer(400, this.#draw(stale.nothing));
    const result = this.#visit.act(action);
    this.#step += 1;
    this.#last = { action, result };
    this.#options.onStep?.(action, result);
    return seeOther(this.#here());
  }

  /** The action of a form; undefined where its page did not have it. */
  #actionOf(form: URLSearchParams): string | undefined {
    const query = form.get('search');
    if (query !== null) return searchFor(query);
    const number = wholeOf(form.get('click'));
    return number === undefined ? undefined : this.#visit.clicks()[number];
  }

  #isOver(): boolean {
    return this.#visit.isOver || this.#isSpent();
  }

  #isSpent(): boolean {
    const { stepLimit } = this.#options;
    return stepLimit !== undefined && this.#step >= stepLimit && !this.#visit.isOver;
  }

  #here(): string {
    return `${this.#base}/step/${this.#step}`;
  }

  #missing(): Response {
    return pageAnswer(404, this.#draw('There is no such page. This is where you are now.'));
  }

  #draw(notice: string | undefined): Markup {
    const { stepLimit, exit, searchAnywhere = false } = this.#options;
    const frame = { step: this.#step, stepLimit, notice, base: this.#base, exit };
    if (this.#isSpent()) return drawSpentPage(frame, this.#visit.task.goal.instruction);
    return drawSitePage({
      ...frame,
      page: this.#visit.page(),
      clicks: this.#visit.clicks(),
      lastAction: this.#last?.action,
      reward: this.#rewardShown(),
      searchAnywhere,
    });
  }

  #rewardShown(): Reward | undefined {
    return this.#options.showReward === true && this.#visit.isOver ? this.#last?.result.reward : undefined;
  }
}
