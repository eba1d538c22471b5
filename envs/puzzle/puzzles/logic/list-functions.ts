import { defineInduction, type ListRule } from './induction.ts';

type List = readonly number[];
const rule = (words: string, apply: (list: List) => List): ListRule => ({ words, apply });
const withNumbers = (words: string, numbers: List, apply: (list: List, n: number) => List): ListRule[] =>
  numbers.map((n) => rule(words, (list) => apply(list, n)));

const known: readonly ListRule[] = [
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
  ...withNumbers('Add N to each number.', [1, 2, 3, 5, 10], (list, n) => list.map((each) => each + n)),
  ...withNumbers('Multiply each number by N.', [2, 3], (list, n) => list.map((each) => each * n)),
  ...withNumbers('Keep the first N numbers.', [2, 3, 4], (list, n) => list.slice(0, n)),
  ...withNumbers('Keep the last N numbers.', [2, 3, 4], (list, n) => list.slice(-n)),
  ...withNumbers('Drop the first N numbers.', [1, 2, 3], (list, n) => list.slice(n)),
  ...withNumbers('Drop the last N numbers.', [1, 2, 3], (list, n) => list.slice(0, -n)),
  ...withNumbers('Keep the numbers above N.', [10, 20, 25], (list, n) => list.filter((each) => each > n)),
  ...withNumbers('Keep the numbers below N.', [10, 20, 25], (list, n) => list.filter((each) => each < n)),
  ...withNumbers('Put N before the list.', [0, 7, 9], (list, n) => [n, ...list]),
  ...withNumbers('Put N after the list.', [0, 7, 9], (list, n) => [...list, n]),
  ...withNumbers('Move the first N numbers to the end.', [1, 2, 3], (list, n) => [
    ...list.slice(n),
    ...list.slice(0, n),
  ]),
];

export const listFunctions = defineInduction({
  name: 'list-functions',
  summary: 'List functions: find the rule that turns lists into others, and apply it',
  rules:
    'One rule turns each list on the left into the list on the right. Find the rule and apply it to the last list. Every rule that fits all examples gives the same result.',
  known,
  levels: [
    { depth: 1, examples: 4, length: 6 },
    { depth: 1, examples: 3, length: 9 },
    { depth: 2, examples: 4, length: 8 },
    { depth: 2, examples: 3, length: 12 },
  ],
  drawList: (rng, length) => Array.from({ length: length - rng.int(3) }, () => rng.int(31)),
});
