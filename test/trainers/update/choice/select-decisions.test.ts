import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChoiceBatch } from '../../../../models/choice/choice-batch.ts';
import { rowsOf, selectDecisions } from '../../../../trainers/update/choice/select-decisions.ts';

/** Decisions as nested lists: the features of the state, then those of each candidate. */
const decisionsArbitrary = fc.array(
  fc.record({
    state: fc.array(fc.nat(99), { maxLength: 5 }),
    candidates: fc.array(fc.array(fc.nat(99), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 8 },
);
type Decisions = { readonly state: readonly number[]; readonly candidates: readonly (readonly number[])[] }[];

const starts = (lengths: readonly number[]): Int32Array => {
  const start = new Int32Array(lengths.length + 1);
  lengths.forEach((length, at) => (start[at + 1] = (start[at] as number) + length));
  return start;
};

function pack(decisions: Decisions): ChoiceBatch {
  const candidates = decisions.flatMap((decision) => decision.candidates);
  return {
    stateFeatures: Int32Array.from(decisions.flatMap(({ state }) => state)),
    stateStart: starts(decisions.map(({ state }) => state.length)),
    candidateFeatures: Int32Array.from(candidates.flat()),
    candidateStart: starts(candidates.map(({ length }) => length)),
    rowStart: starts(decisions.map((decision) => decision.candidates.length)),
  };
}

describe('selectDecisions', () => {
  it('equals packing only the selected decisions', () => {
    fc.assert(
      fc.property(decisionsArbitrary, fc.infiniteStream(fc.nat()), fc.nat(6), (decisions, picks, count) => {
        const which = Int32Array.from([...picks.take(count)].map((pick) => pick % decisions.length));
        expect(selectDecisions(pack(decisions), which)).toEqual(
          pack([...which].map((at) => decisions[at] as Decisions[number])),
        );
      }),
    );
  });

  it('orders rows by decision and candidate', () => {
    const batch = pack([
      { state: [], candidates: [[1], [2]] },
      { state: [], candidates: [[3]] },
      { state: [], candidates: [[4], [5], [6]] },
    ]);
    expect([...rowsOf(batch, Int32Array.of(2, 0))]).toEqual([3, 4, 5, 0, 1]);
  });
});
