import { z } from 'zod';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskPanel, TaskRef } from '../../envs/core/task.ts';
import { defineCurriculum } from './curriculum.ts';

/** Every task once in a shuffled order, then all again in another. */
export const passes = defineCurriculum({
  kind: 'passes',
  summary: 'every task once in a shuffled order, then all again',
  options: z.strictObject({}),
  state: z.strictObject({}),
  create: (_options, { panel, groups, rng }) => ({
    initial: {},
    next: (iteration) => tasksOf(panel, iteration, groups, rng),
  }),
});

/**
 * The tasks of iteration `iteration` (from 0): pass after pass over the panel, each pass in its own shuffled
 * order. Every pass has every task once, and no iteration has a task twice. It depends only on the panel's
 * size, the stream and the iteration, as resuming needs.
 */
export function tasksOf(panel: TaskPanel, iteration: number, count: number, rng: Rng): readonly TaskRef[] {
  const size = panel.tasks.length;
  const each = Math.min(count, size);
  const passes = new Passes(size, each, rng);
  const first = iteration * each;
  return Array.from({ length: each }, (_, offset) => panel.tasks[passes.at(first + offset)] as TaskRef);
}

/** The concatenated passes. */
class Passes {
  readonly #size: number;
  readonly #each: number;
  readonly #rng: Rng;
  readonly #orders = new Map<number, readonly number[]>();

  constructor(size: number, each: number, rng: Rng) {
    this.#size = size;
    this.#each = each;
    this.#rng = rng;
  }

  /** Index of the task at a position. */
  at(place: number): number {
    return this.#order(Math.floor(place / this.#size))[place % this.#size] as number;
  }

  #order(pass: number): readonly number[] {
    const order = this.#orders.get(pass) ?? this.#orderAfter(this.#endOf(pass - 1), this.#shuffled(pass));
    this.#orders.set(pass, order);
    return order;
  }

  /**
   * An iteration that spans two passes has `met` already in the earlier one. Those of them that would come at
   * once in the later pass are moved back just enough: after the others among its first `each` tasks, enough
   * of which are new.
   */
  #orderAfter(met: ReadonlySet<number>, shuffled: readonly number[]): readonly number[] {
    if (met.size === 0) return shuffled;
    const beginning = shuffled.slice(0, this.#each);
    const fresh = beginning.filter((task) => !met.has(task));
    return [...fresh, ...beginning.filter((task) => met.has(task)), ...shuffled.slice(this.#each)];
  }

  /**
   * The tasks of a pass that share an iteration with the beginning of the next; none if the iteration ends
   * with the pass.
   */
  #endOf(pass: number): ReadonlySet<number> {
    const shared = ((pass + 1) * this.#size) % this.#each;
    if (shared === 0) return new Set();
    // In a large panel, reordering the beginning of a pass cannot affect its end: no need to look further
    // back.
    const order = this.#size >= 2 * this.#each ? this.#shuffled(pass) : this.#order(pass);
    return new Set(order.slice(-shared));
  }

  #shuffled(pass: number): readonly number[] {
    return this.#rng.fork(pass).shuffle(Array.from({ length: this.#size }, (_, index) => index));
  }
}
