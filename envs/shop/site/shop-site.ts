import type { Reward, StepResult } from '../../core/step.ts';
import { plainAnswer, type PageHandler } from '../../engines/browser/page/page-handler.ts';
import { searchFor } from '../command.ts';
import type { Markup } from '../pages/markup.ts';
import type { Visit } from '../visit.ts';
import { drawSitePage, drawSpentPage, sitePaths, type SiteExit } from './draw-site-page.ts';
import { formOf, isLook, pageAnswer, seeOther, styleAnswer, wholeOf } from './site-answer.ts';
import { siteStyle } from './site-style.ts';

export interface ShopSiteOptions {
  /** Where all its addresses begin, without a slash at the end; none where it has an origin of its own. */
  readonly base?: string;
  /** Shows people what their purchase earned; agents are told by their reward alone. */
  readonly showReward?: boolean;
  /** After so many steps nothing can be done any more, and pages say how many there are; none where somebody else counts. */
  readonly stepLimit?: number;
  /** A way out of the site, in the head of every page. */
  readonly exit?: SiteExit;
  /** Puts a field to search with in the head of every page, since shop-v1 takes searches anywhere; the original's pages have it on the start page alone. */
  readonly searchAnywhere?: boolean;
  /** Is told of every step. */
  readonly onStep?: (action: string, result: StepResult<string, string>) => void;
}

/**
 * A shop as a web site, for one episode. Its rules are those of the visit: a form that is sent becomes the action of the same meaning and
 * is handed on, so that clickables, keys and rewards are those of shop-v1.
 *
 * The session stays here and addresses only number its steps: `/step/3` is the page after three steps. So a page that a browser kept,
 * went back to or sent twice does nothing, since it names a step that is over: it is answered by where the session is now, with a notice
 * and the status 410, or 409 where it wanted to act. A session in the address would let Back undo what shop-v1 cannot undo. Looking never
 * changes anything; what does is a POST, answered by the address of the next page, which can be loaded again as often as one likes.
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
      return pageAnswer(409, this.#draw(stale.act)); // no waiting from here on: two at once cannot both be the next step
    const action = this.#actionOf(form);
    if (action === undefined) return pageAnswer(400, this.#draw(stale.nothing));
    const result = this.#visit.act(action);
    this.#step += 1;
    this.#last = { action, result };
    this.#options.onStep?.(action, result);
    return seeOther(this.#here());
  }

  /** The action that a form asks for; undefined where it asks for none of those that its page had. */
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
