import { impossible } from './facts.ts';
import type { Relation } from './relation.ts';

/** A predicate that no action changes. */
export interface StaticPredicate {
  readonly kind: 'static';
  readonly name: string;
  readonly relation: Relation;
}

/** A predicate that actions change. Each combination of objects for which it could ever hold has a number. */
export interface FluentPredicate {
  readonly kind: 'fluent';
  readonly name: string;
  /** The number of its first fact. */
  readonly base: number;
  /** The number of its possible facts. */
  readonly size: number;
  /** For each position, the objects that it may have, ascending. */
  readonly candidates: readonly Int32Array[];
  /** For each position and object, the amount added to the fact's number, or {@link never}. */
  readonly offsets: readonly Int32Array[]; // (positions, objects)
  /** The number of its facts that hold at the start. */
  readonly initially: number;
}

/** A predicate that actions change and that nothing reads. */
export interface IgnoredPredicate {
  readonly kind: 'ignored';
  readonly name: string;
}

export type PredicateTable = StaticPredicate | FluentPredicate | IgnoredPredicate;

/** So low that no sum with it is the number of a fact. */
const never = -1_000_000_000;

/** Assigns numbers to the facts of a predicate. */
export function layOutFacts(
  of: { readonly name: string; readonly base: number; readonly initially: number },
  candidates: readonly Int32Array[],
  objects: number,
): FluentPredicate {
  let stride = 1;
  const offsets = candidates.map((list) => {
    const table = new Int32Array(objects).fill(never);
    for (const [rank, object] of list.entries()) table[object] = rank * stride;
    stride *= list.length;
    return table;
  });
  return { kind: 'fluent', ...of, size: stride, candidates, offsets };
}

/** The number of the fact about the values in these slots of the frame. */
export function factAt(
  { base, offsets }: FluentPredicate,
  frame: Int32Array,
  slots: readonly number[],
): number {
  let fact = base;
  for (let position = 0; position < slots.length; position += 1) {
    fact += (offsets[position] as Int32Array)[frame[slots[position] as number] as number] as number;
  }
  return fact < 0 ? impossible : fact;
}

/** The objects of a fact of this predicate. */
export function objectsOf({ base, candidates }: FluentPredicate, fact: number): readonly number[] {
  let rest = fact - base;
  return candidates.map((list) => {
    const object = list[rest % list.length] as number;
    rest = Math.floor(rest / list.length);
    return object;
  });
}
