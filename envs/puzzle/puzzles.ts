import { UsageError } from '../core/errors.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import type { Puzzle } from './define-puzzle.ts';
import { countdown, game24 } from './puzzles/countdown.ts';
import { hamiltonianCycle, hamiltonianPath } from './puzzles/hamiltonian-path.ts';
import { hanoi } from './puzzles/hanoi.ts';
import { knightsAndKnaves } from './puzzles/knights-and-knaves.ts';
import { maze } from './puzzles/maze.ts';
import { sudoku, sudoku4 } from './puzzles/sudoku.ts';

/** The built-in puzzles by category, in the order of the catalogue. A new puzzle is one file of `puzzles` and one line here. */
export const puzzles: readonly Puzzle[] = [
  sudoku,
  sudoku4,
  hanoi,
  countdown,
  game24,
  hamiltonianPath,
  hamiltonianCycle,
  maze,
  knightsAndKnaves,
];

/**
 * Finds a built-in puzzle by its name.
 *
 * @throws UsageError for an unknown name
 */
export function findPuzzle(name: string): Puzzle {
  const found = puzzles.find((puzzle) => puzzle.name === name);
  if (found !== undefined) return found;
  const names = puzzles.map((puzzle) => puzzle.name);
  throw new UsageError({
    where: `puzzle "${name}"`,
    what: 'this puzzle does not exist.',
    fix: `${didYouMean(nearest(name, names))}The puzzles are ${names.join(', ')}.`,
  });
}
