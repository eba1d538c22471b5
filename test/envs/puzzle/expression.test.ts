import { expect, test } from 'vitest';
import {
  evaluate,
  numbersOf,
  parseExpression,
  writeExpression,
} from '../../../envs/puzzle/puzzles/arithmetic/expression.ts';

const valueOf = (text: string) => {
  const expression = parseExpression(text);
  return expression === undefined ? 'unreadable' : evaluate(expression);
};

test.each<[string, ReturnType<typeof valueOf>]>([
  ['1 + 2 * 3', [7, 1]],
  ['(1 + 2) * 3', [9, 1]],
  ['8 / (3 - 8 / 3)', [24, 1]],
  ['7 - 3 - 2', [2, 1]],
  ['12 / 3 / 2', [2, 1]],
  ['-21 + 6 ÷ 4', [-39, 2]],
  ['3 × -2', [-6, 1]],
  ['1 / (2 - 2)', undefined],
  ['1 +', 'unreadable'],
  ['1 2', 'unreadable'],
  ['(1', 'unreadable'],
  ['2 ** 3', 'unreadable'],
  ['1.5 + 2', 'unreadable'],
  ['1e3', 'unreadable'],
  ['9'.repeat(12), 'unreadable'],
])('%s has the value %j', (text, value) => {
  expect(valueOf(text)).toEqual(value);
});

test('an expression is read again from its text, with its numbers', () => {
  for (const text of ['1 - (2 - 3)', '8 / (4 / 2)', '(1 + 2) * (3 - 4)', '(-(5)) + 6']) {
    const expression = parseExpression(text);
    expect(expression === undefined ? '' : writeExpression(expression)).toBe(text);
  }
  expect(numbersOf(parseExpression('1 - (2 - 3) * 2') ?? 0)).toEqual([1, 2, 3, 2]);
});

test('deep nesting is unreadable and exhausts no stack', () => {
  expect(parseExpression(`${'('.repeat(10_000)}1${')'.repeat(10_000)}`)).toBeUndefined();
  expect(parseExpression('-'.repeat(10_000) + '1')).toBeUndefined();
  expect(parseExpression(Array.from({ length: 10_000 }, () => '1').join('+'))).toBeUndefined();
});
