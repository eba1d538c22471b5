import { expect, test } from 'vitest';
import { findDuplicateKey } from '../../files/duplicate-key.ts';

test.each([
  ['{"a": 1, "a": 2}', 'a'],
  ['{"a": {"b": 1, "c": [{"d": 1, "d": 2}]}}', 'd'],
  ['{"a": 1, "\\u0061": 2}', 'a'],
  ['{"": 1, "": 2}', ''],
  ['{"a\\"b": 1, "a\\"b": 2}', 'a"b'],
  ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
  ['{"a": {"a": {"a": 1}}, "b": {"a": 1}}', undefined],
  ['{"a": "a", "b": "{\\"b\\": 1, \\"b\\": 2}"}', undefined],
  ['[{"a": 1}, {"a": 1}, "a", "a"]', undefined],
  ['"a"', undefined],
])('finds a key that an object has twice: %s', (text, key) => {
  expect(findDuplicateKey(text)).toBe(key);
});
