import { UsageError } from '../../core/errors.ts';
import { Action } from './action.ts';
import { compile, type Compiled } from './compile.ts';
import { FactSet, type Facts } from './facts.ts';
import { FrameLayout, resolve, type Names } from './formula.ts';
import { layOutFacts, objectsOf, type FluentPredicate, type PredicateTable } from './predicate-table.ts';
import {
  changedPredicates,
  findReach,
  listOf,
  relevantPredicates,
  type Ground,
  type ReachableFacts,
} from './reachable-facts.ts';
import { Relation } from './relation.ts';
import type { Domain, Problem } from './syntax.ts';
import { rootType, type TypeRef } from './type-tree.ts';

/** The most facts of a problem. */
const mostFacts = 16_000_000;

/**
 * A problem that is ready to be played. Objects are numbered in the order of their names as strings. Facts
 * that can change have numbers, the others are in relations. Actions find their applicable instances on
 * demand.
 */
export class PlanningTask {
  readonly domain: Domain;
  readonly problem: Problem;
  readonly objects: readonly string[];
  readonly initial: FactSet;
  readonly actions: readonly Action[];
  /** The number of facts that can change and that something reads. */
  readonly facts: number;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #types: readonly TypeRef[]; // (objects)
  readonly #tables = new Map<string, PredicateTable>();
  readonly #goal: Compiled;
  readonly #goalFrame: Int32Array;

  /**
   * @param observed predicates that are read elsewhere. Predicates that neither they, nor preconditions, nor
   * the goal name have no facts
   */
  constructor(domain: Domain, problem: Problem, observed: Iterable<string>) {
    this.domain = domain;
    this.problem = problem;
    const typed = [...domain.constants, ...problem.objects].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.objects = typed.map(({ name }) => name);
    this.#types = typed.map(({ type }) => type);
    this.#numbers = new Map(this.objects.map((name, number) => [name, number]));
    const ground = this.#ground();
    const changed = changedPredicates(domain);
    const relevant = relevantPredicates(domain, problem.goal, observed);
    const fluents = new Set([...changed].filter((name) => relevant.has(name)));
    const reach = findReach(ground, fluents);
    this.facts = this.#layOut(ground, reach, changed);
    this.initial = this.#factsAtStart(ground);
    const names: Names = {
      table: (name) => this.table(name),
      object: (name) => this.#numbers.get(name),
      range: ({ type }) => ground.members(type),
    };
    this.actions = this.#compileActions(names, reach);
    const layout = new FrameLayout(`the goal of the problem "${problem.name}"`, problem.goalSlots);
    this.#goal = compile(resolve(problem.goal, names, layout), layout);
    this.#goalFrame = layout.frame();
  }

  table(predicate: string): PredicateTable {
    const table = this.#tables.get(predicate);
    if (table === undefined) throw new TypeError(`there is no predicate ${predicate}`);
    return table;
  }

  /** The predicates whose facts have numbers. */
  *fluents(): Iterable<FluentPredicate> {
    for (const table of this.#tables.values()) if (table.kind === 'fluent') yield table;
  }

  /** The number of an object; undefined where no object has that name. */
  numberOf(object: string): number | undefined {
    return this.#numbers.get(object);
  }

  /** True when the object belongs to the type or to a subtype. */
  isOf(object: number, type: TypeRef): boolean {
    return this.domain.types.fits(this.#types[object] as TypeRef, type);
  }

  /** The declared type of the object; the first of several. */
  typeOf(object: number): string {
    return this.#types[object]?.names[0] ?? rootType;
  }

  isSolved(facts: Facts): boolean {
    return this.#goal.test(this.#goalFrame, facts);
  }

  /** The literals that make the goal true. The goal must hold. See `literalOf`. */
  goalSupport(facts: Facts): readonly number[] {
    const out: number[] = [];
    this.#goal.support(this.#goalFrame, facts, out);
    return out;
  }

  /** The action of an instance. */
  actionOf(instance: number): Action {
    return this.actions.findLast(({ base }) => base <= instance) as Action;
  }

  /** A fact in words, such as `holds(agent1, mug)`. */
  sayFact(fact: number): string {
    for (const table of this.fluents()) {
      if (fact < table.base || fact >= table.base + table.size) continue;
      return `${table.name}(${objectsOf(table, fact)
        .map((object) => this.objects[object])
        .join(', ')})`;
    }
    throw new RangeError(`there is no fact ${fact}`);
  }

  #ground(): Ground {
    const tuples = new Map<string, number[][]>();
    for (const { predicate, objects } of this.problem.facts) {
      const tuple = objects.map((name) => this.#numbers.get(name) as number);
      const list = tuples.get(predicate);
      if (list === undefined) tuples.set(predicate, [tuple]);
      else list.push(tuple);
    }
    const known = new Map<string, Int32Array>();
    const members = (type: TypeRef): Int32Array => {
      const key = type.names.join(' ');
      const found =
        known.get(key) ??
        Int32Array.from([...this.objects.keys()].filter((object) => this.isOf(object, type)));
      known.set(key, found);
      return found;
    };
    return { domain: this.domain, numbers: this.#numbers, members, tuples };
  }

  /** Fills the tables. Returns the number of facts. */
  #layOut(ground: Ground, reach: ReachableFacts, changed: ReadonlySet<string>): number {
    let base = 0;
    for (const { name, arity } of this.domain.predicates.values()) {
      const tuples = ground.tuples.get(name) ?? [];
      const positions = reach.positions.get(name);
      if (positions !== undefined) {
        const table = layOutFacts(
          { name, base, initially: tuples.length },
          positions.map(listOf),
          this.objects.length,
        );
        base += table.size;
        this.#tables.set(name, table);
      } else if (!changed.has(name)) {
        this.#tables.set(name, {
          kind: 'static',
          name,
          relation: new Relation(arity, tuples, this.objects.length),
        });
      } else {
        this.#tables.set(name, { kind: 'ignored', name });
      }
    }
    if (base > mostFacts) {
      const what = `its ${this.objects.length} objects allow ${base} facts, more than ${mostFacts}.`;
      throw new UsageError({
        where: `problem "${this.problem.name}"`,
        what,
        fix: 'Use a smaller one: this one is too large to play.',
      });
    }
    return base;
  }

  #factsAtStart(ground: Ground): FactSet {
    const initial = new FactSet(this.facts);
    for (const table of this.fluents()) {
      for (const tuple of ground.tuples.get(table.name) ?? []) {
        initial.add(
          tuple.reduce(
            (fact, object, position) => fact + ((table.offsets[position] as Int32Array)[object] as number),
            table.base,
          ),
        );
      }
    }
    return initial;
  }

  #compileActions(names: Names, reach: ReachableFacts): readonly Action[] {
    let base = 0;
    return this.domain.actions.map((schema) => {
      const ranges = (reach.parameters.get(schema) ?? []).map(listOf);
      const action = new Action(schema, names, { base, ranges, objects: this.objects.length });
      base += Math.max(1, action.size);
      if (!Number.isSafeInteger(base)) {
        const what = `"${schema.name}" has more instances than can be counted.`;
        throw new UsageError({
          where: `problem "${this.problem.name}"`,
          what,
          fix: 'Use a smaller one: this one is too large to play.',
        });
      }
      return action;
    });
  }
}
