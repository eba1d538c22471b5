import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import { revisit, Visit, type ShopRules } from './visit.ts';

/** An env for one shopper at a time. */
export class ShopEnv implements Env<string, string> {
  readonly snapshots: Snapshots<string, string> = {
    take: () => this.#visiting().save(),
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
    const result = this.#visiting().act(action);
    if (result.kind !== 'ongoing') this.#visit = undefined;
    return result;
  }

  async close(): Promise<void> {
    this.#visit = undefined;
  }

  #restore(snapshot: Snapshot): Turn<string, string> {
    this.#visit = revisit(this.#rules, snapshot);
    return this.#visit.turn();
  }

  #visiting(): Visit {
    return currentEpisode('shop', this.#visit);
  }
}
