import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../envs/sql/engine/result.ts';
import { isSameResult } from '../../../envs/sql/reward/match-rows.ts';

const rows = { matching: 'rows', isOrdered: false } as const;
const ordered = { matching: 'rows', isOrdered: true } as const;
const set = { matching: 'set', isOrdered: false } as const;

describe('equal rows, worked by hand', () => {
  it.each([
    ['in another order', [[1], [2]], [[2], [1]], rows, true],
    ['in another order where the gold query orders', [[1], [2]], [[2], [1]], ordered, false],
    ['one less often', [[1], [1], [2]], [[1], [2], [2]], rows, false],
    ['as a set', [[1], [1], [2]], [[2], [1]], set, true],
    ['columns swapped', [['a', 1], ['b', 2]], [[1, 'a'], [2, 'b']], rows, true],
    ['columns swapped, in order', [['b', 2], ['a', 1]], [[2, 'b'], [1, 'a']], ordered, true],
    ['columns swapped, as BIRD has it', [['a', 1]], [[1, 'a']], set, false],
    ['columns swapped in some rows', [['a', 'b'], ['b', 'c']], [['a', 'b'], ['c', 'b']], rows, false],
    ['a column more', [['a', 1]], [['a']], rows, false],
    ['no rows and rows', [], [['a']], rows, false],
    ['none and none', [], [], rows, true],
    ['a whole number as a decimal', [[2.0]], [[2]], rows, true],
    ['the last digits of a sum', [[0.1 + 0.2]], [[0.3]], rows, true],
    ['a number as a text', [['1']], [[1]], rows, false],
    ['nothing and no text', [[null]], [['']], rows, false],
    ['another case', [['Chess']], [['chess']], rows, false],
    ['texts that look like several', [['a | "b', 'c']], [['a', 'b" | "c']], rows, false],
    ['equal columns that belong together', [[1, 1, 2], [2, 1, 1]], [[1, 2, 1], [2, 1, 1]], rows, true],
  ] as const)('%s', (...[, one, other, how, same]) => {
    expect(isSameResult(one, other, how)).toBe(same);
    if (how !== ordered) expect(isSameResult(other, one, how)).toBe(same);
  });
});

describe('laws', () => {
  const cell: fc.Arbitrary<Cell> = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'A', 'b|"', ''), fc.constant(null));
  const table = fc.integer({ min: 1, max: 4 }).chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));

  it('rows and columns in any order are the same rows', () => {
    fc.assert(
      fc.property(table, fc.infiniteStream(fc.nat(1_000)), (lines, chance) => {
        const draw = (): number => chance.next().value ?? 0;
        const width = lines[0]?.length ?? 0;
        const columns = shuffled(Array.from({ length: width }, (_, at) => at), draw);
        const moved = shuffled(lines, draw).map((line) => columns.map((at) => line[at] as Cell));
        expect(isSameResult(moved, lines, rows)).toBe(true);
        expect(isSameResult(lines.map((line) => columns.map((at) => line[at] as Cell)), lines, ordered)).toBe(true);
      }),
    );
  });

  it('a value changed for one that is nowhere, a row more and a row less are not', () => {
    fc.assert(
      fc.property(table.filter((lines) => lines.length > 0), fc.nat(100), (lines, at) => {
        const row = at % lines.length;
        const changed = lines.map((line, index) => (index === row ? line.with(0, 'nowhere') : line));
        for (const how of [rows, ordered, set]) expect(isSameResult(changed, lines, how)).toBe(false);
        expect(isSameResult([...lines, lines[row] as Cell[]], lines, rows)).toBe(false);
        expect(isSameResult(lines.toSpliced(row, 1), lines, rows)).toBe(false);
      }),
    );
  });
});

function shuffled<Item>(items: readonly Item[], draw: () => number): readonly Item[] {
  return items.map((item) => [draw(), item] as const).toSorted(([one], [other]) => one - other).map(([, item]) => item);
}
