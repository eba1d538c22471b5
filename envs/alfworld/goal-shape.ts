import type { Condition, Term } from '../engines/planning/syntax.ts';
import type { PlanningTask } from '../engines/planning/task.ts';

/** The six kinds of tasks, as tables name them; `other` for goals of no such kind. */
export const families = ['pick', 'look', 'clean', 'heat', 'cool', 'pick2', 'other'] as const;

export type Family = (typeof families)[number];

/** What the goal requires of some interchangeable objects. */
export interface GoalTarget {
  /** Numbers of the suitable objects. */
  readonly objects: Int32Array;
  /** How many of them are needed. */
  readonly count: number;
  /** Predicates that must become true of each alone, such as `isclean`. */
  readonly conditions: readonly string[];
  /** The word for their type; undefined where the goal names none. */
  readonly kind: string | undefined;
}

/** The parts of a goal of ALFWorld's kind. */
export interface GoalShape {
  readonly family: Family;
  /** To be put somewhere, or held. */
  readonly things: GoalTarget;
  /** To be turned on. */
  readonly lamps: GoalTarget | undefined;
  /** Where the things belong. */
  readonly places: GoalTarget | undefined;
}

interface Sought {
  readonly slot: number;
  readonly candidates: readonly number[];
}

interface Claim {
  readonly predicate: string;
  readonly terms: readonly Term[];
}

/** Analyses the goal; undefined where it is not a conjunction of facts about some objects. */
export function shapeOfGoal(task: PlanningTask): GoalShape | undefined {
  const slots = new Set<number>();
  const claims = claimsOf(task.problem.goal, slots);
  if (claims === undefined) return undefined;
  const sought = [...slots].map((slot): Sought => ({ slot, candidates: candidatesOf(slot, claims, task) }));
  const lampSlots = new Set(slotsAt(claims, 'istoggled', 0));
  const thingSlots = [
    ...new Set([...slotsAt(claims, 'inreceptacle', 0), ...slotsAt(claims, 'holds', 1)]),
  ].filter((slot) => !lampSlots.has(slot));
  const placeSlots = claims.flatMap(({ predicate, terms }) =>
    predicate === 'inreceptacle' &&
    terms.every(({ kind }) => kind === 'variable') &&
    !lampSlots.has(slotOf(terms[0]))
      ? [slotOf(terms[1])]
      : [],
  );
  const wanted = (wantedSlots: Iterable<number>, typed: string): GoalTarget | undefined =>
    wantedOf([...new Set(wantedSlots)], { sought, claims, task, typed });
  const things = wanted(thingSlots, 'objecttype');
  if (things === undefined) return undefined;
  const lamps = wanted(lampSlots, 'objecttype');
  return { family: familyOf(things, lamps), things, lamps, places: wanted(placeSlots, 'receptacletype') };
}

/**
 * All claims of a condition. The variables that they are about are added to `slots`. Undefined where the
 * condition is more than a conjunction.
 */
function claimsOf(condition: Condition, slots: Set<number>): readonly Claim[] | undefined {
  switch (condition.kind) {
    case 'atom':
      return [condition];
    case 'equal':
      return [];
    case 'not':
      return condition.of.kind === 'equal' ? [] : undefined;
    case 'exists':
      for (const { slot } of condition.variables) slots.add(slot);
      return claimsOf(condition.of, slots);
    case 'and': {
      const parts = condition.parts.map((part) => claimsOf(part, slots));
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    case 'or':
    case 'forall':
      return undefined;
  }
}

const slotOf = (term: Term | undefined): number => (term?.kind === 'variable' ? term.slot : -1);

const slotsAt = (claims: readonly Claim[], name: string, position: number): readonly number[] =>
  claims.flatMap(({ predicate, terms }) =>
    predicate === name && slotOf(terms[position]) >= 0 ? [slotOf(terms[position])] : [],
  );

/** Objects for which all unchanging claims about this variable alone hold. */
function candidatesOf(slot: number, claims: readonly Claim[], task: PlanningTask): readonly number[] {
  const about = claims.filter(
    ({ terms }) =>
      terms.some((term) => slotOf(term) === slot) &&
      terms.every((term) => term.kind === 'object' || term.slot === slot),
  );
  return [...task.objects.keys()].filter((object) =>
    about.every(({ predicate, terms }) => {
      const table = task.table(predicate);
      if (table.kind !== 'static') return true;
      const tuple = terms.map((term) => (term.kind === 'object' ? task.numberOf(term.name) : object));
      return table.relation.tuples.some((known) =>
        known.every((value, position) => value === tuple[position]),
      );
    }),
  );
}

interface Known {
  readonly sought: readonly Sought[];
  readonly claims: readonly Claim[];
  readonly task: PlanningTask;
  /** The predicate that states the type of an object. */
  readonly typed: string;
}

/** Combines the variables of one family into one target. All of them have the same candidates. */
function wantedOf(slots: readonly number[], { sought, claims, task, typed }: Known): GoalTarget | undefined {
  const [first] = slots;
  const candidates = sought.find(({ slot }) => slot === first)?.candidates;
  if (candidates === undefined) return undefined;
  const alone = claims.filter(
    ({ predicate, terms }) =>
      terms.length === 1 && slots.includes(slotOf(terms[0])) && task.table(predicate).kind === 'fluent',
  );
  const type = claims.find(({ predicate, terms }) => predicate === typed && slotOf(terms[0]) === first)
    ?.terms[1];
  return {
    objects: Int32Array.from(candidates),
    count: slots.length,
    conditions: [...new Set(alone.map(({ predicate }) => predicate))],
    kind: type?.kind === 'object' ? type.name.replace(/type$/, '') : undefined,
  };
}

function familyOf(things: GoalTarget, lamps: GoalTarget | undefined): Family {
  if (lamps !== undefined) return 'look';
  for (const [condition, family] of [
    ['isclean', 'clean'],
    ['ishot', 'heat'],
    ['iscool', 'cool'],
  ] as const) {
    if (things.conditions.includes(condition)) return family;
  }
  return things.count === 1 ? 'pick' : things.count === 2 ? 'pick2' : 'other';
}

/** The goal in ALFWorld's words, without a full stop; undefined where ALFWorld has no words for it. */
export function sayGoal({ family, things, lamps, places }: GoalShape): string | undefined {
  const object = things.kind;
  const target = (family === 'look' ? lamps : places)?.kind;
  if (object === undefined || target === undefined || family === 'other') return undefined;
  return goalSentences[family](object, target);
}

const goalSentences: Readonly<Record<Exclude<Family, 'other'>, (object: string, target: string) => string>> =
  {
    pick: (object, place) => `put a ${object} in ${place}`,
    look: (object, lamp) => `look at ${object} under the ${lamp}`,
    clean: (object, place) => `put a clean ${object} in ${place}`,
    heat: (object, place) => `put a hot ${object} in ${place}`,
    cool: (object, place) => `put a cool ${object} in ${place}`,
    pick2: (object, place) => `put two ${object} in ${place}`,
  };
