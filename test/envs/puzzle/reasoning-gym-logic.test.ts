import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import { root } from '../../support/run-program.ts';

// 1,500 verdicts of reasoning-gym 0.1.25, recorded by test/golden/puzzles/record-logic.py.
const verdicts = z
  .array(z.tuple([z.string(), z.unknown(), z.string(), z.boolean()]))
  .parse(
    JSON.parse(readFileSync(path.join(root, 'test', 'golden', 'puzzles', 'logic-verdicts.json'), 'utf8')),
  );

const otherVerdicts = (name: string) => {
  const puzzle = findPuzzle(name);
  const recorded = verdicts.filter(([of]) => of === name);
  expect(recorded.length).toBe(250);
  expect(recorded.filter(([, , , isRight]) => isRight).length).toBeGreaterThanOrEqual(100);
  return recorded.filter(
    ([, question, answer, isRight]) => (puzzle.judge(question, answer) === 'right') !== isRight,
  );
};

test.each(['colour-cube', 'crypto-caesar', 'geometry', 'random-calculation', 'self-reference'])(
  '%s judges as reasoning-gym does',
  (name) => {
    expect(otherVerdicts(name)).toEqual([]);
  },
);

const sentence = z.object({ quantifier: z.string(), subject: z.int(), predicate: z.int() });
const premises = z.object({ premises: z.tuple([sentence, sentence]) });

test('syllogism judges as reasoning-gym does, except for the undistributed middle, which reasoning-gym accepts', () => {
  const other = otherVerdicts('syllogism');
  expect(other.length).toBe(48);
  // "All A are B. Some B are C. So some A are C." is a fallacy: neither premise speaks about every B.
  for (const [, question] of other) {
    const [first, second] = premises.parse(question).premises;
    expect(first.predicate).toBe(second.subject);
    expect(['all', 'some']).toContain(first.quantifier);
    expect(['some', 'some-not']).toContain(second.quantifier);
  }
});
