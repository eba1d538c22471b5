import { expect, test } from 'vitest';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';

type List = readonly number[];
interface Induction {
  readonly examples: readonly { readonly input: List; readonly output: List }[];
  readonly input: List;
}

/** Rules of one step with a number, written without the puzzle's code. */
const listSteps: Readonly<Record<string, (list: List, n: number) => List>> = {
  above: (list, n) => list.filter((each) => each > n),
  below: (list, n) => list.filter((each) => each < n),
  add: (list, n) => list.map((each) => each + n),
  times: (list, n) => list.map((each) => each * n),
  'first kept': (list, n) => list.filter((_each, at) => at < n),
  'last kept': (list, n) => list.filter((_each, at) => at >= list.length - n),
  'first dropped': (list, n) => list.filter((_each, at) => at >= n),
  'last dropped': (list, n) => list.filter((_each, at) => at < list.length - n),
  before: (list, n) => [n, ...list],
  after: (list, n) => [...list, n],
};
const rowSteps: typeof listSteps = {
  right: (list, n) => list.map((_each, at) => list[at - n] ?? 0),
  left: (list, n) => list.map((_each, at) => list[at + n] ?? 0),
  colour: (list, n) => list.map((each) => (each === 0 ? 0 : n)),
  remove: (list, n) => list.map((each) => (each === n ? 0 : each)),
  background: (list, n) => list.map((each) => (each === 0 ? n : each)),
  next: (list, n) => list.map((each) => (each === n ? n + 1 : each)),
};

/** Answers that fit all examples with one of the steps and are judged wrong. */
function refused(name: string, steps: typeof listSteps, [least, greatest]: readonly [number, number]) {
  const puzzle = findPuzzle(name);
  const refusals = new Set<string>();
  const numbers = Array.from({ length: greatest - least + 1 }, (_, index) => least + index);
  const inner = Object.entries(steps).flatMap(([words, apply]) =>
    numbers.map((n) => ({ words: `${words} ${n}`, run: (list: List) => apply(list, n) })),
  );
  for (let seed = 0; seed < 40; seed += 1)
    for (const level of [1, 2]) {
      const { question } = puzzle.item(seed, level);
      const { examples, input } = question as unknown as Induction;
      for (const { words, run } of inner) {
        if (!examples.every((each) => run(each.input).join(' ') === each.output.join(' '))) continue;
        const answer = run(input).join(' ') || 'empty';
        if (puzzle.judge(question, answer) !== 'right') refusals.add(`${seed}/${level}: ${words}`);
      }
    }
  return [...refusals];
}

test('every rule with any number of the range gives the right answer where it fits all examples', () => {
  expect(findPuzzle('list-functions').instruction()).toContain('N for an integer from 0 to 30');
  expect(refused('list-functions', listSteps, [0, 30])).toEqual([]);
  expect(findPuzzle('arc-1d').instruction()).toContain('N for an integer from 1 to 9');
  expect(refused('arc-1d', rowSteps, [1, 9])).toEqual([]);
});

test('rules of two steps are searched with any number as well', () => {
  const puzzle = findPuzzle('list-functions');
  const examples = [
    { input: [3, 28, 11], output: [13, 38, 21, 17] },
    { input: [5, 6], output: [15, 16, 17] },
  ];
  expect(puzzle.judge({ examples, input: [1, 2, 3], depth: 2 }, '11 12 13 17')).toBe('right');
  const below = examples.map(({ input }) => ({
    input,
    output: input.filter((each) => each < 9).map((n) => n * 13),
  }));
  expect(puzzle.judge({ examples: below, input: [8, 9, 30, 2], depth: 2 }, '104 26')).toBe('right');
});
