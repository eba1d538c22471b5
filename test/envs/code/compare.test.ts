import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly, writeExactly } from '../../../envs/code/problems/exact-json.ts';
import { isSameOutput, isSameValue } from '../../../envs/code/judge/compare.ts';

describe('comparison of answers', () => {
  it.each([
    [3, 3, true],
    [3, 3.0000001, false],
    [5, 5.000004, false],
    [0, 1e-9, false],
    [{ '#float': '3.0' }, 3.0000001, true],
    [{ '#float': '3.0' }, 3, true],
    [3, { '#float': '3.0' }, true],
    [{ '#int': '9007199254740993' }, { '#int': '9007199254740993' }, true],
    [{ '#int': '9007199254740993' }, { '#int': '9007199254740992' }, false],
    [{ '#int': '9007199254740993' }, 9007199254740992, false],
    [{ '#int': '100000000000000000000' }, 1e20, true],
    [{ '#int': 'x' }, { '#int': 'x' }, true],
    [0, { '#float': '' }, false],
    [{ '#float': '0.0' }, { '#float': ' ' }, false],
    [16, { '#float': '0x10' }, false],
    [[{ '#int': '9007199254740993' }], ['9007199254740993'], false],
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
    [{ '#float': '123456789.0' }, { '#float': '123456700.0' }, true], // by 7.2e-7 of it
    [{ '#float': '123456789.0' }, { '#float': '123456600.0' }, false],
    [1e-9, 0, true],
  ])('isSameValue(%j, %j) returns %j', (expected, got, same) => {
    expect(isSameValue(expected, got)).toBe(same);
  });

  it.each([
    [['1 2\n3'], '1  2 3\n', true],
    [['1'], '1.0', true],
    [['1'], '1.000001', false],
    [['10'], '1', false],
    [['9007199254740993'], '9007199254740992.0', false],
    [['007'], '7', false],
    [['0'], '-0.0', true],
    [['0'], '-0', true],
    [['0'], '-0.5', false],
    [['-0'], '0', true],
    [['-10'], '10', false],
    [['123456789.0'], '123456700.0', true],
    [['123456789.0'], '123456600.0', false],
    [['1.5'], '1.5000001', true],
    [['1.5'], '1.6', false],
    [['a', 'b'], ' b\n', true],
    [['Yes'], 'yes', false],
    [['1 2'], '1', false],
    [[''], '\n', true],
  ])('isSameOutput(%j, %j) returns %j', (expected, got, same) => {
    expect(isSameOutput(expected, got)).toBe(same);
  });
});

describe('exact JSON', () => {
  it('keeps every number, and every string that looks like one', () => {
    const number = fc.oneof(
      fc.bigInt().map(String),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => (Object.is(value, -0) ? '0.0' : String(value))),
      fc.integer().map((value) => `${value}.0`),
    );
    const text = fc.string().map((value) => JSON.stringify(value));
    const value = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        number,
        text,
        fc.array(tie('any')).map((items) => `[${items.join(',')}]`),
        fc
          .array(fc.tuple(fc.uuid(), tie('any')))
          .map((entries) => `{${entries.map(([key, item]) => `"${key}":${item}`).join(',')}}`),
      ),
    })).any;
    fc.assert(
      fc.property(value, (written) => {
        expect(writeExactly(parseExactly(written)).replaceAll(/e\+?/g, 'e')).toBe(
          written.replaceAll(/e\+?/g, 'e'),
        );
      }),
    );
  });
});
