import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { goalSplits, shuffledGoals } from '../../../../envs/shop/goals/goal-order.ts';

const golden = z
  .object({ 'large shuffles': z.array(z.object({ seed: z.number(), size: z.number(), sha256: z.string() })) })
  .parse(
    JSON.parse(readFileSync(new URL('../../../golden/python-random/goldens.json', import.meta.url), 'utf8')),
  );

describe('shuffledGoals', () => {
  it.each(golden['large shuffles'].filter(({ seed }) => seed === 233))(
    'puts $size goals in the order of the original',
    ({ size, sha256 }) => {
      expect(createHash('sha256').update(shuffledGoals(size).join(',')).digest('hex')).toBe(sha256);
    },
  );
});

describe('goalSplits', () => {
  it('match the published set', () => {
    expect(goalSplits(12_087)).toEqual({
      test: { start: 0, end: 500 },
      dev: { start: 500, end: 1_500 },
      train: { start: 1_500, end: 12_087 },
    });
  });

  it.each([0, 13, 500, 501, 1_499, 1_500, 1_501, 6_910])('divide %i goals without gap or overlap', (size) => {
    const { test, dev, train } = goalSplits(size);
    expect([test.start, test.end, dev.end, train.end]).toEqual([0, dev.start, train.start, size]);
    expect([test, dev, train].every(({ start, end }) => start <= end)).toBe(true);
    expect(test.end).toBeLessThanOrEqual(500);
    expect(dev.end - dev.start).toBeLessThanOrEqual(1_000);
  });
});
