import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../envs/sql/engine/result.ts';
import { isSameResult } from '../../../envs/sql/reward/match-rows.ts';
import { runs } from '../../support/thorough.ts';

const rows = { matching: 'rows', isOrdered: false } as const;
const ordered = { matching: 'rows', isOrdered: true } as const;
const set = { matching: 'set', isOrdered: false } as const;

describe('isSameResult, worked by hand', () => {
  it.each([
    ['rows in another order', [[1], [2]], [[2], [1]], rows, true],
    ['rows in another order where the gold query orders', [[1], [2]], [[2], [1]], ordered, false],
    ['a row that occurs less often', [[1], [1], [2]], [[1], [2], [2]], rows, false],
    ['rows as a set', [[1], [1], [2]], [[2], [1]], set, true],
    [
      'columns swapped',
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        [1, 'a'],
        [2, 'b'],
      ],
      rows,
      true,
    ],
    [
      'columns swapped, in order',
      [
        ['b', 2],
        ['a', 1],
      ],
      [
        [2, 'b'],
        [1, 'a'],
      ],
      ordered,
      true,
    ],
    ['columns swapped, as BIRD has it', [['a', 1]], [[1, 'a']], set, false],
    [
      'columns swapped in some rows',
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
      rows,
      false,
    ],
    ['a column more', [['a', 1]], [['a']], rows, false],
    ['no rows and rows', [], [['a']], rows, false],
    ['no rows and no rows', [], [], rows, true],
    ['a whole number as a decimal', [[2.0]], [[2]], rows, true],
    ['the last digits of a sum', [[0.1 + 0.2]], [[0.3]], rows, true],
    ['sums on two sides of a round number', [[0.12345678905]], [[0.12345678904999999]], rows, true],
    ['instants a second apart, as days', [[2460000.5]], [[2460000.5 + 1 / 86_400]], rows, false],
    ['instants ten milliseconds apart, as seconds', [[1_700_000_000.5]], [[1_700_000_000.51]], rows, false],
    ['decimals that differ', [[0.123456789]], [[0.1234567891]], rows, false],
    ['large whole numbers', [[12345678901]], [[12345678902]], rows, false],
    ['whole numbers beyond 2^53', [[9007199254740993n]], [[9007199254740995n]], rows, false],
    ['equal whole numbers beyond 2^53', [[9007199254740993n]], [[9007199254740993n]], rows, true],
    ['a large whole number as a decimal', [[9007199254740993n]], [[9007199254740992]], rows, true],
    [
      'sums that would be sorted otherwise',
      [
        [0.1 + 0.2, 'a'],
        [0.3, 'b'],
      ],
      [
        [0.3, 'a'],
        [0.1 + 0.2, 'b'],
      ],
      rows,
      true,
    ],
    ['sums as a set', [[0.1 + 0.2], [0.3]], [[0.3]], set, true],
    ['a number as a text', [['1']], [[1]], rows, false],
    ['null and empty text', [[null]], [['']], rows, false],
    ['bytes as a text', [[{ blob: "x'41'" }]], [["x'41'"]], rows, false],
    [
      'equal bytes',
      [
        [{ blob: "x'41'" }, 1],
        [{ blob: "x'42'" }, 2],
      ],
      [
        [{ blob: "x'42'" }, 2],
        [{ blob: "x'41'" }, 1],
      ],
      rows,
      true,
    ],
    ['different bytes', [[{ blob: "x'41'" }]], [[{ blob: "x'42'" }]], rows, false],
    ['bytes in order', [[{ blob: "x'41'" }], ["x'41'"]], [["x'41'"], [{ blob: "x'41'" }]], ordered, false],
    ['infinity as a text', [[Infinity]], [['Inf']], rows, false],
    ['infinity as a number', [[Infinity]], [[1e300]], rows, false],
    ['infinity as a number, in order', [[5, 'a']], [[Infinity, 'a']], ordered, false],
    ['infinity and its opposite', [[Infinity]], [[-Infinity]], rows, false],
    ['infinity twice', [[Infinity]], [[Infinity]], rows, true],
    ['text in another case', [['Chess']], [['chess']], rows, false],
    ['texts that look like several', [['a | "b', 'c']], [['a', 'b" | "c']], rows, false],
    [
      'equal columns that belong together',
      [
        [1, 1, 2],
        [2, 1, 1],
      ],
      [
        [1, 2, 1],
        [2, 1, 1],
      ],
      rows,
      true,
    ],
  ] as const)('compares %s', (...[, one, other, how, same]) => {
    expect(isSameResult(one, other, how)).toBe(same);
    if (how !== ordered) expect(isSameResult(other, one, how)).toBe(same);
  });
});

describe('the laws of isSameResult', () => {
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('a', 'A', 'b|"', ''),
    fc.constant(null),
  );
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));

  it('rows and columns in any order are the same', () => {
    fc.assert(
      fc.property(table, fc.infiniteStream(fc.nat(1_000)), (lines, chance) => {
        const draw = (): number => chance.next().value ?? 0;
        const width = lines[0]?.length ?? 0;
        const columns = shuffled(
          Array.from({ length: width }, (_, at) => at),
          draw,
        );
        const moved = shuffled(lines, draw).map((line) => columns.map((at) => line[at] as Cell));
        expect(isSameResult(moved, lines, rows)).toBe(true);
        expect(
          isSameResult(
            lines.map((line) => columns.map((at) => line[at] as Cell)),
            lines,
            ordered,
          ),
        ).toBe(true);
      }),
    );
  });

  it('unordered results are the same exactly when some pairing of rows and order of columns match everywhere', () => {
    const near = fc.constantFrom<Cell>(
      1,
      1 + 0.8e-12,
      1 + 1.6e-12,
      1 - 0.8e-12,
      1e15,
      1e15 + 0.5,
      1e15 + 1,
      0.3,
      0.1 + 0.2,
      'a',
      null,
    );
    const alike = (a: Cell, b: Cell): boolean =>
      a === b ||
      (typeof a === 'number' &&
        typeof b === 'number' &&
        !(Number.isInteger(a) && Number.isInteger(b)) &&
        Math.abs(a - b) <= 1e-12 * Math.max(a, b));
    const both = fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }))
      .chain(([width, height]) => {
        const lines = fc.array(fc.array(near, { minLength: width, maxLength: width }), {
          minLength: height,
          maxLength: height,
        });
        // a few similar values each, so that half of the pairs match in some way
        return fc.oneof(
          fc.tuple(lines, lines),
          fc.tuple(lines, fc.infiniteStream(fc.nat(9))).map(([some, chance]) => {
            const moved = some.map((line) =>
              line.map((value) =>
                typeof value === 'number' && value < 2 && (chance.next().value ?? 0) < 4
                  ? value * (1 + 0.7e-12)
                  : value,
              ),
            );
            return [some, shuffled(moved, () => chance.next().value ?? 0)] as const;
          }),
        );
      });
    let same = 0;
    fc.assert(
      fc.property(both, ([some, others]) => {
        const width = some[0]?.length ?? 0;
        const orders = permutations(Array.from({ length: width }, (_, at) => at));
        const pairings = permutations(Array.from({ length: some.length }, (_, at) => at));
        const expected = orders.some((order) =>
          pairings.some((pairing) =>
            some.every((line, row) =>
              order.every((from, to) =>
                alike(line[from] as Cell, others[pairing[row] as number]?.[to] as Cell),
              ),
            ),
          ),
        );
        same += expected ? 1 : 0;
        expect(isSameResult(some, others, rows)).toBe(expected);
      }),
      { numRuns: runs(2_000) },
    );
    expect(same).toBeGreaterThan(runs(2_000) / 10);
  });

  it('columns that are equal or similar are not tried in every order', () => {
    const equal = Array.from({ length: 1_000 }, (_, row) => Array.from({ length: 8 }, () => row));
    expect(
      isSameResult(equal.with(0, [1, 0, 0, 0, 0, 0, 0, 0]), equal.with(0, [1, 1, 0, 0, 0, 0, 0, 0]), rows),
    ).toBe(false);
    const mixed = (by: number): Cell[][] =>
      Array.from({ length: 1_000 }, (_, row) =>
        Array.from({ length: 8 }, (__, at) => ((row * (at + by)) % 7) % 2),
      );
    for (let again = 0; again < 5; again += 1) isSameResult(mixed(1), mixed(3), rows);
    expect(isSameResult(equal, equal.toReversed(), rows)).toBe(true);
  });

  it('rows equal themselves, however similar they are, and differ once one of them is changed', () => {
    const instants = Array.from({ length: 3_000 }, (_, at): Cell[] => [0.5 + at * 1e-13]);
    for (const how of [rows, ordered, set])
      expect(
        isSameResult(
          instants,
          instants.map((row) => [...row]),
          how,
        ),
      ).toBe(true);
    expect(isSameResult(instants.toReversed(), instants, rows)).toBe(true);
    expect(isSameResult(instants.with(7, [0.6]), instants, rows)).toBe(false);
    expect(isSameResult(instants.with(7, [(instants[7]?.[0] as number) + 1e-14]), instants, rows)).toBe(true);
  });

  it('a changed value, an extra row or a missing row makes results differ', () => {
    fc.assert(
      fc.property(
        table.filter((lines) => lines.length > 0),
        fc.nat(100),
        (lines, at) => {
          const row = at % lines.length;
          const changed = lines.map((line, index) => (index === row ? line.with(0, 'nowhere') : line));
          for (const how of [rows, ordered, set]) expect(isSameResult(changed, lines, how)).toBe(false);
          expect(isSameResult([...lines, lines[row] as Cell[]], lines, rows)).toBe(false);
          expect(isSameResult(lines.toSpliced(row, 1), lines, rows)).toBe(false);
        },
      ),
    );
  });
});

function shuffled<Item>(items: readonly Item[], draw: () => number): readonly Item[] {
  return items
    .map((item) => [draw(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  return items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );
}
