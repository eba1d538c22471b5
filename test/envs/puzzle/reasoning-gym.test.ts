import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import { root } from '../../support/run-program.ts';

// 2,000 verdicts of reasoning-gym 0.1.25, recorded by test/golden/puzzles/make-goldens.py.
const verdicts = z
  .array(z.tuple([z.string(), z.unknown(), z.string(), z.boolean()]))
  .parse(JSON.parse(readFileSync(path.join(root, 'test', 'golden', 'puzzles', 'goldens.json'), 'utf8')));

test.each(['sudoku', 'sudoku-4', 'countdown', 'hanoi'])('%s judges as reasoning-gym does', (name) => {
  const puzzle = findPuzzle(name);
  const recorded = verdicts.filter(([of]) => of === name);
  const other = recorded.filter(
    ([, question, answer, isRight]) => (puzzle.judge(question, answer) === 'right') !== isRight,
  );
  expect(recorded.length).toBe(500);
  expect(recorded.filter(([, , , isRight]) => isRight).length).toBeGreaterThanOrEqual(240);
  expect(other).toEqual([]);
});
