import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { Opening, StepResult, Terminated, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { readCommand } from './command.ts';
import type { Goal } from './goals/goal.ts';
import { Information, type ShownFacts } from './information.ts';
import type { Draw } from './observation.ts';
import { pageOf, receiptOf } from './pages/page-of.ts';
import type { ItemPlace } from './place.ts';
import type { Purchase, Score } from './reward/score.ts';
import { noReward, purchaseReward, scoreMetrics } from './reward-terms.ts';
import { follow, freshSession, type Session } from './session.ts';
import type { Shop } from './shop.ts';
import { readSnapshot, savePoint } from './snapshot.ts';
import { soldKeyOf, stateKeyOf } from './state-key.ts';
import type { ShopTask } from './task.ts';

/** What the envs of a host share. */
export interface ShopRules {
  readonly shop: Shop;
  readonly draw: Draw;
  /** The task of that name; with another goal behind it, when one is given. */
  taskOf(ref: TaskRef, goal?: Goal): ShopTask;
  score(purchase: Purchase, goal: Goal): Score;
}

/** One shopper at a time. */
export class ShopEnv implements Env<string, string> {
  readonly snapshots: Snapshots<string, string> = {
    take: () => this.#take(),
    restore: (snapshot) => this.#restore(snapshot),
  };
  readonly #rules: ShopRules;
  #visit: Visit | undefined;

  constructor(rules: ShopRules) {
    this.#rules = rules;
  }

  async reset(ref: TaskRef, context: ResetContext): Promise<Opening<string, string>> {
    context.signal.throwIfAborted();
    const task = this.#rules.taskOf(ref);
    this.#visit = new Visit(this.#rules, task);
    return { ...this.#visit.turn(), instruction: task.goal.instruction };
  }

  async step(action: string, _context: Context): Promise<StepResult<string, string>> {
    const visit = this.#visiting();
    const consequence = follow(this.#rules.shop, visit.session, readCommand(action, this.#rules.shop));
    if (consequence?.kind === 'bought') {
      this.#visit = undefined;
      return this.#settle(visit, consequence.place);
    }
    if (consequence !== undefined) visit.moveTo(consequence.session);
    const { observation, stateKey, anchorKey, admissible } = visit.turn();
    return {
      kind: 'ongoing',
      observation,
      reward: noReward,
      inadmissible: consequence === undefined,
      stateKey,
      anchorKey,
      admissible,
      stepsLeft: undefined,
      seat: 0,
    };
  }

  async close(): Promise<void> {
    this.#visit = undefined;
  }

  #settle({ task, session }: Visit, place: ItemPlace): Terminated<string> {
    const { shop, draw } = this.#rules;
    const product = shop.catalogue.product(place.product);
    const score = this.#rules.score({ product, price: shop.catalogue.price(place.product), options: place.options }, task.goal);
    return {
      kind: 'terminated',
      outcome: score.total === 1 ? 'solved' : 'failed',
      observation: draw(receiptOf(shop, place, task, score.total)),
      reward: purchaseReward(score),
      inadmissible: false,
      metrics: scoreMetrics(score),
      stateKey: soldKeyOf(task, session),
    };
  }

  #take(): Snapshot {
    const { task, session, information } = this.#visiting();
    return savePoint(task, session, information);
  }

  #restore(snapshot: Snapshot): Turn<string, string> {
    const { task, goal, session, shown } = readSnapshot(snapshot, this.#rules.shop);
    this.#visit = new Visit(this.#rules, this.#rules.taskOf(task, goal), { session, shown });
    return this.#visit.turn();
  }

  #visiting(): Visit {
    if (this.#visit !== undefined) return this.#visit;
    throw new UsageError({ where: 'shop', what: 'there is no episode under way.', mend: 'Call reset(task, context) first.' });
  }
}

/** An episode under way. */
class Visit {
  readonly task: ShopTask;
  readonly information: Information;
  session: Session;
  readonly #rules: ShopRules;
  #observation: string | undefined; // until the session moves on

  constructor(rules: ShopRules, task: ShopTask, from: { readonly session: Session; readonly shown?: ShownFacts } = { session: freshSession }) {
    this.#rules = rules;
    this.task = task;
    this.session = from.session;
    this.information = new Information(rules.shop, from.shown);
  }

  moveTo(session: Session): void {
    this.session = session;
    this.information.note(session.place);
    this.#observation = undefined;
  }

  turn(): Turn<string, string> {
    const { shop, draw } = this.#rules;
    const { place } = this.session;
    const { task } = this;
    const { name, goal } = task;
    this.#observation ??= draw(pageOf(shop, this.session, { name, instruction: goal.instruction }));
    return {
      observation: this.#observation,
      stateKey: stateKeyOf(task, this.session),
      anchorKey: task.anchorPrefix + this.information.key(place),
      admissible: place.kind === 'start' ? [...task.searches] : [...shop.clicksAt(place)],
      stepsLeft: undefined,
      seat: 0,
    };
  }
}
