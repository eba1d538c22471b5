import type { PredicateTable, FluentPredicate, StaticPredicate } from './predicate-table.ts';
import type { Condition, Term, Variable } from './syntax.ts';

/** A quantified variable: its slot in the frame, and the values it may have. */
export interface Range {
  readonly slot: number;
  readonly candidates: Int32Array; // ascending
}

/**
 * A condition of one problem. Names are resolved to tables and slots of the frame, negation is moved inwards,
 * and parts that are always true are removed.
 */
export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean }
  | {
      readonly kind: 'static';
      readonly table: StaticPredicate;
      readonly slots: readonly number[];
      readonly holds: boolean;
    }
  | {
      readonly kind: 'fluent';
      readonly table: FluentPredicate;
      readonly slots: readonly number[];
      readonly holds: boolean;
    }
  | { readonly kind: 'equal'; readonly slots: readonly [number, number]; readonly holds: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }
  | { readonly kind: 'some' | 'all'; readonly ranges: readonly Range[]; readonly of: Formula };

/** The slots of a frame: variables first, then the named objects, whose values are fixed. */
export class FrameLayout {
  /** The owner of the frame, for errors. */
  readonly of: string;
  readonly #variables: number;
  readonly #objects = new Map<number, number>(); // slot by object

  constructor(of: string, variables: number) {
    this.of = of;
    this.#variables = variables;
  }

  slotOf(object: number): number {
    const known = this.#objects.get(object);
    if (known !== undefined) return known;
    const slot = this.#variables + this.#objects.size;
    this.#objects.set(object, slot);
    return slot;
  }

  /** True for the slot of a named object. */
  isNamed(slot: number): boolean {
    return slot >= this.#variables;
  }

  /** A frame with the named objects in their slots. */
  frame(): Int32Array {
    const frame = new Int32Array(this.#variables + this.#objects.size);
    for (const [object, slot] of this.#objects) frame[slot] = object;
    return frame;
  }
}

/** The meaning of names in one problem. */
export interface Names {
  readonly table: (predicate: string) => PredicateTable;
  /** The number of an object; undefined where the problem has no object of that name. */
  readonly object: (name: string) => number | undefined;
  readonly range: (variable: Variable) => Int32Array;
}

export const truth: Formula = { kind: 'constant', value: true };
const falsehood: Formula = { kind: 'constant', value: false };

/** Resolves a condition. `holds` false gives its negation. */
export function resolve(condition: Condition, names: Names, layout: FrameLayout, holds = true): Formula {
  switch (condition.kind) {
    case 'not':
      return resolve(condition.of, names, layout, !holds);
    case 'and':
    case 'or': {
      const parts = condition.parts.map((part) => resolve(part, names, layout, holds));
      return (condition.kind === 'and') === holds ? conjunction(parts) : disjunction(parts);
    }
    case 'exists':
    case 'forall':
      return quantified((condition.kind === 'exists') === holds ? 'some' : 'all', condition.variables, {
        of: resolve(condition.of, names, layout, holds),
        names,
      });
    case 'equal': {
      const slots = slotsOf([condition.left, condition.right], names, layout);
      return slots === undefined
        ? { kind: 'constant', value: !holds }
        : { kind: 'equal', slots: [slots[0] as number, slots[1] as number], holds };
    }
    case 'atom': {
      const slots = slotsOf(condition.terms, names, layout);
      const table = names.table(condition.predicate);
      if (slots === undefined || isNever(table)) return { kind: 'constant', value: !holds };
      if (table.kind === 'ignored')
        throw new TypeError(`the predicate ${table.name} has no facts to ask for`);
      return table.kind === 'static'
        ? { kind: 'static', table, slots, holds }
        : { kind: 'fluent', table, slots, holds };
    }
  }
}

const isNever = (table: PredicateTable): boolean =>
  (table.kind === 'static' && table.relation.tuples.length === 0) ||
  (table.kind === 'fluent' && table.size === 0);

/** The slots of terms. Undefined where an object is not part of this problem: then the condition is false. */
export function slotsOf(
  terms: readonly Term[],
  names: Names,
  layout: FrameLayout,
): readonly number[] | undefined {
  const slots: number[] = [];
  for (const term of terms) {
    const object = term.kind === 'object' ? names.object(term.name) : undefined;
    if (term.kind === 'object' && object === undefined) return undefined;
    slots.push(term.kind === 'variable' ? term.slot : layout.slotOf(object as number));
  }
  return slots;
}

export function conjunction(parts: readonly Formula[]): Formula {
  const flat = parts.flatMap((part) => (part.kind === 'and' ? part.parts : [part]));
  if (flat.some((part) => part.kind === 'constant' && !part.value)) return falsehood;
  const left = flat.filter((part) => part.kind !== 'constant');
  return left.length === 1 ? (left[0] as Formula) : left.length === 0 ? truth : { kind: 'and', parts: left };
}

export function disjunction(parts: readonly Formula[]): Formula {
  const flat = parts.flatMap((part) => (part.kind === 'or' ? part.parts : [part]));
  if (flat.some((part) => part.kind === 'constant' && part.value)) return truth;
  const left = flat.filter((part) => part.kind !== 'constant');
  return left.length === 1
    ? (left[0] as Formula)
    : left.length === 0
      ? falsehood
      : { kind: 'or', parts: left };
}

function quantified(
  kind: 'some' | 'all',
  variables: readonly Variable[],
  { of, names }: { readonly of: Formula; readonly names: Names },
): Formula {
  const ranges = variables.map((variable): Range => ({
    slot: variable.slot,
    candidates: names.range(variable),
  }));
  if (ranges.some(({ candidates }) => candidates.length === 0))
    return { kind: 'constant', value: kind === 'all' };
  return of.kind === 'constant' || ranges.length === 0 ? of : { kind, ranges, of };
}

/** The slots that a formula reads, without those of its own quantifiers. */
export function readSlots(formula: Formula): ReadonlySet<number> {
  switch (formula.kind) {
    case 'constant':
      return new Set();
    case 'static':
    case 'fluent':
    case 'equal':
      return new Set(formula.slots);
    case 'and':
    case 'or':
      return new Set(formula.parts.flatMap((part) => [...readSlots(part)]));
    case 'some':
    case 'all': {
      const own = new Set(formula.ranges.map(({ slot }) => slot));
      return new Set([...readSlots(formula.of)].filter((slot) => !own.has(slot)));
    }
  }
}

/** True when no action can change the truth of the formula. */
export function isStatic(formula: Formula): boolean {
  switch (formula.kind) {
    case 'constant':
    case 'static':
    case 'equal':
      return true;
    case 'fluent':
      return false;
    case 'and':
    case 'or':
      return formula.parts.every(isStatic);
    case 'some':
    case 'all':
      return isStatic(formula.of);
  }
}
