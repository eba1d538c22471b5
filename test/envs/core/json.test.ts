import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../envs/core/json.ts';

const withoutNegativeZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('canonical JSON', () => {
  test('parses back to the value that was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(withoutNegativeZero(value));
      }),
    );
  });

  test('does not depend on the order of keys', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, item]) => [key, shuffled(item)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('stays the same when it is parsed and written again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
  });

  test('sorts keys by UTF-16 units at every depth, without spaces', () => {
    expect(canonicalJson({ b: [{ z: 1, a: null }], é: true, a: 'x y', B: 0.1, 10: 1, 9: 2 })).toBe(
      '{"10":1,"9":2,"B":0.1,"a":"x y","b":[{"a":null,"z":1}],"é":true}',
    );
  });

  const self: unknown[] = [];
  self.push({ self });
  class Point {
    readonly x = 1;
  }
  test.each([
    [undefined, '$ is undefined'],
    [{ a: [1, undefined] }, '$.a[1] is undefined'],
    [Object.assign(Array.from<number>({ length: 0 }), { length: 2 }), '$[0] is undefined'], // an array with holes
    [{ a: Number.NaN }, '$.a is NaN'],
    [[-Number.POSITIVE_INFINITY], '$[0] is -Infinity'],
    [{ f: () => 1 }, '$.f is a function'],
    [{ a: { b: 1n } }, '$.a.b is a bigint'],
    [{ a: Symbol('s') }, '$.a is a symbol'],
    [{ at: new Date(0) }, '$.at is a Date'],
    [[new Point()], '$[0] is a Point'],
    [{ m: new Map() }, '$.m is a Map'],
    [Object.create(Object.create(null) as object), '$ is a class instance'],
    [self, '$[0].self contains itself'],
  ])('throws a TypeError for %o', (value, message) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalJson(value)).toThrow(message);
  });

  test('accepts a value that stands in two places, and objects without a prototype', () => {
    const shared = { a: 1 };
    const bare = Object.assign(Object.create(null) as object, { k: shared });
    expect(canonicalJson([shared, shared, bare])).toBe('[{"a":1},{"a":1},{"k":{"a":1}}]');
  });
});
