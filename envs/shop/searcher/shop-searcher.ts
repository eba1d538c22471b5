import type { Searcher } from '../../core/env.ts';
import type { Rng } from '../../core/rng.ts';
import type { Ongoing, Opening } from '../../core/step.ts';
import type { ObservationMode } from '../observation.ts';
import { buttons } from '../pages/page.ts';
import { readPage, type SeenItem, type SeenPage, type SeenRow } from './read-page.ts';
import { Wish, type Pick } from './wish.ts';

/**
 * Products examined before a purchase. More cost steps and are seldom better, because the search ranks well.
 */
const mostLooks = 3;
/**
 * The share of the wish above which no more of a product needs to be read, and above which it is bought at
 * once.
 */
const covered = 0.95;
const good = 0.8;
/**
 * The weights of a title relative to a price that fits, of a lower place in the results, and of missing
 * options.
 */
const weights = { title: 0.7, place: 0.15, placeOfLooked: 0.1, options: 0.5 } as const;

const buy = buttons.buy.toLowerCase();
const previous = buttons.previous.toLowerCase();
const features = 'features';

/** An examined product. */
interface Looked {
  /** The action that opens it. */
  readonly open: string;
  /** Its place in the results, from 0. */
  readonly place: number;
  /** The texts of its sub pages. */
  readonly texts: string[];
  hasRead: boolean;
  readonly chosen: Set<string>;
  worth: number;
  /** Steps from its page to the purchase. */
  steps: number;
}

/**
 * Shops like a sensible person, from the instruction and the pages alone. It searches for the whole wish and
 * opens the product whose place, title and price are most promising. It checks whether the required options
 * are available, and reads the features where words of the wish are missing. It examines two others as long
 * as there are steps for it. Then it buys the best product with these options. `rng` breaks ties.
 */
export class ShopSearcher implements Searcher<string, string> {
  readonly #mode: ObservationMode;
  readonly #rng: Rng;
  readonly #titles = new Set<string>();
  readonly #looked = new Map<string, Looked>();
  #wish = new Wish('');
  #searches = 0;
  #at: Looked | undefined;
  #decided: Looked | undefined;

  constructor(mode: ObservationMode, rng: Rng) {
    this.#mode = mode;
    this.#rng = rng;
  }

  act(turn: Opening<string, string> | Ongoing<string, string>): string {
    if ('instruction' in turn) this.#wish = new Wish(turn.instruction);
    const admissible = turn.admissible ?? [];
    const wanted = this.#decide(
      readPage(turn.observation, admissible, this.#mode),
      turn.stepsLeft ?? Number.POSITIVE_INFINITY,
    );
    return wanted !== undefined && admissible.includes(wanted) ? wanted : this.#rng.pick(admissible);
  }

  #decide(page: SeenPage, stepsLeft: number): string | undefined {
    switch (page.kind) {
      case 'start':
        this.#searches += 1;
        return page.searches[(this.#searches - 1) % page.searches.length];
      case 'results':
        return this.#open(page.rows);
      case 'item':
        return this.#consider(page, stepsLeft);
      case 'sub-page':
        this.#at?.texts.push(...page.texts);
        return page.back;
      default:
        return page satisfies never;
    }
  }

  /** Opens the chosen product, or else the most promising one that was not examined. */
  #open(rows: readonly SeenRow[]): string | undefined {
    for (const { open, title } of rows) {
      if (!this.#titles.has(open)) this.#wish.learn(title);
      this.#titles.add(open);
    }
    const open = this.#decided?.open ?? this.#mostPromising(rows) ?? rows[0]?.open;
    if (open === undefined) return undefined;
    const place = rows.findIndex((row) => row.open === open);
    this.#at = this.#looked.get(open) ?? {
      open,
      place,
      texts: [],
      hasRead: false,
      chosen: new Set(),
      worth: 0,
      steps: 1,
    };
    this.#at.chosen.clear();
    this.#looked.set(open, this.#at);
    return open;
  }

  #mostPromising(rows: readonly SeenRow[]): string | undefined {
    let best: string | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const [place, { open, title, price }] of rows.entries()) {
      if (this.#looked.has(open)) continue;
      const promise =
        weights.title * this.#wish.coverage([title]) + this.#wish.affordable(price) - weights.place * place;
      if (promise > most) [best, most] = [open, promise];
    }
    return best;
  }

  /**
   * On a product's page: reads or searches on while that pays. Then it goes to the best product and chooses
   * its options one by one.
   */
  #consider(page: SeenItem, stepsLeft: number): string | undefined {
    const at = this.#at;
    if (at === undefined) return page.buttons.get(previous);
    const picks = page.groups.map((group) => this.#wish.pick(group)).filter((pick) => pick !== undefined);
    at.steps = picks.length + 1;
    const next = this.#decided === undefined ? this.#lookOn(page, picks, { at, stepsLeft }) : undefined;
    if (next !== undefined) return next;
    this.#decided ??= this.#best(at, stepsLeft);
    if (this.#decided !== at) return page.buttons.get(previous);
    const missing = picks.find(({ choose }) => !at.chosen.has(choose));
    if (missing === undefined || stepsLeft <= 1) return page.buttons.get(buy);
    at.chosen.add(missing.choose);
    return missing.choose;
  }

  /** Rates the product and returns the next action for more knowledge; undefined when it is time to buy. */
  #lookOn(
    page: SeenItem,
    picks: readonly Pick[],
    { at, stepsLeft }: { readonly at: Looked; readonly stepsLeft: number },
  ): string | undefined {
    const coverage = this.#wish.coverage([page.title, ...picks.map(({ value }) => value), ...at.texts]);
    const fit =
      this.#wish.affordable(page.price) + weights.options * this.#wish.optionsFit(page.groups, picks);
    at.worth = coverage + fit - weights.placeOfLooked * at.place;
    const buying = Math.max(...[...this.#looked.values()].map(({ steps }) => steps));
    const goingBack = this.#looked.size > 1 ? 2 : 0;
    if (coverage < covered && fit >= 1 && !at.hasRead && stepsLeft >= 2 + goingBack + buying) {
      at.hasRead = true;
      return page.buttons.get(features);
    }
    // there, and back to the better one
    const canLookOn = this.#looked.size < mostLooks && stepsLeft >= 4 + buying;
    return coverage + fit < 1 + good && canLookOn ? page.buttons.get(previous) : undefined;
  }

  /** The best product among those that can still be bought with the remaining steps. */
  #best(at: Looked, stepsLeft: number): Looked {
    return [...this.#looked.values()].reduce(
      (best, looked) => (looked.worth > best.worth && stepsLeft >= 2 + looked.steps ? looked : best),
      at,
    );
  }
}
