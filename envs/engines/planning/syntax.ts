import type { TypeRef, TypeTree } from './type-tree.ts';

/** An object or constant with its type. */
export interface TypedName {
  readonly name: string;
  readonly type: TypeRef;
  readonly at: number;
}

/** A parameter of an action, or a quantified variable. */
export interface Variable extends TypedName {
  /** Its slot in the frame of values. Each scope has slots of its own. */
  readonly slot: number;
}

export type Term =
  | { readonly kind: 'variable'; readonly slot: number }
  | { readonly kind: 'object'; readonly name: string; readonly at: number };

export interface Atom {
  readonly predicate: string;
  readonly terms: readonly Term[];
  readonly at: number;
}

export type Condition =
  | ({ readonly kind: 'atom' } & Atom)
  | { readonly kind: 'equal'; readonly left: Term; readonly right: Term }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'exists' | 'forall'; readonly variables: readonly Variable[]; readonly of: Condition };

/**
 * One literal of an effect. For all values of `variables` for which `when` holds, the atom becomes true or
 * false.
 */
export interface Effect {
  readonly variables: readonly Variable[];
  readonly when: Condition | undefined;
  readonly adds: boolean;
  readonly atom: Atom;
}

/** An action without parameter values. */
export interface ActionSchema {
  readonly name: string;
  readonly parameters: readonly Variable[];
  readonly precondition: Condition;
  readonly effects: readonly Effect[];
  /** The number of slots of its frame, including quantified variables. */
  readonly slots: number;
  readonly at: number;
}

export interface Predicate {
  readonly name: string;
  readonly arity: number;
}

export interface Domain {
  readonly name: string;
  readonly types: TypeTree;
  readonly constants: readonly TypedName[];
  readonly predicates: ReadonlyMap<string, Predicate>;
  readonly actions: readonly ActionSchema[];
}

export interface Problem {
  readonly name: string;
  readonly objects: readonly TypedName[];
  /** Facts that hold at the start. Their terms are objects. */
  readonly facts: readonly Fact[];
  readonly goal: Condition;
  readonly goalSlots: number;
  /** The offset of the goal in the text. */
  readonly goalAt: number;
}

export interface Fact {
  readonly predicate: string;
  readonly objects: readonly string[];
}
