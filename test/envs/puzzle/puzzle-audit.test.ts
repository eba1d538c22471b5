import { describe, expect, test } from 'vitest';
import { puzzles } from '../../../envs/puzzle/puzzles.ts';

// A small audit of each puzzle. The whole one is part of `npm run docs`, and runs in puzzle-audit.slow.test.ts.
describe.each(puzzles.map((puzzle) => [puzzle.name, puzzle] as const))('%s', (_name, puzzle) => {
  test('passes a small audit', () => {
    const audit = puzzle.audit({ seeds: 4, distinct: 30, guesses: 100, tasks: 4, plays: 2 });
    expect(audit.findings).toEqual([]);
  });
});
