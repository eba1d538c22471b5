import { describe, expect, it } from 'vitest';
import { scheduleFactor, scheduleSchema } from '../../../trainers/update/schedule.ts';

const factors = (schedule: unknown, total: number): number[] =>
  Array.from({ length: total }, (_, at) => scheduleFactor(scheduleSchema.parse(schedule), at, total));

describe('learning-rate schedule', () => {
  it('stays constant', () => {
    expect(factors({ kind: 'constant' }, 3)).toEqual([1, 1, 1]);
  });

  it('falls linearly to its floor at the last iteration', () => {
    expect(factors({ kind: 'linear', floor: 0.2 }, 5)).toEqual(
      [1, 0.8, 0.6, 0.4, 0.2].map((value) => expect.closeTo(value, 12)),
    );
  });

  it('rises first during warmup', () => {
    // warmup 3: 1/4, 2/4, 3/4, then 1 falling over the remaining 4 steps of the schedule to 0
    expect(factors({ kind: 'linear', warmup: 3 }, 8)).toEqual(
      [0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25, 0].map((value) => expect.closeTo(value, 12)),
    );
  });

  it.each([1, 2, 3, 10])('warms up over half of %d iterations at most', (total) => {
    const [longer, half] = [100, Math.floor(total / 2)].map((warmup) =>
      factors({ kind: 'linear', warmup }, total),
    );
    expect(longer).toEqual(half);
    expect(Math.max(...(longer ?? []))).toBe(1);
  });

  it('falls along a cosine, to a half at half time', () => {
    expect(factors({ kind: 'cosine' }, 5)).toEqual(
      [1, (1 + Math.SQRT1_2) / 2, 0.5, (1 - Math.SQRT1_2) / 2, 0].map((value) => expect.closeTo(value, 12)),
    );
  });

  it('equals 1 in a run of one iteration', () => {
    expect(factors({ kind: 'linear' }, 1)).toEqual([1]);
  });
});
