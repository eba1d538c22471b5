import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChoiceBatch } from '../../models/choice/choice-batch.ts';
import { distinctRows, gatherFromRows, spreadOverRows } from '../../models/choice/distinct-rows.ts';
import type { Bags } from '../../models/kernels/bag.ts';

/** Decisions as lists of candidates, which are lists of features; few features, so that much comes twice. */
const decisions = fc.array(
  fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
  { maxLength: 8 },
);

/** The state of each decision is its number. */
function batchOf(of: readonly (readonly (readonly number[])[])[]): ChoiceBatch {
  const rows = of.flat();
  const starts = (lengths: readonly number[]): Int32Array =>
    Int32Array.from([
      0,
      ...lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, length) => sum + length, 0)),
    ]);
  return {
    stateFeatures: Int32Array.from(of.keys()),
    stateStart: starts(of.map(() => 1)),
    candidateFeatures: Int32Array.from(rows.flat()),
    candidateStart: starts(rows.map(({ length }) => length)),
    rowStart: starts(of.map(({ length }) => length)),
  };
}

const bagsAt = ({ members, start }: Bags): readonly (readonly number[])[] =>
  Array.from({ length: start.length - 1 }, (_, bag) => [...members.subarray(start[bag], start[bag + 1])]);

describe('distinctRows', () => {
  it('represents every row by its features and the state of its decision', () => {
    fc.assert(
      fc.property(decisions, (of) => {
        const rows = distinctRows(batchOf(of));
        const features = bagsAt(rows.features);
        const pairs = bagsAt(rows.pairs).map(([list, state]) => [
          features[list as number],
          features[state as number],
        ]);
        const expected = of.flatMap((candidates, decision) =>
          candidates.map((candidate) => [candidate, [decision]]),
        );
        expect([...rows.pairOf].map((pair) => pairs[pair])).toEqual(expected);
      }),
    );
  });

  it('stores each list of features once, and each list once per decision', () => {
    fc.assert(
      fc.property(decisions, (of) => {
        const rows = distinctRows(batchOf(of));
        expect(rows.features.start.length - 1).toBe(new Set(of.flat().map(String)).size + of.length);
        expect(rows.pairs.start.length - 1).toBe(
          of.reduce((sum, candidates) => sum + new Set(candidates.map(String)).size, 0),
        );
      }),
    );
  });

  it('spreads values over the rows, and sums values of the rows', () => {
    const rows = distinctRows(
      batchOf([
        [[1], [2], [1]],
        [[1], []],
      ]),
    );
    expect([...rows.pairOf]).toEqual([0, 1, 0, 2, 3]);
    expect([...spreadOverRows(rows, Float32Array.of(5, 6, 7, 8))]).toEqual([5, 6, 5, 7, 8]);
    expect([...gatherFromRows(rows, Float32Array.of(1, 2, 4, 8, 16))]).toEqual([5, 2, 8, 16]);
  });
});
