import type { Searcher } from '../../core/env.ts';
import type { Rng } from '../../core/rng.ts';
import type { Ongoing, Opening } from '../../core/step.ts';
import { buttons } from '../pages/page.ts';
import type { ObservationMode } from '../observation.ts';
import { readPage, type SeenItem, type SeenPage, type SeenRow } from './read-page.ts';
import { Wish, type Pick } from './wish.ts';

/** A product that was looked at. */
interface Looked {
  readonly open: string;
  readonly worth: number;
}

/** Products looked at before one is bought. */
const mostLooks = 3;

const buy = buttons.buy.toLowerCase();
const previous = buttons.previous.toLowerCase();

/**
 * Shops as a sensible person does, from the instruction and the pages alone: searches for all of the wish, opens the products whose
 * titles and prices fit best, sees whether the options asked for can be had, and buys the best of those it has looked at, with these
 * options. Where two are as good, `rng` chooses.
 */
export class ShopSearcher implements Searcher<string, string> {
  readonly #mode: ObservationMode;
  readonly #rng: Rng;
  #wish = new Wish('');
  #searched = 0;
  readonly #rows = new Map<string, SeenRow>();
  readonly #looked = new Map<string, Looked>();
  readonly #chosen = new Set<string>();
  #open: string | undefined;
  #decided: string | undefined;

  constructor(mode: ObservationMode, rng: Rng) {
    this.#mode = mode;
    this.#rng = rng;
  }

  act(turn: Opening<string, string> | Ongoing<string, string>): string {
    if ('instruction' in turn) this.#wish = new Wish(turn.instruction);
    const admissible = turn.admissible ?? [];
    const wanted = this.#decide(readPage(turn.observation, admissible, this.#mode), turn.stepsLeft ?? Number.POSITIVE_INFINITY);
    return wanted !== undefined && admissible.includes(wanted) ? wanted : this.#rng.pick(admissible);
  }

  #decide(page: SeenPage, stepsLeft: number): string | undefined {
    switch (page.kind) {
      case 'start':
        this.#searched += 1;
        return page.searches[(this.#searched - 1) % page.searches.length];
      case 'results':
        return this.#choose(page.rows, page.next);
      case 'item':
        return this.#consider(page, stepsLeft);
      case 'sub-page':
        return page.back;
      default:
        return page satisfies never;
    }
  }

  /** Opens what was decided on, or what looks best of what has not been looked at. */
  #choose(rows: readonly SeenRow[], next: string | undefined): string | undefined {
    for (const row of rows) {
      if (!this.#rows.has(row.open)) this.#wish.learn(row.title);
      this.#rows.set(row.open, row);
    }
    this.#chosen.clear();
    const fresh = rows.filter(({ open }) => !this.#looked.has(open));
    const wanted = this.#decided ?? this.#best(fresh)?.open ?? rows[0]?.open;
    this.#open = wanted;
    return wanted ?? (this.#searched > 3 ? next : undefined);
  }

  #best(rows: readonly SeenRow[]): SeenRow | undefined {
    let best: SeenRow | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const [rank, row] of rows.entries()) {
      const worth = this.#wish.coverage([row.title]) + this.#wish.affordable(row.price) - 0.01 * rank;
      if (worth > most) [best, most] = [row, worth];
    }
    return best;
  }

  #consider(page: SeenItem, stepsLeft: number): string | undefined {
    const picks = page.groups.map((group) => this.#wish.pick(group)).filter((pick) => pick !== undefined);
    const worth = this.#worthOf(page, picks);
    if (this.#open !== undefined && !this.#looked.has(this.#open)) this.#looked.set(this.#open, { open: this.#open, worth });
    const needed = picks.length + 1;
    const canLookOn = stepsLeft > needed + 2 + needed + 2;
    if (this.#decided === undefined && worth < 1.9 && this.#looked.size < mostLooks && canLookOn) return page.buttons.get(previous);
    this.#decided ??= this.#mostWorth(worth);
    if (this.#decided !== this.#open) return page.buttons.get(previous);
    const missing = picks.find(({ choose }) => !this.#chosen.has(choose));
    if (missing === undefined || stepsLeft <= 1) return page.buttons.get(buy);
    this.#chosen.add(missing.choose);
    return missing.choose;
  }

  #worthOf(page: SeenItem, picks: readonly Pick[]): number {
    const named = this.#wish.named.length;
    const had = picks.filter(({ fit }) => fit >= 2).length;
    const options = named === 0 ? 0 : (had - named) / named;
    return this.#wish.coverage([page.title, ...picks.map(({ value }) => value)]) + this.#wish.affordable(page.price) + 0.5 * options;
  }

  #mostWorth(least: number): string | undefined {
    let best = this.#open;
    let most = least;
    for (const { open, worth } of this.#looked.values()) if (worth > most) [best, most] = [open, worth];
    return best;
  }
}
