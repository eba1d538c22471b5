import { UsageError } from '../core/errors.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import type { Puzzle } from './define-puzzle.ts';
import type { PuzzleCategory } from './rules.ts';
import { countdown, game24 } from './puzzles/arithmetic/countdown.ts';
import { hamiltonianCycle, hamiltonianPath } from './puzzles/graph/hamiltonian-path.ts';
import { maze } from './puzzles/graph/maze.ts';
import { binario } from './puzzles/grid/binario.ts';
import { skyscraper, sumSkyscraper } from './puzzles/grid/skyscraper.ts';
import { starBattle } from './puzzles/grid/star-battle.ts';
import { sudoku, sudoku4 } from './puzzles/grid/sudoku.ts';
import { knightsAndKnaves } from './puzzles/logic/knights-and-knaves.ts';
import { kakurasu } from './puzzles/search/kakurasu.ts';
import { hanoi } from './puzzles/sequential/hanoi.ts';

/** The built-in puzzles by category. A new puzzle is one file of `puzzles` and one line of its category here. */
const byCategory: Readonly<Record<PuzzleCategory, readonly Puzzle[]>> = {
  grid: [sudoku, sudoku4, binario, skyscraper, sumSkyscraper, starBattle],
  crypto: [],
  sequential: [hanoi],
  search: [kakurasu],
  arithmetic: [countdown, game24],
  graph: [hamiltonianPath, hamiltonianCycle, maze],
  logic: [knightsAndKnaves],
};

/** The built-in puzzles, in the order of the catalogue. */
export const puzzles: readonly Puzzle[] = Object.values(byCategory).flat();

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
