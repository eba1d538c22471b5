import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestRow, planMicroBatches, tokensOfShare } from '../../../models/token/micro-batches.ts';
import { batchOf } from './random-tokens.ts';

const lengths = fc.array(fc.integer({ min: 2, max: 600 }), { minLength: 1, maxLength: 80 });
const batchOfLengths = (of: readonly number[]): ReturnType<typeof batchOf> =>
  batchOf(of.map((length) => Array.from({ length }, () => 1)));

test('planMicroBatches gives workers every row once, in passes within the bound and at most one of them small', () => {
  fc.assert(
    fc.property(lengths, fc.integer({ min: 600, max: 5000 }), (of, tokensAtOnce) => {
      const batch = batchOfLengths(of);
      const share = tokensOfShare({ tokens: batch.tokens.length, longest: longestRow(batch) }, tokensAtOnce);
      const plan = planMicroBatches(batch, share);
      expect(plan.flatMap((rows) => [...rows]).toSorted((a, b) => a - b)).toEqual([...of.keys()]);
      const sizes = plan.map((rows) => rows.reduce((total, row) => total + (of[row] as number), 0));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(tokensAtOnce);
      expect(sizes.filter((size) => 2 * size <= share).length).toBeLessThanOrEqual(1); // two such would have gone together
    }),
  );
});

test.each([
  ['splits a small batch at 512 tokens', Array.from({ length: 16 }, () => 128), 8192, 4],
  ['splits a large batch into sixteen passes', Array.from({ length: 160 }, () => 128), 8192, 16],
  ['splits a huge batch by the bound', Array.from({ length: 320 }, () => 128), 1024, 40],
  ['gives a long row a pass of its own', [1500, 100, 100], 8192, 2],
])('planMicroBatches %s', (_, of, tokensAtOnce, passes) => {
  const batch = batchOfLengths(of);
  expect(
    planMicroBatches(
      batch,
      tokensOfShare({ tokens: batch.tokens.length, longest: longestRow(batch) }, tokensAtOnce),
    ).length,
  ).toBe(passes);
});
