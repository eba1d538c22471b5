import { applyChanges, type Action } from './action.ts';
import { FactSet } from './facts.ts';
import { findRelaxedPlan, type Deed } from './relaxed-plan.ts';
import type { PlanningTask } from './task.ts';

/** A world of the search, and how it was reached. */
interface Node {
  readonly parent: Node | undefined;
  readonly deed: Deed | undefined;
}

/** Of 170 household tasks, easy and hard, none needed more than 50. */
export const mostWorlds = 500;

/**
 * Searches for a plan. It always expands the world whose relaxed plan is shortest, first with the actions of
 * that relaxed plan. It finds some plan, seldom the shortest, and gives up after `most` worlds.
 */
export function findPlan(
  task: PlanningTask,
  { most = mostWorlds }: { readonly most?: number } = {},
): readonly Deed[] | undefined {
  const queue = new BucketQueue<Node>();
  const seen = new Set<string>();
  queue.push(0, { parent: undefined, deed: undefined });
  for (let looked = 0; looked < most;) {
    const node = queue.pop();
    if (node === undefined) return undefined;
    const world = worldOf(task, node);
    const key = world.words.join();
    if (seen.has(key)) continue;
    seen.add(key);
    looked += 1;
    if (task.isSolved(world)) return deedsOf(node);
    const relaxed = findRelaxedPlan(task, world);
    if (relaxed === undefined) continue;
    for (const [index, action] of task.actions.entries()) {
      action.forEachApplicable(world, (instance) => {
        const rank = 2 * relaxed.length + (relaxed.helpful.has(instance) ? 0 : 1);
        queue.push(rank, { parent: node, deed: { action: index, values: action.values(), instance } });
      });
    }
  }
  return undefined;
}

function deedsOf(node: Node): readonly Deed[] {
  const deeds: Deed[] = [];
  for (let at: Node | undefined = node; at?.deed !== undefined; at = at.parent) deeds.push(at.deed);
  return deeds.reverse();
}

function worldOf(task: PlanningTask, node: Node): FactSet {
  const world = new FactSet(task.initial.words);
  for (const { action, values } of deedsOf(node))
    applyChanges((task.actions[action] as Action).changes(values, world), world);
  return world;
}

/** A queue that returns the item of the lowest rank. Ties go to the item added first. */
class BucketQueue<T> {
  readonly #buckets: T[][] = [];
  readonly #heads: number[] = [];

  push(rank: number, item: T): void {
    for (let empty = this.#buckets.length; empty <= rank; empty += 1) {
      this.#buckets.push([]);
      this.#heads.push(0);
    }
    (this.#buckets[rank] as T[]).push(item);
  }

  pop(): T | undefined {
    for (const [rank, bucket] of this.#buckets.entries()) {
      const head = this.#heads[rank] as number;
      if (head >= bucket.length) continue;
      this.#heads[rank] = head + 1;
      return bucket[head];
    }
    return undefined;
  }
}
