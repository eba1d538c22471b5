import { describe, expect, test } from 'vitest';
import { puzzles } from '../../../envs/puzzle/puzzles.ts';
import { isThorough } from '../../support/thorough.ts';

// A small audit of each puzzle. `npm run audit` runs the whole one, whose results recorded-audits.test.ts checks.
const plan = isThorough
  ? { seeds: 4, distinct: 30, guesses: 100, tasks: 4, plays: 2 }
  : { seeds: 3, distinct: 8, guesses: 60, tasks: 1, plays: 1 };

describe.each(puzzles.map((puzzle) => [puzzle.name, puzzle] as const))('%s', (_name, puzzle) => {
  test('passes a small audit', () => {
    const audit = puzzle.audit(plan);
    expect(audit.findings).toEqual([]);
  });
});
