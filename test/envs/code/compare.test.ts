import { describe, expect, it } from 'vitest';
import { isSameOutput, isSameValue } from '../../../envs/code/judge/compare.ts';

describe('answers', () => {
  it.each([
    [3, 3, true],
    [3, 3.0000001, true],
    [0.1, 0.1 + 1e-9, true],
    [0.1, 0.2, false],
    [1, true, false],
    [1, '1', false],
    [[], '', false],
    [[1, [2, 'a']], [1, [2, 'a']], true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [null, null, true],
    [null, 0, false],
    [10_000_000, 10_000_001, false],
  ])('%j is held to %j: %j', (expected, got, same) => {
    expect(isSameValue(expected, got)).toBe(same);
  });

  it.each([
    [['1 2\n3'], '1  2 3\n', true],
    [['1'], '1.0', false],
    [['1.5'], '1.5000001', true],
    [['1.5'], '1.6', false],
    [['a', 'b'], ' b\n', true],
    [['Yes'], 'yes', false],
    [['1 2'], '1', false],
    [[''], '\n', true],
  ])('output %j is held to %j: %j', (expected, got, same) => {
    expect(isSameOutput(expected, got)).toBe(same);
  });
});
