import { impossible } from '../engines/planning/facts.ts';
import { factAt, type FluentPredicate, type PredicateTable } from '../engines/planning/predicate-table.ts';
import type { PlanningTask } from '../engines/planning/task.ts';

/** The meaning of some predicates of ALFWorld's domain, for keys, swaps and goals. */
export interface Roles {
  /** `atlocation(agent, location)`. */
  readonly at: FluentPredicate;
  /** `inreceptacle(object, receptacle)`. */
  readonly inside: FluentPredicate;
  /** `holds(agent, object)`. */
  readonly held: FluentPredicate;
  /** `objectatlocation(object, location)`, where that can change. */
  readonly lies: FluentPredicate | undefined;
  readonly places: readonly Place[];
  /** Whether an object of that kind may be put into the receptacle, as far as the problem states it. */
  canHold(object: number, place: number): boolean;
}

/** A receptacle and its location. */
export interface Place {
  readonly receptacle: number;
  readonly location: number;
}

/** The roles; undefined in a domain that is not of ALFWorld's kind. */
export function rolesOf(task: PlanningTask): Roles | undefined {
  const fluent = (name: string, arity: number): FluentPredicate | undefined => {
    const table = tableOf(task, name);
    return table?.kind === 'fluent' && table.candidates.length === arity ? table : undefined;
  };
  const [at, inside, held] = [fluent('atlocation', 2), fluent('inreceptacle', 2), fluent('holds', 2)];
  if (at === undefined || inside === undefined || held === undefined) return undefined;
  const places = tuplesOf(task, 'receptacleatlocation').map(([receptacle = -1, location = -1]): Place => ({
    receptacle,
    location,
  }));
  return {
    at,
    inside,
    held,
    lies: fluent('objectatlocation', 2),
    places,
    canHold: allowance(task) ?? (() => true),
  };
}

/** The fact of a predicate about two objects; `impossible` where it could never hold. */
export function factOfPair(table: FluentPredicate, first: number, second: number): number {
  pair[0] = first;
  pair[1] = second;
  return factAt(table, pair, pairSlots);
}

const pair = new Int32Array(2);
const pairSlots = [0, 1];

/**
 * The fact of a predicate about one object; `impossible` where the predicate does not exist or could never
 * hold.
 */
export function factOfOne(table: PredicateTable | undefined, object: number): number {
  if (table?.kind !== 'fluent' || table.candidates.length !== 1) return impossible;
  pair[0] = object;
  return factAt(table, pair, pairSlots.slice(0, 1));
}

/** The table of a predicate; undefined where the domain does not have it. */
export const tableOf = (task: PlanningTask, name: string): PredicateTable | undefined =>
  task.domain.predicates.has(name) ? task.table(name) : undefined;

function tuplesOf(task: PlanningTask, name: string): readonly (readonly number[])[] {
  const table = tableOf(task, name);
  return table?.kind === 'static' ? table.relation.tuples : [];
}

/**
 * Whether `canContain` allows the object in the receptacle; undefined where the problem does not state it.
 */
function allowance(task: PlanningTask): Roles['canHold'] | undefined {
  const pairs = new Set(tuplesOf(task, 'cancontain').map(([place, kind]) => `${kind} ${place}`));
  if (pairs.size === 0) return undefined;
  const kinds = listsOf(tuplesOf(task, 'objecttype'));
  const placeKinds = listsOf(tuplesOf(task, 'receptacletype'));
  return (object, place) =>
    kinds
      .get(object)
      ?.some((kind) => placeKinds.get(place)?.some((placeKind) => pairs.has(`${kind} ${placeKind}`))) ??
    false;
}

/** Groups second elements by first elements. */
function listsOf(tuples: readonly (readonly number[])[]): ReadonlyMap<number, readonly number[]> {
  const lists = new Map<number, number[]>();
  for (const [first = -1, second = -1] of tuples) {
    const list = lists.get(first);
    if (list === undefined) lists.set(first, [second]);
    else list.push(second);
  }
  return lists;
}
