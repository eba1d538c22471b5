import { impossible, type Facts } from './facts.ts';
import type { Formula, FrameLayout, Range } from './formula.ts';
import { factAt, type FluentPredicate } from './predicate-table.ts';
import { planSearch, type Search } from './search.ts';
import { everyTest, type Test } from './test.ts';

/**
 * A formula ready to be evaluated, given the values of its free slots in the frame. The slots of its
 * quantifiers are overwritten.
 */
export interface Compiled {
  readonly test: Test;
  /**
   * For a formula whose test has just been true: adds the literals that make it true to `out`. See {@link
   * literalOf}.
   */
  readonly support: (frame: Int32Array, facts: Facts, out: number[]) => void;
}

/** Encodes a fact and whether it holds as one number. */
export const literalOf = (fact: number, holds: boolean): number => fact * 2 + (holds ? 0 : 1);

const nothing = (): void => undefined;

/** The search for values of `ranges` that make the formula true. */
export function compileSearch(ranges: readonly Range[], formula: Formula, layout: FrameLayout): Search {
  return planSearch(ranges, formula, { layout, testOf: (part) => compile(part, layout).test });
}

export function compile(formula: Formula, layout: FrameLayout): Compiled {
  switch (formula.kind) {
    case 'constant':
      return { test: () => formula.value, support: nothing };
    case 'static': {
      const { relation } = formula.table;
      const { slots, holds } = formula;
      return { test: (frame) => relation.holds(frame, slots) === holds, support: nothing };
    }
    case 'equal': {
      const [left, right] = formula.slots;
      return { test: (frame) => (frame[left] === frame[right]) === formula.holds, support: nothing };
    }
    case 'fluent':
      return compileFluent(formula.table, formula.slots, formula.holds);
    case 'and':
    case 'or':
      return compileParts(
        formula.kind,
        formula.parts.map((part) => compile(part, layout)),
      );
    case 'some': {
      const search = compileSearch(formula.ranges, formula.of, layout);
      return compileSome(search, compile(formula.of, layout));
    }
    case 'all':
      return compileAll(formula.ranges, compile(formula.of, layout));
  }
}

function compileFluent(table: FluentPredicate, slots: readonly number[], holds: boolean): Compiled {
  const support: Compiled['support'] = (frame, _facts, out) => {
    const fact = factAt(table, frame, slots);
    if (fact !== impossible) out.push(literalOf(fact, holds));
  };
  if (holds) return { test: (frame, facts) => isFact(factAt(table, frame, slots), facts), support };
  return {
    test: (frame, facts) => {
      const fact = factAt(table, frame, slots);
      return fact === impossible || facts.lacks(fact);
    },
    support,
  };
}

const isFact = (fact: number, facts: Facts): boolean => fact !== impossible && facts.holds(fact);

function compileParts(kind: 'and' | 'or', parts: readonly Compiled[]): Compiled {
  const tests = parts.map(({ test }) => test);
  if (kind === 'and') {
    return {
      test: everyTest(tests),
      support: (frame, facts, out) => {
        for (const part of parts) part.support(frame, facts, out);
      },
    };
  }
  return {
    test: (frame, facts) => {
      for (let index = 0; index < tests.length; index += 1)
        if ((tests[index] as Test)(frame, facts)) return true;
      return false;
    },
    support: (frame, facts, out) => parts.find(({ test }) => test(frame, facts))?.support(frame, facts, out),
  };
}

const stop = (): boolean => true;

function compileSome(search: Search, of: Compiled): Compiled {
  return {
    test: (frame, facts) => search(frame, facts, stop),
    support: (frame, facts, out) => {
      // restores the frame of the time of the match
      if (search(frame, facts, stop)) of.support(frame, facts, out);
    },
  };
}

function compileAll(ranges: readonly Range[], of: Compiled): Compiled {
  const each = (depth: number, frame: Int32Array, leaf: () => boolean): boolean => {
    const range = ranges[depth];
    if (range === undefined) return leaf();
    for (let index = 0; index < range.candidates.length; index += 1) {
      frame[range.slot] = range.candidates[index] as number;
      if (!each(depth + 1, frame, leaf)) return false;
    }
    return true;
  };
  return {
    test: (frame, facts) => each(0, frame, () => of.test(frame, facts)),
    support: (frame, facts, out) => {
      each(0, frame, () => {
        of.support(frame, facts, out);
        return true;
      });
    },
  };
}
