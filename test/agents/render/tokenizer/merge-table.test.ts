import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MergeTable } from '../../../../agents/render/tokenizer/merge-table.ts';

interface Merge {
  readonly left: number;
  readonly right: number;
  readonly merged: number;
}

/** The definition: of all neighbours the pair of the lowest rank, the leftmost of equals, is merged until none is left. */
function mergedOneByOne(ids: readonly number[], merges: readonly Merge[]): readonly number[] {
  const tokens = [...ids];
  for (;;) {
    const ranks = tokens
      .slice(1)
      .map((right, at) => merges.findLastIndex((one) => one.left === tokens[at] && one.right === right));
    const best = ranks.reduce((least, rank) => (rank >= 0 && rank < least ? rank : least), merges.length);
    const merge = merges[best];
    if (merge === undefined) return tokens;
    tokens.splice(ranks.indexOf(best), 2, merge.merged);
  }
}

it('merges as the definition says', () => {
  const id = fc.integer({ min: 0, max: 5 });
  const merge = fc.record({ left: id, right: id, merged: fc.integer({ min: 3, max: 9 }) });
  fc.assert(
    fc.property(fc.array(id, { maxLength: 30 }), fc.array(merge, { maxLength: 12 }), (ids, merges) => {
      const table = new MergeTable(merges.length);
      for (const [rank, { left, right, merged }] of merges.entries())
        table.add(left, right, { rank, merged });
      expect(table.apply(ids)).toEqual(mergedOneByOne(ids, merges));
    }),
    { numRuns: 300 },
  );
});

it('merges long texts in about linear steps', () => {
  const table = new MergeTable(16);
  for (let rank = 0; rank < 16; rank += 1) table.add(rank, rank, { rank, merged: rank + 1 });
  const ids = Array.from({ length: 2 ** 15 }, () => 0);
  expect(table.apply(ids)).toEqual([15]);
});
