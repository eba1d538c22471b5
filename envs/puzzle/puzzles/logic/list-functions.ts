import { defineInduction, type ListStep } from './induction.ts';

type List = readonly number[];
const rule = (words: string, apply: ListStep['apply']): ListStep => ({ words, apply });
const numbered = (
  words: string,
  drawn: List,
  apply: ListStep['apply'],
  numbers: NonNullable<ListStep['numbers']>,
): ListStep => ({ words, drawn, apply, numbers });

/** The number that one pair of equal places has; `where` chooses the place. Without such a place every number is possible. */
const fromPlace =
  (where: (value: number) => boolean, number: (before: number, after: number) => number) =>
  (before: List, after: List, all: List): List => {
    const at = before.findIndex(where);
    if (at < 0) return all;
    const n = number(before[at] ?? 0, after[at] ?? Number.NaN);
    return all.includes(n) ? [n] : [];
  };
/** The lengths say how many were kept. */
const fromKept = (before: List, after: List, all: List): List =>
  after.length === before.length
    ? all.filter((n) => n >= before.length)
    : all.filter((n) => n === after.length);
const fromDropped = (before: List, after: List, all: List): List =>
  after.length === 0
    ? all.filter((n) => n >= before.length)
    : all.filter((n) => n === before.length - after.length);
/** The numbers between those that were dropped and those that were kept. */
const fromBorder =
  (sign: 1 | -1) =>
  (before: List, after: List, all: List): List => {
    const kept = new Set(after);
    const inside = Math.min(...after.map((each) => sign * each));
    const outside = Math.max(...before.filter((each) => !kept.has(each)).map((each) => sign * each));
    return all.filter((n) => sign * n < inside && sign * n >= outside);
  };
const fromNew =
  (place: 0 | -1) =>
  (before: List, after: List, all: List): List =>
    after.length === before.length + 1 ? all.filter((n) => n === after.at(place)) : [];

const known: readonly ListStep[] = [
  rule('Reverse the list.', (list) => list.toReversed()),
  rule('Sort it, smallest first.', (list) => list.toSorted((a, b) => a - b)),
  rule('Sort it, largest first.', (list) => list.toSorted((a, b) => b - a)),
  rule('Drop repeats: of equal numbers the first one stays.', (list) => [...new Set(list)]),
  rule('Keep the even numbers.', (list) => list.filter((each) => each % 2 === 0)),
  rule('Keep the odd numbers.', (list) => list.filter((each) => each % 2 !== 0)),
  rule('Keep the numbers at the places 1, 3, 5 and so on.', (list) =>
    list.filter((_each, at) => at % 2 === 0),
  ),
  rule('Keep the numbers at the places 2, 4, 6 and so on.', (list) =>
    list.filter((_each, at) => at % 2 === 1),
  ),
  rule('Replace each number by the sum of all numbers up to it.', (list) => {
    let sum = 0;
    return list.map((each) => (sum += each));
  }),
  rule('Replace the list by the differences of neighbours, the later one minus the earlier one.', (list) =>
    list.slice(1).map((each, at) => each - (list[at] as number)),
  ),
  rule('Replace the list by its sum.', (list) => [list.reduce((sum, each) => sum + each, 0)]),
  rule('Replace the list by its length.', (list) => [list.length]),
  rule('Replace the list by its largest number.', (list) => (list.length === 0 ? [] : [Math.max(...list)])),
  rule('Replace the list by its smallest number.', (list) => (list.length === 0 ? [] : [Math.min(...list)])),
  rule('Swap the first and the last number.', (list) =>
    list.length < 2 ? list : [list.at(-1) as number, ...list.slice(1, -1), list[0] as number],
  ),
  numbered(
    'Add N to each number.',
    [1, 2, 3, 5, 10],
    (list, n) => list.map((each) => each + n),
    fromPlace(
      () => true,
      (before, after) => after - before,
    ),
  ),
  numbered(
    'Multiply each number by N.',
    [2, 3],
    (list, n) => list.map((each) => each * n),
    fromPlace(
      (value) => value !== 0,
      (before, after) => after / before,
    ),
  ),
  numbered('Keep the first N numbers.', [2, 3, 4], (list, n) => list.slice(0, n), fromKept),
  numbered(
    'Keep the last N numbers.',
    [2, 3, 4],
    (list, n) => list.slice(Math.max(0, list.length - n)),
    fromKept,
  ),
  numbered('Drop the first N numbers.', [1, 2, 3], (list, n) => list.slice(n), fromDropped),
  numbered(
    'Drop the last N numbers.',
    [1, 2, 3],
    (list, n) => list.slice(0, Math.max(0, list.length - n)),
    fromDropped,
  ),
  numbered(
    'Keep the numbers above N.',
    [10, 20, 25],
    (list, n) => list.filter((each) => each > n),
    fromBorder(1),
  ),
  numbered(
    'Keep the numbers below N.',
    [10, 20, 25],
    (list, n) => list.filter((each) => each < n),
    fromBorder(-1),
  ),
  numbered('Put N before the list.', [0, 7, 9], (list, n) => [n, ...list], fromNew(0)),
  numbered('Put N after the list.', [0, 7, 9], (list, n) => [...list, n], fromNew(-1)),
  numbered(
    'Move the first N numbers to the end.',
    [1, 2, 3],
    (list, n) => [...list.slice(n), ...list.slice(0, n)],
    (before, after, all) => all.filter((n) => n >= before.length || before[n] === after[0]),
  ),
];

export const listFunctions = defineInduction({
  name: 'list-functions',
  summary: 'List functions: find the rule that turns lists into others, and apply it',
  rules:
    'One rule turns each list on the left into the list on the right. Find the rule and apply it to the last list. Every rule that fits all examples gives the same result.',
  known,
  range: [0, 30],
  levels: [
    { depth: 1, examples: 4, length: 6 },
    { depth: 1, examples: 3, length: 9 },
    { depth: 2, examples: 4, length: 8 },
    { depth: 2, examples: 3, length: 12 },
  ],
  drawList: (rng, length) => Array.from({ length: length - rng.int(3) }, () => rng.int(31)),
});
