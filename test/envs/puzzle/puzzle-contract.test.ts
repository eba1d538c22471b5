import { expect, test } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';

// Both forms of one quick puzzle by a small plan. All puzzles are checked by the whole plan in puzzle-contract.slow.test.ts.
const small = {
  tasksPerPanel: 1,
  contentsPerPanel: 10,
  episodes: 2,
  leastSteps: 20,
  pairs: 6,
  auditTasks: 2,
  points: 4,
  concurrency: 4,
};

test.each(findPuzzle('hanoi').envs.map((definition) => [definition.id, definition] as const))(
  '%s keeps the laws of the contract',
  async (_id, definition) => {
    const report = await checkEnv(definition, { ...small, config: { difficulty: 1 } });
    expect(report.findings.map(describeFinding)).toEqual([]);
  },
);
