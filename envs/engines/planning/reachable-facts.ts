import type { ActionSchema, Atom, Condition, Domain, Effect } from './syntax.ts';
import type { TypeRef } from './type-tree.ts';

/** Sets of objects as bytes, one byte per object. */
type ObjectSet = Uint8Array; // (objects)

/** What is known before facts have numbers. */
export interface Ground {
  readonly domain: Domain;
  readonly numbers: ReadonlyMap<string, number>; // of objects, by name
  readonly members: (type: TypeRef) => Int32Array;
  /** Facts of the start, by predicate. */
  readonly tuples: ReadonlyMap<string, readonly (readonly number[])[]>;
}

/** Over-estimates of what can ever happen. */
export interface ReachableFacts {
  /** The objects that each position may have, for each predicate that actions change and something reads. */
  readonly positions: ReadonlyMap<string, readonly ObjectSet[]>;
  /** The values that each parameter may have, for each action. */
  readonly parameters: ReadonlyMap<ActionSchema, readonly ObjectSet[]>;
}

/** Predicates that an action changes. */
export function changedPredicates({ actions }: Domain): ReadonlySet<string> {
  return new Set(actions.flatMap(({ effects }) => effects.map(({ atom }) => atom.predicate)));
}

/**
 * Predicates that can matter: those that preconditions, the goal or `observed` name, and those that effects
 * on them depend on.
 */
export function relevantPredicates(
  { actions }: Domain,
  goal: Condition,
  observed: Iterable<string>,
): ReadonlySet<string> {
  const relevant = new Set<string>([
    ...observed,
    ...predicatesOf(goal),
    ...actions.flatMap(({ precondition }) => predicatesOf(precondition)),
  ]);
  const conditional = actions.flatMap(({ effects }) => effects).filter(({ when }) => when !== undefined);
  for (let size = -1; size !== relevant.size;) {
    size = relevant.size;
    for (const { atom, when } of conditional) {
      if (relevant.has(atom.predicate) && when !== undefined)
        for (const name of predicatesOf(when)) relevant.add(name);
    }
  }
  return relevant;
}

function predicatesOf(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case 'atom':
      return [condition.predicate];
    case 'equal':
      return [];
    case 'not':
    case 'exists':
    case 'forall':
      return predicatesOf(condition.of);
    case 'and':
    case 'or':
      return condition.parts.flatMap(predicatesOf);
  }
}

/** The facts that must hold for a condition to hold, as far as the condition states them directly. */
export function requiredAtoms(condition: Condition): readonly Atom[] {
  if (condition.kind === 'atom') return [condition];
  const isList = condition.kind === 'and' || (condition.kind === 'or' && condition.parts.length === 1);
  return isList ? condition.parts.flatMap(requiredAtoms) : [];
}

/**
 * Computes, position by position, the objects that a fact could ever be about. It starts with the facts of
 * the start and adds what actions add. Each parameter ranges over the objects that its type and each required
 * fact allow. It ignores which objects occur together, so it finds too many facts, never too few.
 */
export function findReach(ground: Ground, fluents: ReadonlySet<string>): ReachableFacts {
  const count = ground.numbers.size;
  const positions = new Map<string, readonly ObjectSet[]>();
  for (const name of fluents) {
    const arity = ground.domain.predicates.get(name)?.arity ?? 0;
    positions.set(name, projections(ground, name, arity, count));
  }
  const parameters = new Map<ActionSchema, readonly ObjectSet[]>();
  for (let grew = true; grew;) {
    grew = false;
    for (const action of ground.domain.actions) {
      const ranges = rangesOf(action, ground, positions);
      parameters.set(action, ranges);
      if (ranges.some((range) => !range.includes(1))) continue;
      for (const effect of action.effects) {
        if (effect.adds)
          grew = extend(positions.get(effect.atom.predicate), effect, { action, ranges, ground }) || grew;
      }
    }
  }
  return { positions, parameters };
}

function projections({ tuples }: Ground, name: string, arity: number, count: number): readonly ObjectSet[] {
  const sets = Array.from({ length: arity }, () => new Uint8Array(count));
  for (const tuple of tuples.get(name) ?? [])
    for (const [position, object] of tuple.entries()) (sets[position] as ObjectSet)[object] = 1;
  return sets;
}

function rangesOf(
  action: ActionSchema,
  ground: Ground,
  positions: ReachableFacts['positions'],
): readonly ObjectSet[] {
  const required = requiredAtoms(action.precondition);
  return action.parameters.map(({ slot, type }) => {
    const range = setOf(ground.members(type), ground.numbers.size);
    for (const atom of required) {
      for (const [position, term] of atom.terms.entries()) {
        if (term.kind === 'variable' && term.slot === slot)
          narrow(range, allowed(atom, position, ground, positions));
      }
    }
    return range;
  });
}

/** The objects that may stand at a position of a required fact. */
function allowed(
  atom: Atom,
  position: number,
  ground: Ground,
  positions: ReachableFacts['positions'],
): ObjectSet {
  const fluent = positions.get(atom.predicate);
  if (fluent !== undefined) return fluent[position] as ObjectSet;
  const set = new Uint8Array(ground.numbers.size);
  for (const tuple of ground.tuples.get(atom.predicate) ?? []) {
    const fits = atom.terms.every(
      (term, index) => term.kind === 'variable' || ground.numbers.get(term.name) === tuple[index],
    );
    if (fits) set[tuple[position] as number] = 1;
  }
  return set;
}

function narrow(range: ObjectSet, to: ObjectSet): void {
  for (let object = 0; object < range.length; object += 1) if (to[object] === 0) range[object] = 0;
}

interface Acting {
  readonly action: ActionSchema;
  readonly ranges: readonly ObjectSet[];
  readonly ground: Ground;
}

/** Adds what an effect can make true. True when something new was added. */
function extend(
  sets: readonly ObjectSet[] | undefined,
  effect: Effect,
  { action, ranges, ground }: Acting,
): boolean {
  if (sets === undefined) return false;
  let grew = false;
  for (const [position, term] of effect.atom.terms.entries()) {
    const set = sets[position] as ObjectSet;
    const parameter =
      term.kind === 'variable' ? action.parameters.findIndex(({ slot }) => slot === term.slot) : -1;
    const quantified =
      term.kind === 'variable' ? effect.variables.find(({ slot }) => slot === term.slot) : undefined;
    const number = term.kind === 'object' ? ground.numbers.get(term.name) : undefined;
    const range =
      ranges[parameter] ??
      setOf(
        quantified === undefined ? (number === undefined ? [] : [number]) : ground.members(quantified.type),
        set.length,
      );
    for (let object = 0; object < set.length; object += 1) {
      if (range[object] === 1 && set[object] === 0) {
        set[object] = 1;
        grew = true;
      }
    }
  }
  return grew;
}

function setOf(members: Iterable<number>, count: number): ObjectSet {
  const set = new Uint8Array(count);
  for (const object of members) set[object] = 1;
  return set;
}

/** The members of a set, ascending. */
export function listOf(set: ObjectSet): Int32Array {
  let size = 0;
  for (let object = 0; object < set.length; object += 1) size += set[object] as number;
  const list = new Int32Array(size);
  for (let object = 0, next = 0; object < set.length; object += 1)
    if (set[object] === 1) list[next++] = object;
  return list;
}
