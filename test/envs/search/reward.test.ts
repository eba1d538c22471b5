import { describe, expect, it } from 'vitest';
import { flawOfWeights } from '../../../envs/search/reward/reward-terms.ts';

describe('weights', () => {
  const none = { answer: 0, f1: 0, format: 0, retrieval: 0, judge: 0, cost: 0 };
  it('let no wrong answer earn as much as a right one', () => {
    expect(flawOfWeights({ ...none, answer: 1 })).toBeUndefined();
    expect(flawOfWeights({ ...none, f1: 1 })).toBeUndefined();
    expect(
      flawOfWeights({ ...none, answer: 1, format: 0.2, retrieval: 0.1, judge: 0.2, cost: 0.1 }),
    ).toBeUndefined();
    expect(flawOfWeights({ ...none, answer: 1, judge: 0.5 })).toContain('could earn as much');
    expect(flawOfWeights(none)).toContain('could earn as much');
  });
});
