// Slow: it plays every form of every puzzle by checkEnv.
import { expect, test } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { puzzles } from '../../../envs/puzzle/puzzles.ts';

/** Laws that a puzzle need not give a chance to check. */
const mayBeUnchecked = ['experts', 'hidden', 'secrets', 'state-key-alias', 'steps-left'];

/** A quarter of what `cairn-gym check` tries: there are a hundred forms. */
const plan = {
  tasksPerPanel: 1,
  contentsPerPanel: 25,
  episodes: 3,
  maxSteps: 200,
  leastSteps: 90,
  pairs: 10,
  auditTasks: 2,
  points: 6,
};

/** Both forms of a puzzle have the same tasks. So the contents of the panels are compared in the single-answer form. */
const sharedTasks = { contentsPerPanel: 10 };

test.each(puzzles.flatMap(({ envs }) => envs.map((definition) => [definition.id, definition] as const)))(
  '%s keeps the laws of the contract',
  async (id, definition) => {
    const report = await checkEnv(definition, /-moves-v\d+$/.test(id) ? { ...plan, ...sharedTasks } : plan);
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law).filter((law) => !mayBeUnchecked.includes(law))).toEqual([]);
  },
);
