import { UsageError } from '../../core/errors.ts';
import type { Facts } from './facts.ts';
import { isStatic, readSlots, type Formula, type FrameLayout, type Range } from './formula.ts';
import type { RelationIndex } from './relation.ts';
import { everyTest, type Test } from './test.ts';

/**
 * Writes every assignment that makes the formula true into the frame, one after the other, and calls `visit`
 * until it returns true. Returns whether it did.
 */
export type Search = (frame: Int32Array, facts: Facts, visit: () => boolean) => boolean;

/** How the parts of a formula are evaluated. */
export interface Means {
  readonly layout: FrameLayout;
  readonly testOf: (part: Formula) => Test;
}

/** The most assignments that are searched. ALFWorld's actions need some thousands. */
const mostChoices = 100_000_000;

type Part = Exclude<Formula, { readonly kind: 'and' }>;

/**
 * Plans the search as nested loops, the most selective variable first. Static relations are looked up by the
 * values known so far. Each part of the conjunction is tested as soon as all its variables have values.
 *
 * @throws UsageError where there are still too many assignments
 */
export function planSearch(ranges: readonly Range[], formula: Formula, means: Means): Search {
  const parts: readonly Part[] = formula.kind === 'and' ? (formula.parts as readonly Part[]) : [formula];
  const planner = new Planner(ranges, parts, means);
  const first = planner.ready();
  const steps: Step[] = [];
  while (planner.unbound.size > 0) steps.push(planner.next());
  const choices = steps.reduce((product, { leaves }) => product * Math.max(1, leaves), 1);
  if (choices > mostChoices) throw tooMany(choices, means.layout.of);
  let search: Search = (_frame, _facts, visit) => visit();
  for (const step of steps.reverse()) search = loop(step, search);
  const test = everyTest(first.map(means.testOf));
  const inner = search;
  return first.length === 0
    ? inner
    : (frame, facts, visit) => test(frame, facts) && inner(frame, facts, visit);
}

function tooMany(choices: number, of: string): UsageError {
  const what = `some ${choices.toExponential(0)} choices of objects would have to be looked through to see what it applies to, more than ${mostChoices}.`;
  return new UsageError({
    where: of,
    what,
    fix: 'Relate its variables by facts that never change, give them narrower types, or use a smaller problem.',
  });
}

interface Step {
  readonly range: Range;
  readonly index: RelationIndex | undefined;
  readonly test: Test | undefined;
  /** The expected number of values that pass, per assignment of the earlier variables. */
  readonly leaves: number;
}

function loop({ range, index, test }: Step, next: Search): Search {
  const { slot, candidates } = range;
  if (index !== undefined) return indexLoop(range, index, test, next);
  if (test === undefined) {
    return (frame, facts, visit) => {
      for (let at = 0; at < candidates.length; at += 1) {
        frame[slot] = candidates[at] as number;
        if (next(frame, facts, visit)) return true;
      }
      return false;
    };
  }
  return (frame, facts, visit) => {
    for (let at = 0; at < candidates.length; at += 1) {
      frame[slot] = candidates[at] as number;
      if (test(frame, facts) && next(frame, facts, visit)) return true;
    }
    return false;
  };
}

function indexLoop(
  { slot, candidates }: Range,
  index: RelationIndex,
  test: Test | undefined,
  next: Search,
): Search {
  const isCandidate = new Uint8Array((candidates.at(-1) ?? -1) + 1);
  for (const candidate of candidates) isCandidate[candidate] = 1;
  return (frame, facts, visit) => {
    const matches = index.matches(frame);
    for (let at = 0; at < matches.length; at += 1) {
      const match = matches[at] as number;
      if (isCandidate[match] !== 1) continue;
      frame[slot] = match;
      if ((test === undefined || test(frame, facts)) && next(frame, facts, visit)) return true;
    }
    return false;
  };
}

/** Chooses the order of the loops. */
class Planner {
  readonly unbound: Set<number>;
  readonly #ranges: readonly Range[];
  readonly #means: Means;
  readonly #waiting: Set<Part>;
  readonly #reads: ReadonlyMap<Part, ReadonlySet<number>>;

  constructor(ranges: readonly Range[], parts: readonly Part[], means: Means) {
    this.#means = means;
    this.unbound = new Set(ranges.map(({ slot }) => slot));
    this.#reads = new Map(parts.map((part) => [part, readSlots(part)]));
    this.#waiting = new Set(parts);
    this.#ranges = ranges.map((range) => this.#narrowed(range, parts));
  }

  /** Returns the parts whose variables all have values now, and removes them from the waiting parts. */
  ready(): readonly Part[] {
    const ready = [...this.#waiting].filter((part) =>
      [...(this.#reads.get(part) ?? [])].every((slot) => !this.unbound.has(slot)),
    );
    for (const part of ready) this.#waiting.delete(part);
    return ready;
  }

  /** The next loop, over the variable that leaves the fewest assignments. */
  next(): Step {
    const choices = this.#ranges
      .filter(({ slot }) => this.unbound.has(slot))
      .map((range) => ({ range, lookUp: this.#bestIndex(range) }))
      .map((choice) => ({ ...choice, leaves: this.#leaves(choice.range, choice.lookUp?.index) }));
    const best = choices.reduce((a, b) => (b.leaves < a.leaves ? b : a));
    const { range, lookUp, leaves } = best;
    this.unbound.delete(range.slot);
    if (lookUp !== undefined) this.#waiting.delete(lookUp.part); // the look-up is the test
    const parts = this.ready();
    const test = parts.length === 0 ? undefined : everyTest(parts.map(this.#means.testOf));
    return { range, index: lookUp?.index, test, leaves };
  }

  /** The range without values that are impossible for any values of the others. */
  #narrowed(range: Range, parts: readonly Part[]): Range {
    let candidates = range.candidates;
    for (const part of parts) {
      if (part.kind === 'fluent' && part.holds) {
        for (const [position, slot] of part.slots.entries()) {
          if (slot !== range.slot) continue;
          const possible = new Set(part.table.candidates[position]);
          candidates = candidates.filter((object) => possible.has(object));
        }
      }
      if (isStatic(part)) candidates = this.#fitting(range.slot, candidates, part);
    }
    return { slot: range.slot, candidates };
  }

  #fitting(slot: number, candidates: Int32Array, part: Part): Int32Array {
    const { layout, testOf } = this.#means;
    const others = [...(this.#reads.get(part) ?? [])].filter(
      (other) => other !== slot && !layout.isNamed(other),
    );
    if (others.length === 0 && this.#reads.get(part)?.has(slot) === true) {
      const frame = layout.frame();
      const test = testOf(part);
      return candidates.filter((object) => {
        frame[slot] = object;
        return test(frame, noFacts);
      });
    }
    if (part.kind !== 'static' || !part.holds || !part.slots.includes(slot)) return candidates;
    const position = part.slots.indexOf(slot);
    const possible = part.table.relation.valuesAt(position);
    return candidates.filter((object) => possible.has(object));
  }

  /**
   * The static part that is best for looking up the variable's values, with all its other variables known.
   */
  #bestIndex({
    slot,
    candidates,
  }: Range): { readonly part: Part; readonly index: RelationIndex } | undefined {
    let best: { readonly part: Part; readonly index: RelationIndex } | undefined;
    for (const part of this.#waiting) {
      if (part.kind !== 'static' || !part.holds || part.slots.length < 2) continue;
      const bound = part.slots.flatMap((other, position) =>
        other === slot || this.unbound.has(other) ? [] : [{ position, slot: other }],
      );
      if (bound.length !== part.slots.length - 1 || !part.slots.includes(slot)) continue;
      const index = part.table.relation.index(part.slots.indexOf(slot), bound);
      if (index.average < (best?.index.average ?? candidates.length)) best = { part, index };
    }
    return best;
  }

  /** The expected number of values after the tests that are possible with this variable. */
  #leaves({ slot, candidates }: Range, index: RelationIndex | undefined): number {
    let least = Math.min(candidates.length, index?.average ?? candidates.length);
    for (const part of this.#waiting) {
      if (part.kind !== 'fluent' || !part.holds || !part.slots.includes(slot)) continue;
      const others = part.slots.filter((other) => other !== slot);
      if (others.some((other) => this.unbound.has(other))) continue;
      const groups = part.table.candidates.reduce(
        (product, list, position) => (part.slots[position] === slot ? product : product * list.length),
        1,
      );
      least = Math.min(least, Math.max(1, part.table.initially / Math.max(1, groups)));
    }
    return least;
  }
}

/** Static formulas read no facts. */
const noFacts: Facts = { holds: () => false, lacks: () => true };
