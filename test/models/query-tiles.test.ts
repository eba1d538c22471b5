import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryTiles } from '../../models/kernels/query-tiles.ts';

test('query tiles cover each query once, start at one key, and are as few as 64 queries per tile allow', () => {
  const runs = fc.array(
    fc.record({ first: fc.integer({ min: 0, max: 3 }), count: fc.integer({ min: 1, max: 150 }) }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(runs, (parts) => {
      const from = parts.flatMap(({ first, count }) => Array.from({ length: count }, () => 1_000 * first));
      const starts = [...queryTiles(Int32Array.from(from))];
      expect([starts[0], starts.at(-1)]).toEqual([0, from.length]);
      for (const [at, end] of starts.slice(1).entries()) {
        const tile = from.slice(starts[at], end);
        expect(tile.length).toBeGreaterThan(0);
        expect(tile.length).toBeLessThanOrEqual(64);
        expect(new Set(tile).size).toBe(1);
        if (from[end] === tile[0]) expect(tile.length).toBe(64);
      }
    }),
  );
});
