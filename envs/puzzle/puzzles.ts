import { UsageError } from '../core/errors.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import type { Puzzle } from './define-puzzle.ts';
import type { PuzzleCategory } from './rules.ts';
import { countdown, game24 } from './puzzles/arithmetic/countdown.ts';
import { caesar, vigenereCipher } from './puzzles/crypto/classical.ts';
import { cryptoKnownKey, cryptoKnownPlaintext } from './puzzles/crypto/known-attack.ts';
import { connectedComponents } from './puzzles/graph/components.ts';
import { geometry } from './puzzles/arithmetic/geometry.ts';
import { randomCalculation } from './puzzles/arithmetic/random-calculation.ts';
import { hamiltonianCycle, hamiltonianPath } from './puzzles/graph/hamiltonian-path.ts';
import { maze } from './puzzles/graph/maze.ts';
import { checkmateInOne } from './puzzles/search/checkmate-in-one.ts';
import { crossword } from './puzzles/grid/crossword.ts';
import { firstOrder } from './puzzles/logic/first-order.ts';
import { magicSquare } from './puzzles/grid/magic-square.ts';
import { polynomial } from './puzzles/arithmetic/polynomial.ts';
import { campsite } from './puzzles/grid/campsite.ts';
import { hitori } from './puzzles/search/hitori.ts';
import { lightUp } from './puzzles/search/light-up.ts';
import { minesweeperPuzzle } from './puzzles/search/minesweeper.ts';
import { slant } from './puzzles/search/slant.ts';
import { binario } from './puzzles/grid/binario.ts';
import { skyscraper, sumSkyscraper } from './puzzles/grid/skyscraper.ts';
import { starBattle } from './puzzles/grid/star-battle.ts';
import { matching } from './puzzles/graph/matching.ts';
import { maxFlow } from './puzzles/graph/max-flow.ts';
import { navigation } from './puzzles/graph/navigation.ts';
import { shortestPath } from './puzzles/graph/shortest-path.ts';
import { spanningTree } from './puzzles/graph/spanning-tree.ts';
import { topologicalSort } from './puzzles/graph/topological-sort.ts';
import { jigsaw } from './puzzles/grid/jigsaw.ts';
import { sudoku, sudoku4 } from './puzzles/grid/sudoku.ts';
import { arc1d } from './puzzles/logic/arc-1d.ts';
import { colourCube } from './puzzles/logic/colour-cube.ts';
import { knightsAndKnaves } from './puzzles/logic/knights-and-knaves.ts';
import { kakurasu } from './puzzles/search/kakurasu.ts';
import { listFunctions } from './puzzles/logic/list-functions.ts';
import { selfReference } from './puzzles/logic/self-reference.ts';
import { syllogism } from './puzzles/logic/syllogism.ts';
import { zebra } from './puzzles/logic/zebra.ts';
import { ticTacToe } from './puzzles/search/tic-tac-toe.ts';
import { carPainting } from './puzzles/sequential/car-painting.ts';
import { hanoi } from './puzzles/sequential/hanoi.ts';
import { ninePuzzle, sixteenPuzzle, twiddle } from './puzzles/sequential/rotations.ts';
import { eightPuzzle, fifteenPuzzle } from './puzzles/sequential/sliding.ts';
import { stackPermutation } from './puzzles/sequential/stack-permutation.ts';
import { stringComposition } from './puzzles/sequential/string-composition.ts';

/** The built-in puzzles by category. A new puzzle is one file of `puzzles` and one line of its category here. */
const byCategory: Readonly<Record<PuzzleCategory, readonly Puzzle[]>> = {
  grid: [
    sudoku,
    sudoku4,
    binario,
    skyscraper,
    sumSkyscraper,
    starBattle,
    jigsaw,
    campsite,
    magicSquare,
    crossword,
  ],
  sequential: [
    hanoi,
    eightPuzzle,
    fifteenPuzzle,
    ninePuzzle,
    sixteenPuzzle,
    twiddle,
    carPainting,
    stackPermutation,
    stringComposition,
  ],
  search: [kakurasu, ticTacToe, hitori, lightUp, minesweeperPuzzle, slant, checkmateInOne],
  arithmetic: [countdown, game24, randomCalculation, geometry, polynomial],
  graph: [
    hamiltonianPath,
    hamiltonianCycle,
    maze,
    shortestPath,
    connectedComponents,
    topologicalSort,
    spanningTree,
    maxFlow,
    matching,
    navigation,
  ],
  logic: [knightsAndKnaves, zebra, selfReference, syllogism, arc1d, listFunctions, colourCube, firstOrder],
  crypto: [cryptoKnownKey, cryptoKnownPlaintext, caesar, vigenereCipher],
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
