import type { Action } from './action.ts';
import { literalOf } from './compile.ts';
import type { Facts, FactSet } from './facts.ts';
import type { PlanningTask } from './task.ts';

/** An instance of an action with its values. */
export interface Deed {
  readonly action: number; // index of the task's actions
  readonly values: Int32Array; // (parameters)
  readonly instance: number;
}

/** A plan for the relaxed problem, in which facts never stop being true. */
export interface RelaxedPlan {
  /** The number of its actions, an estimate of the distance to the goal. */
  readonly length: number;
  /** The instances that are applicable at once. They are good candidates to try first. */
  readonly helpful: ReadonlySet<number>;
}

const unreached = 65_535;

/** Facts and their absence, each with the first layer in which it can be true. */
class Layers implements Facts {
  /** Everything up to this layer counts. */
  limit = 0;
  readonly #first: Uint16Array; // (2 × facts) by literal

  constructor(world: FactSet, facts: number) {
    this.#first = new Uint16Array(2 * facts).fill(unreached);
    for (let fact = 0; fact < facts; fact += 1) this.#first[literalOf(fact, world.holds(fact))] = 0;
  }

  holds(fact: number): boolean {
    return (this.#first[literalOf(fact, true)] as number) <= this.limit;
  }

  lacks(fact: number): boolean {
    return (this.#first[literalOf(fact, false)] as number) <= this.limit;
  }

  layerOf(literal: number): number {
    return this.#first[literal] as number;
  }

  reach(literal: number, layer: number): void {
    this.#first[literal] = layer;
  }
}

/** How a literal becomes true. */
interface Cause {
  readonly deed: Deed;
  readonly layer: number;
  /** The other literals that must be true, for a conditional effect. */
  readonly condition: readonly number[];
}

/**
 * Finds a relaxed plan from a world to the goal, as in FF (Hoffmann and Nebel, 2001). Absent facts are
 * relaxed like present ones. Undefined where even the relaxed problem has no plan.
 */
export function findRelaxedPlan(task: PlanningTask, world: FactSet): RelaxedPlan | undefined {
  const layers = new Layers(world, task.facts);
  const causes = new Map<number, Cause>(); // by literal
  const seen = new Set<number>(); // instances
  while (!task.isSolved(layers)) {
    const reached = expand(task, layers, { causes, seen });
    if (reached.length === 0) return undefined;
    layers.limit += 1;
    for (const literal of reached) layers.reach(literal, layers.limit);
  }
  return extract(task, layers, causes);
}

/** The literals that one more layer of actions makes true. */
function expand(
  task: PlanningTask,
  layers: Layers,
  { causes, seen }: { readonly causes: Map<number, Cause>; readonly seen: Set<number> },
): readonly number[] {
  const deeds: Deed[] = [];
  for (const [index, action] of task.actions.entries()) {
    action.forEachApplicable(layers, (instance) => {
      if (!seen.has(instance)) deeds.push({ action: index, values: action.values(), instance });
    });
  }
  const reached: number[] = [];
  const { limit } = layers;
  for (const deed of deeds) {
    let isConditional = false;
    (task.actions[deed.action] as Action).forEachChange(deed.values, layers, (fact, adds, condition) => {
      const literal = literalOf(fact, adds);
      if (condition !== undefined) isConditional = true;
      if (layers.layerOf(literal) !== unreached || causes.has(literal)) return;
      causes.set(literal, { deed, layer: limit, condition: condition?.() ?? [] });
      reached.push(literal);
    });
    if (!isConditional) seen.add(deed.instance); // its conditions may become true later
  }
  return reached;
}

function extract(task: PlanningTask, layers: Layers, causes: ReadonlyMap<number, Cause>): RelaxedPlan {
  const deeds = new Set<number>();
  const helpful = new Set<number>();
  const done = new Set<number>();
  const open = [...task.goalSupport(layers)];
  for (let literal = open.pop(); literal !== undefined; literal = open.pop()) {
    const cause = causes.get(literal);
    if (done.has(literal) || cause === undefined) continue;
    done.add(literal);
    open.push(...cause.condition);
    const { deed, layer } = cause;
    if (deeds.has(deed.instance)) continue;
    deeds.add(deed.instance);
    if (layer === 0) helpful.add(deed.instance);
    layers.limit = layer;
    open.push(...(task.actions[deed.action] as Action).support(deed.values, layers));
  }
  return { length: deeds.size, helpful };
}
