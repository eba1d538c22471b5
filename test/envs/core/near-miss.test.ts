import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../../envs/core/near-miss.ts';

const ids = ['household-v1', 'household', 'lights-out-v1', 'lights-out', 'shop-v1', 'shop'];

describe('nearest', () => {
  test.each([
    ['houshold', 'household'],
    ['hosuehold', 'household'], // two neighbours swapped
    ['Household', 'household'],
    ['HOUSE', 'household'],
    ['house', 'household'],
    ['lights-out-v2', 'lights-out-v1'],
    ['shpo', 'shop'],
  ])('suggests for %s first %s', (typed, meant) => {
    expect(nearest(typed, ids)[0]).toBe(meant);
  });

  test('returns nothing for unrelated text', () => {
    expect(nearest('crossword', ids)).toEqual([]);
    expect(nearest('x', [])).toEqual([]);
  });

  test('returns at most three, with an exact match first', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 8 }), { minLength: 1 }), fc.nat(), (candidates, pick) => {
        const text = candidates[pick % candidates.length] as string;
        const near = nearest(text, candidates);
        expect(near.length).toBeLessThanOrEqual(3);
        expect(near[0]?.toLowerCase()).toBe(text.toLowerCase());
      }),
    );
  });

  test('counts a swap of neighbours as one error and accepts at most two errors in short words', () => {
    expect(nearest('abcd', ['abxy', 'abdc'])).toEqual(['abdc', 'abxy']);
    expect(nearest('abc', ['xyz'])).toEqual([]);
    expect(nearest('pwsh', ['bash', 'zsh', 'fish'])).toEqual([]);
  });
});
