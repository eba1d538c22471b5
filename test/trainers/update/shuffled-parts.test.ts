import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import { shuffledParts } from '../../../trainers/update/mini-batches.ts';

describe('shuffledParts', () => {
  it('returns mini-batches of a shuffle that contain every item once', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 64 }), fc.nat(), (count, size, seed) => {
        const rng = createRng(seed);
        const parts = shuffledParts(count, size, (items) => rng.shuffle(items));
        expect(parts.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(parts.flatMap((part) => [...part]).toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, at) => at),
        );
      }),
    );
  });
});
