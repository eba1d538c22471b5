import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  learnMerges,
  type CountedWord,
  type Merge,
} from '../../../../agents/render/tokenizer/learn-merges.ts';
import { runs } from '../../../support/thorough.ts';

/** Learns the same merges, but counts every pair again before each of them. */
function learnSlowly(words: readonly CountedWord[], most: number): Merge[] {
  let tokens = words.map((word) => word.tokens);
  const merges: Merge[] = [];
  const seen: string[] = [];
  const readPairs = (): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const [index, row] of tokens.entries()) {
      for (let at = 1; at < row.length; at += 1) {
        const pair = `${row[at - 1]} ${row[at]}`;
        if (!seen.includes(pair)) seen.push(pair);
        counts.set(pair, (counts.get(pair) ?? 0) + (words[index]?.count ?? 0));
      }
    }
    return counts;
  };
  while (merges.length < most) {
    const counts = readPairs();
    const best = [...counts].toSorted(([a, m], [b, n]) => n - m || seen.indexOf(a) - seen.indexOf(b))[0];
    if (best === undefined || best[1] < 2) break;
    const [left = 0, right = 0] = best[0].split(' ').map(Number);
    const token = 100 + merges.length;
    merges.push({ left, right });
    tokens = tokens.map((row) => {
      const out: number[] = [];
      for (const one of row) {
        if (one === right && out.at(-1) === left) out.splice(-1, 1, token);
        else out.push(one);
      }
      return out;
    });
  }
  return merges;
}

const words = fc.array(
  fc.record({
    tokens: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 9 }),
    count: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 8 },
);

test('learnMerges learns the same from counting changes as from counting everything', () => {
  fc.assert(
    fc.property(words, (given) => {
      let next = 100;
      const expected = learnSlowly(given, 12);
      const learned = learnMerges(given, { name: () => (next += 1) - 1, wanted: () => next < 112 });
      expect(learned).toEqual(expected);
    }),
    { numRuns: runs(300) },
  );
});
