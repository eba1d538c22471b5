import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import { root } from '../../support/run-program.ts';

// 560 verdicts of reasoning-gym 0.1.25, recorded by test/golden/puzzles/record-tasks.py. bench/puzzles/agreement.ts compares larger files.
const verdicts = z
  .array(z.tuple([z.string(), z.unknown(), z.string(), z.boolean()]))
  .parse(
    JSON.parse(readFileSync(path.join(root, 'test', 'golden', 'puzzles', 'task-verdicts.json'), 'utf8')),
  );

test.each([
  ['game-24', 80],
  ['kakurasu', 80],
  ['knights-and-knaves', 80],
  ['polynomial', 80],
  ['random-calculation', 160],
  ['geometry', 80],
])('%s judges as reasoning-gym does', (name, count) => {
  const puzzle = findPuzzle(name);
  const recorded = verdicts.filter(([of]) => of === name);
  const other = recorded.filter(
    ([, question, answer, isRight]) => (puzzle.judge(question, answer) === 'right') !== isRight,
  );
  expect(recorded.length).toBe(count);
  expect(recorded.filter(([, , , isRight]) => isRight).length).toBeGreaterThanOrEqual(0.4 * count);
  expect(other).toEqual([]);
});
