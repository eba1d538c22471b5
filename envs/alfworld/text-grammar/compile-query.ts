import { impossible } from '../../engines/planning/facts.ts';
import {
  factAt,
  type FluentPredicate,
  type StaticPredicate,
} from '../../engines/planning/predicate-table.ts';
import type { PlanningTask } from '../../engines/planning/task.ts';
import type { QueryAtom } from './query.ts';
import type { TextScope } from './scope.ts';
import type { VisibleFacts } from './visible-facts.ts';

/** Writes each answer into the frame and calls `visit`, until it returns true. Returns whether it did. */
export type Query = (frame: Int32Array, sight: VisibleFacts, visit: () => boolean) => boolean;

export interface CompiledQuery {
  readonly scope: TextScope;
  readonly each: Query;
}

/** What a text's query is evaluated on. */
export interface QueryMeans {
  readonly task: PlanningTask;
  readonly scope: TextScope;
  /** Whether the answers are written out, so that a reader of the text knows them. */
  readonly written: boolean;
}

/**
 * The kinds of queries whose answers a reader of the text can infer: of one fact that can change, or those
 * that are written out.
 */
interface Showing {
  readonly alone: boolean;
  readonly written: boolean;
}

/**
 * Compiles a query. As in TextWorld, atoms are answered from left to right, each with its facts in the order
 * of their objects' ids. Two placeholders never stand for the same object. Returns the error instead where a
 * predicate or a type is unknown.
 */
export function compileQuery(
  atoms: readonly QueryAtom[],
  { task, scope, written }: QueryMeans,
): CompiledQuery | string {
  const resolved: ResolvedAtom[] = [];
  let inner = scope;
  for (const atom of atoms) {
    const one = resolveAtom(atom, task, inner);
    if (typeof one === 'string') return one;
    resolved.push(one);
    inner = one.scope;
  }
  const alone =
    resolved.filter(({ table, denied }) => table.kind === 'fluent' && !denied).length === 1 &&
    (written || inner.size === scope.size);
  let each: Query = written && !alone ? showAll(resolved) : (_frame, _sight, visit) => visit();
  for (const atom of resolved.reverse()) each = joinAtom(atom, task, { alone, written }, each);
  return { scope: inner, each };
}

interface ResolvedAtom {
  readonly table: FluentPredicate | StaticPredicate;
  readonly denied: boolean;
  readonly slots: readonly number[];
  /** Positions whose object has to be found, each with its type. */
  readonly free: readonly { readonly position: number; readonly type: string }[];
  /** Objects that have slots before this atom. */
  readonly taken: number;
  readonly scope: TextScope;
}

function resolveAtom(
  { predicate, placeholders }: QueryAtom,
  task: PlanningTask,
  outer: TextScope,
): ResolvedAtom | string {
  const { predicates, types } = task.domain;
  const denied = !predicates.has(predicate) && predicate.startsWith('not_');
  const known = predicates.get(denied ? predicate.slice('not_'.length) : predicate);
  if (known === undefined) return `there is no predicate "${predicate}" in the domain`;
  if (known.arity !== placeholders.length)
    return `"${predicate}" is about ${known.arity} and is given ${placeholders.length}`;
  const free: { position: number; type: string }[] = [];
  const slots: number[] = [];
  let scope = outer;
  for (const [position, placeholder] of placeholders.entries()) {
    if (!types.has(placeholder.type)) return `there is no type "${placeholder.type}" in the domain`;
    if (scope.placeOf(placeholder) === undefined) {
      free.push({ position, type: placeholder.type });
      scope = scope.with(placeholder);
    }
    slots.push(scope.placeOf(placeholder) as number);
  }
  const table = task.table(known.name);
  if (table.kind === 'ignored') throw new TypeError(`the predicate ${table.name} was not named as observed`);
  return { table, denied, slots, free, taken: outer.size, scope };
}

function joinAtom(atom: ResolvedAtom, task: PlanningTask, showing: Showing, next: Query): Query {
  const { slots, free, taken } = atom;
  const test = testOf(atom, showing);
  let join: Query = (frame, sight, visit) => test(frame, sight) && next(frame, sight, visit);
  for (const [index, { position, type }] of [...free.entries()].reverse()) {
    const inner = join;
    const slot = slots[position] as number;
    const candidates = candidatesOf(atom, index, task, type);
    const before = taken + index;
    join = (frame, sight, visit) => {
      const list = candidates(frame);
      for (let at = 0; at < list.length; at += 1) {
        const object = list[at] as number;
        if (isTaken(frame, before, object)) continue;
        frame[slot] = object;
        if (inner(frame, sight, visit)) return true;
      }
      return false;
    };
  }
  return join;
}

function isTaken(frame: Int32Array, places: number, object: number): boolean {
  for (let place = 0; place < places; place += 1) if (frame[place] === object) return true;
  return false;
}

/** Objects that may stand at a free position of the atom, in the order of their ids. */
function candidatesOf(
  { table, slots, free }: ResolvedAtom,
  index: number,
  task: PlanningTask,
  type: string,
): (frame: Int32Array) => Int32Array {
  const { position } = free[index] as { readonly position: number };
  const ofType = (object: number): boolean => task.isOf(object, { names: [type] });
  if (table.kind === 'fluent') {
    const list = (table.candidates[position] as Int32Array).filter(ofType);
    return () => list;
  }
  const later = new Set(free.slice(index).map((one) => one.position));
  const bound = slots.flatMap((slot, other) => (later.has(other) ? [] : [{ position: other, slot }]));
  const found = table.relation.index(position, bound);
  const filtered = new Map<Int32Array, Int32Array>();
  return (frame) => {
    const all = found.matches(frame);
    const known = filtered.get(all) ?? all.filter(ofType);
    filtered.set(all, known);
    return known;
  };
}

type SightTest = (frame: Int32Array, sight: VisibleFacts) => boolean;

function testOf({ table, denied, slots }: ResolvedAtom, { alone }: Showing): SightTest {
  if (table.kind === 'static') return denied ? () => false : (frame) => table.relation.holds(frame, slots);
  return (frame, sight) => {
    const fact = factAt(table, frame, slots);
    if (fact === impossible) return false;
    if (denied) return sight.denies(fact);
    return alone ? sight.shows(fact) : sight.holds(fact);
  };
}

/** Marks what is written out as known, once all atoms hold. */
function showAll(atoms: readonly ResolvedAtom[]): Query {
  const fluents = atoms.flatMap(({ table, denied, slots }) =>
    table.kind === 'fluent' && !denied ? [{ table, slots }] : [],
  );
  return (frame, sight, visit) => {
    for (const { table, slots } of fluents) sight.shows(factAt(table, frame, slots));
    return visit();
  };
}
