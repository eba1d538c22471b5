import type { Snapshot } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { StepResult, Terminated, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { readCommand } from './command.ts';
import type { Goal } from './goals/goal.ts';
import { Information, type ShownFacts } from './information.ts';
import type { Draw } from './observation.ts';
import { pageOf, receiptOf } from './pages/page-of.ts';
import type { Page } from './pages/page.ts';
import type { ItemPlace } from './place.ts';
import type { Purchase, Score } from './reward/score.ts';
import { noReward, purchaseReward, scoreMetrics } from './reward-terms.ts';
import { follow, freshSession, type ShopSession } from './session.ts';
import type { Shop } from './shop.ts';
import { readPoint, savePoint } from './snapshot.ts';
import { soldKeyOf, stateKeyOf } from './state-key.ts';
import type { ShopTask } from './task.ts';

/** What the episodes of a host share. */
export interface ShopRules {
  readonly shop: Shop;
  readonly draw: Draw;
  /** The task, optionally with another goal. */
  taskOf(ref: TaskRef, goal?: Goal): ShopTask;
  score(purchase: Purchase, goal: Goal): Score;
}

/** One episode from the start page to the purchase, however its pages are shown and its actions arrive. */
export class Visit {
  readonly task: ShopTask;
  readonly #rules: ShopRules;
  readonly #information: Information;
  #session: ShopSession;
  #receipt: Page | undefined; // after a purchase
  #observation: string | undefined; // cached until the session moves on

  constructor(
    rules: ShopRules,
    task: ShopTask,
    from: { readonly session: ShopSession; readonly shown?: ShownFacts } = { session: freshSession },
  ) {
    this.#rules = rules;
    this.task = task;
    this.#session = from.session;
    this.#information = new Information(rules.shop, from.shown);
  }

  /** Whether something was bought, which ends the episode. */
  get isOver(): boolean {
    return this.#receipt !== undefined;
  }

  /** The current page; after the purchase the receipt. */
  page(): Page {
    const { name, goal } = this.task;
    return this.#receipt ?? pageOf(this.#rules.shop, this.#session, { name, instruction: goal.instruction });
  }

  /** The clickable elements as actions; empty after the purchase. */
  clicks(): readonly string[] {
    return this.isOver ? [] : this.#rules.shop.clicksAt(this.#session.place);
  }

  /** The state key of the current world. */
  stateKey(): string {
    return this.isOver ? soldKeyOf(this.task, this.#session) : stateKeyOf(this.task, this.#session);
  }

  /**
   * Performs any action. An action without meaning here changes nothing.
   *
   * @throws UsageError after the purchase
   */
  act(action: string): StepResult<string, string> {
    if (this.isOver)
      throw new UsageError({
        where: 'shop',
        what: 'the episode is over: something was bought.',
        fix: 'Start another one.',
      });
    const { shop } = this.#rules;
    const consequence = follow(shop, this.#session, readCommand(action, shop));
    if (consequence?.kind === 'bought') return this.#settle(consequence.place);
    if (consequence !== undefined) this.#moveTo(consequence.session);
    return { kind: 'ongoing', ...this.turn(), reward: noReward, inadmissible: consequence === undefined };
  }

  /** What a player sees and may do. */
  turn(): Turn<string, string> {
    const { shop, draw } = this.#rules;
    const { place } = this.#session;
    this.#observation ??= draw(this.page());
    return {
      observation: this.#observation,
      stateKey: this.stateKey(),
      anchorKey: this.task.anchorPrefix + this.#information.key(place),
      admissible: place.kind === 'start' ? [...this.task.searches] : [...shop.clicksAt(place)],
      stepsLeft: undefined,
      seat: 0,
    };
  }

  save(): Snapshot {
    return savePoint(this.task, this.#session, this.#information);
  }

  #moveTo(session: ShopSession): void {
    this.#session = session;
    this.#information.note(session.place);
    this.#observation = undefined;
  }

  #settle(place: ItemPlace): Terminated<string> {
    const { shop, draw } = this.#rules;
    const product = shop.catalogue.product(place.product);
    const score = this.#rules.score(
      { product, price: shop.catalogue.price(place.product), options: place.options },
      this.task.goal,
    );
    this.#receipt = receiptOf(shop, place, this.task, score.total);
    return {
      kind: 'terminated',
      outcome: score.total === 1 ? 'solved' : 'failed',
      observation: draw(this.#receipt),
      reward: purchaseReward(score),
      inadmissible: false,
      metrics: scoreMetrics(score),
      stateKey: this.stateKey(),
    };
  }
}

/**
 * Restores a saved episode.
 *
 * @throws UsageError for a snapshot that was not taken in this shop
 */
export function revisit(rules: ShopRules, saved: Snapshot): Visit {
  const { task, goal, session, shown } = readPoint(saved, rules.shop);
  return new Visit(rules, rules.taskOf(task, goal), { session, shown });
}
