import { compile, compileSearch, type Compiled } from './compile.ts';
import { impossible, type FactSet, type Facts } from './facts.ts';
import { FrameLayout, resolve, slotsOf, truth, type Names, type Range } from './formula.ts';
import { factAt, type FluentPredicate } from './predicate-table.ts';
import { requiredAtoms } from './reachable-facts.ts';
import type { Search } from './search.ts';
import type { ActionSchema, Atom, Condition, Effect, Term } from './syntax.ts';

/** The effect of an action on one predicate. */
interface CompiledEffect {
  readonly adds: boolean;
  readonly table: FluentPredicate;
  readonly slots: readonly number[];
  /**
   * The values for which, and the worlds in which, it happens. Undefined where it happens exactly once in any
   * world.
   */
  readonly each: Search | undefined;
  /** The values for which it may happen, in any world. */
  readonly any: Search;
  /** The condition of a conditional effect. */
  readonly condition: Compiled;
}

/** The changes of an action, in the order of execution. */
export interface Changes {
  readonly deleted: readonly number[];
  readonly added: readonly number[];
}

/** An action of one problem. It finds its own applicable instances and applies them. */
export class Action {
  readonly schema: ActionSchema;
  /** The number of its first instance. */
  readonly base: number;
  /** The number of possible instances. */
  readonly size: number;
  readonly #frame: Int32Array;
  readonly #slots: readonly number[]; // (parameters)
  readonly #offsets: readonly Float64Array[]; // (parameters, objects)
  readonly #search: Search;
  readonly #precondition: Compiled;
  readonly #required: readonly { readonly table: FluentPredicate; readonly slots: readonly number[] }[];
  readonly #effects: readonly CompiledEffect[];

  constructor(
    schema: ActionSchema,
    names: Names,
    from: { readonly base: number; readonly ranges: readonly Int32Array[]; readonly objects: number },
  ) {
    this.schema = schema;
    this.base = from.base;
    const layout = new FrameLayout(`the action "${schema.name}"`, schema.slots);
    const ranges = schema.parameters.map(({ slot }, index): Range => ({
      slot,
      candidates: from.ranges[index] as Int32Array,
    }));
    let stride = 1;
    this.#offsets = ranges.map(({ candidates }) => {
      const table = new Float64Array(from.objects);
      for (const [rank, object] of candidates.entries()) table[object] = rank * stride;
      stride *= candidates.length;
      return table;
    });
    this.size = stride;
    this.#slots = ranges.map(({ slot }) => slot);
    const precondition = resolve(
      { kind: 'and', parts: [schema.precondition, changesSomething(schema)] },
      names,
      layout,
    );
    const never = ranges.some(({ candidates }) => candidates.length === 0) || schema.effects.length === 0;
    const effects = schema.effects.flatMap((effect) => compileEffect(effect, names, layout));
    this.#search = never ? () => false : compileSearch(ranges, precondition, layout);
    this.#precondition = compile(precondition, layout);
    this.#required = requiredAtoms(schema.precondition).flatMap((atom) => {
      const table = names.table(atom.predicate);
      const slots = slotsOf(atom.terms, names, layout);
      return table.kind === 'fluent' && slots !== undefined ? [{ table, slots }] : [];
    });
    this.#effects = effects;
    this.#frame = layout.frame();
  }

  /** Calls `visit` with the number of each instance that is applicable. Between calls {@link values} are those of the instance. */
  forEachApplicable(facts: Facts, visit: (instance: number) => void): void {
    const frame = this.#frame;
    this.#search(frame, facts, () => {
      let instance = this.base;
      for (let index = 0; index < this.#slots.length; index += 1) {
        instance += (this.#offsets[index] as Float64Array)[
          frame[this.#slots[index] as number] as number
        ] as number;
      }
      visit(instance);
      return false;
    });
  }

  /** The parameter values of the instance visited last. */
  values(): Int32Array {
    return Int32Array.from(this.#slots, (slot) => this.#frame[slot] as number);
  }

  /**
   * The facts that must hold for the action to be applicable to these values, as far as the precondition
   * states them directly.
   */
  requiredFacts(values: Int32Array): Int32Array {
    this.#place(values);
    return Int32Array.from(this.#required.map(({ table, slots }) => factAt(table, this.#frame, slots)));
  }

  /** The literals that make the action applicable to these values. It must be applicable. See `literalOf`. */
  support(values: Int32Array, facts: Facts): readonly number[] {
    this.#place(values);
    const out: number[] = [];
    this.#precondition.support(this.#frame, facts, out);
    return out;
  }

  /** Its changes, with the literals on which each conditional change depends. */
  changes(values: Int32Array, facts: Facts): Changes {
    const deleted: number[] = [];
    const added: number[] = [];
    this.forEachChange(values, facts, (fact, adds) => (adds ? added : deleted).push(fact));
    return { deleted, added };
  }

  /**
   * Calls `visit` with each fact that it would make true or false, and with the condition of a conditional
   * change.
   */
  forEachChange(
    values: Int32Array,
    facts: Facts,
    visit: (fact: number, adds: boolean, condition?: () => readonly number[]) => void,
  ): void {
    this.#place(values);
    const frame = this.#frame;
    for (const effect of this.#effects) {
      if (effect.each === undefined) {
        const fact = factAt(effect.table, frame, effect.slots);
        if (fact !== impossible) visit(fact, effect.adds);
        continue;
      }
      effect.each(frame, facts, () => {
        const fact = factAt(effect.table, frame, effect.slots);
        if (fact !== impossible) visit(fact, effect.adds, () => supportOf(effect.condition, frame, facts));
        return false;
      });
    }
  }

  /**
   * Calls `visit` with each fact that it may change. The second argument says whether the fact's value
   * afterwards is certain without any knowledge of facts.
   */
  forEachPossible(values: Int32Array, visit: (fact: number, isCertain: boolean) => void): void {
    this.#place(values);
    for (const { table, slots, each, any } of this.#effects) {
      any(this.#frame, nothingKnown, () => {
        const fact = factAt(table, this.#frame, slots);
        if (fact !== impossible) visit(fact, each === undefined);
        return false;
      });
    }
  }

  #place(values: Int32Array): void {
    for (let index = 0; index < values.length; index += 1)
      this.#frame[this.#slots[index] as number] = values[index] as number;
  }
}

const nothingKnown: Facts = { holds: () => false, lacks: () => false };

function supportOf(condition: Compiled, frame: Int32Array, facts: Facts): readonly number[] {
  const out: number[] = [];
  condition.support(frame, facts, out);
  return out;
}

/** Applies the changes. A fact that is both deleted and added is added. */
export function applyChanges({ deleted, added }: Changes, to: FactSet): void {
  for (const fact of deleted) to.delete(fact);
  for (const fact of added) to.add(fact);
}

function compileEffect(
  { variables, when, adds, atom }: Effect,
  names: Names,
  layout: FrameLayout,
): readonly CompiledEffect[] {
  const table = names.table(atom.predicate);
  const slots = slotsOf(atom.terms, names, layout);
  if (table.kind !== 'fluent' || slots === undefined) return [];
  const formula = when === undefined ? truth : resolve(when, names, layout);
  const ranges = variables.map((variable): Range => ({
    slot: variable.slot,
    candidates: names.range(variable),
  }));
  if (ranges.some(({ candidates }) => candidates.length === 0)) return [];
  const isPlain = ranges.length === 0 && when === undefined;
  const each = isPlain ? undefined : compileSearch(ranges, formula, layout);
  return [
    {
      adds,
      table,
      slots,
      each,
      any: compileSearch(ranges, truth, layout),
      condition: compile(formula, layout),
    },
  ];
}

/**
 * The condition under which an action changes more than what its own precondition requires. Fast Downward
 * drops all other instances, which is why an agent cannot go to the place where it is. Only literals that are
 * directly required are considered, and only actions without conditional effects.
 */
function changesSomething({ precondition, effects }: ActionSchema): Condition {
  if (effects.some(({ variables, when }) => variables.length > 0 || when !== undefined))
    return { kind: 'and', parts: [] };
  const required = requiredLiterals(precondition);
  const added = effects.filter(({ adds }) => adds).map(({ atom }) => ({ atom, holds: true }));
  const idle = effects.map(({ adds, atom }): Condition => {
    const implied = required.filter(({ holds }) => holds === adds);
    const others = adds ? implied : [...implied, ...added]; // a fact that is deleted and added is added
    return { kind: 'or', parts: others.flatMap((other) => sameAtom(other.atom, atom)) };
  });
  return { kind: 'not', of: { kind: 'and', parts: idle } };
}

function requiredLiterals(condition: Condition): readonly { readonly atom: Atom; readonly holds: boolean }[] {
  if (condition.kind === 'not' && condition.of.kind === 'atom') return [{ atom: condition.of, holds: false }];
  if (condition.kind === 'and') return condition.parts.flatMap(requiredLiterals);
  return requiredAtoms(condition).map((atom) => ({ atom, holds: true }));
}

/** The condition under which two facts are the same; empty where they never are. */
function sameAtom(a: Atom, b: Atom): readonly Condition[] {
  if (a.predicate !== b.predicate) return [];
  return [
    {
      kind: 'and',
      parts: a.terms.map((term, index): Condition => ({
        kind: 'equal',
        left: term,
        right: b.terms[index] as Term,
      })),
    },
  ];
}
