import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../envs/core/json.ts';
import { differencesOf } from '../../../envs/core/json-differences.ts';

describe('differencesOf', () => {
  it('lists differing and missing values by path, with lists as a whole', () => {
    const one: Json = { a: 1, b: { c: [1, 2], d: 'same' }, e: null };
    const other: Json = { a: 2, b: { c: [2, 1], d: 'same', f: {} } };
    expect(differencesOf(one, other)).toEqual([
      { key: 'a', one: 1, other: 2 },
      { key: 'b.c', one: [1, 2], other: [2, 1] },
      { key: 'e', one: null },
    ]);
  });

  it('finds no differences in equal documents, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
        const reversed = Object.fromEntries(Object.entries(document).toReversed());
        expect(differencesOf(document as Json, reversed as Json)).toEqual([]);
      }),
    );
  });
});
