import { describe, expect, test } from 'vitest';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';

/** The verdict of the solution of a question in another form. */
function verdictOf(name: string, form: (solution: string) => string, seed = 0): string {
  const puzzle = findPuzzle(name);
  const { question, solution } = puzzle.item(seed, 1);
  return puzzle.judge(question, form(solution));
}
const json = (text: string): string => JSON.stringify(text.split(' ').map(Number));

describe('forms of answers', () => {
  test.each(['topological-sort', 'shortest-path', 'hamiltonian-path', 'car-painting', 'list-functions'])(
    '%s reads JSON lists',
    (name) => {
      expect(verdictOf(name, json)).toBe('right');
      expect(verdictOf(name, (text) => `[${text.replaceAll(' ', ' , ')}]`)).toBe('right');
    },
  );

  test('grids are read from a code fence and from JSON rows', () => {
    const rows = (text: string): string[] => text.split('\n');
    const cells = (text: string) => rows(text).map((row) => row.split('').map(Number));
    expect(verdictOf('sudoku', (text) => `\`\`\`\n${text}\n\`\`\``)).toBe('right');
    expect(verdictOf('sudoku', (text) => `\`\`\`json\n${JSON.stringify(cells(text))}\n\`\`\``)).toBe('right');
    expect(verdictOf('sudoku', (text) => JSON.stringify(rows(text)))).toBe('right');
    expect(verdictOf('sudoku', (text) => JSON.stringify(cells(text).toReversed()))).toBe('wrong');
  });

  test('moves of Hanoi are read with any arrow', () => {
    expect(verdictOf('hanoi', (text) => text.replaceAll('>', '->'))).toBe('right');
    expect(verdictOf('hanoi', (text) => text.replaceAll('>', ' > '))).toBe('right');
  });

  test('a final period does not make a string unreadable', () => {
    expect(verdictOf('string-composition', (text) => `${text}.`)).toBe('right');
    expect(verdictOf('string-composition', (text) => `${text}..`)).toBe('unreadable');
  });

  test('numbers are read with a plus, without a whole part, in parentheses, and with two signs', () => {
    const puzzle = findPuzzle('random-calculation');
    const judge = (postfix: readonly string[], answer: string) => puzzle.judge({ postfix }, answer);
    expect(judge(['10'], '+10')).toBe('right');
    expect(judge(['10'], '(10)')).toBe('right');
    expect(judge(['10'], '10.')).toBe('right');
    expect(judge(['1', '4', '/'], '.25')).toBe('right');
    expect(judge(['1', '4', '/'], '-1/-4')).toBe('right');
    expect(judge(['1', '4', '/'], '1/-4')).toBe('wrong');
    expect(judge(['10'], '/4')).toBe('unreadable');
    expect(judge(['10'], '+')).toBe('unreadable');
  });
});

test('judge and item refuse what is no answer and no seed', () => {
  const puzzle = findPuzzle('hanoi');
  const { question } = puzzle.item(0, 1);
  expect(() => puzzle.judge(question, undefined as unknown as string)).toThrow(
    /hanoi, answer.*not undefined/s,
  );
  expect(() => puzzle.judgeOf(question)(7 as unknown as string)).toThrow(/not number/);
  for (const seed of [-1.5, 0.5, -1, Number.NaN]) expect(() => puzzle.item(seed, 1)).toThrow(/no seed/);
});
