import { z } from 'zod';
import type { Rng } from '../../core/rng.ts';
import { Board } from '../../engines/chess/board.ts';
import { kingSteps } from '../../engines/chess/evaluate.ts';
import { findMove, moveName } from '../../engines/chess/notation.ts';
import { allSquares, fileOf, rankOf } from '../../engines/chess/pieces.ts';
import { drawnTasks } from '../../kit/drawn-tasks.ts';
import { defineTextEnv } from '../../kit/text-env.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from '../recipes.ts';
import { advance, choose, describe, features, levels, searcherOf, targetOf, type ChessGame } from './game.ts';

/** White's pieces beside the king, by ending. */
const endings = { kqk: 'Q', krk: 'R', kpk: 'P', kbbk: 'BB', kbnk: 'BN' } as const;
type Ending = keyof typeof endings;
const endingNames = Object.keys(endings) as readonly Ending[];

const config = z.strictObject({
  ending: z
    .enum(['all', 'kqk', 'krk', 'kpk', 'kbbk', 'kbnk'])
    .default('all')
    .describe(
      "White's pieces against the bare king: q queen, r rook, p pawn, b bishop, n knight; or all in turn",
    ),
  defence: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe('half-moves that the defender looks ahead; 0 moves at random'),
});

/** The moves of White in which the mate must come. The longest of these endings, with bishop and knight, takes 33 of them. */
const mostMoves = 50;

/** The key squares: with the king there White wins, if White or Black moves. They hold for pawns that are not on the edge. */
function isKeySquare(king: number, own: number): boolean {
  const ahead = rankOf(king) - rankOf(own);
  return Math.abs(fileOf(king) - fileOf(own)) <= 1 && (ahead === 2 || (ahead === 1 && rankOf(own) >= 4));
}

/** A position that White wins: the black king attacks nothing, and a pawn has its king on a key square. */
function draw(rng: Rng, ending: Ending): string | undefined {
  const pieces = ['K', ...endings[ending].split('')];
  const squares = rng.shuffle(allSquares);
  const [bare = 0, own = 0] = [squares[0], squares[1]];
  const cells = new Map([[bare, 'k']]);
  for (const [at, piece] of pieces.entries()) {
    const square = squares[at + 1] ?? 0;
    if (kingSteps(square, bare) < 2) return undefined;
    cells.set(square, piece);
  }
  const others = squares.slice(2, pieces.length + 1);
  const shade = (square: number): number => (rankOf(square) + fileOf(square)) & 1;
  if (ending === 'kbbk' && shade(others[0] ?? 0) === shade(others[1] ?? 0)) return undefined;
  const [first = 0] = others;
  if (ending === 'kpk')
    if (rankOf(first) < 1 || rankOf(first) > 5 || fileOf(first) % 7 === 0 || !isKeySquare(own, first))
      return undefined;
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_unused, file) => cells.get((7 - row) * 16 + file) ?? '1').join(''),
  );
  const packed = rows.join('/').replaceAll(/1+/g, (gap) => String(gap.length));
  const fen = `${packed} w - - 0 1`;
  return Board.find(fen)?.canMove === true ? fen : undefined;
}

function drawGame(rng: Rng, ending: Ending): ChessGame {
  for (;;) {
    const fen = draw(rng, ending);
    if (fen !== undefined) return { fen, player: 'white', last: '', seen: [], end: '' };
  }
}

/** Which ending a position is, by White's pieces at its start. */
function endingOf(fen: string): Ending {
  const [rows = ''] = fen.split(' ');
  const own = rows
    .replaceAll(/[^QRPBN]/g, '')
    .split('')
    .toSorted()
    .join('');
  return endingNames.find((name) => endings[name] === own) ?? 'kqk';
}

/**
 * Chess endgames that White wins: queen, rook, pawn, two bishops, or bishop and knight against a bare king. White must give mate in 50
 * moves. The defender looks a few half-moves ahead. As in LMRL-Gym (2023), a win pays 1 and a draw nothing.
 */
export const chessEndgameEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-chess-endgame-v1',
    config,
    draw: (rng, { ending }, index): ChessGame =>
      drawGame(rng, ending === 'all' ? (endingNames[index % endingNames.length] ?? 'kqk') : ending),
    instruction: `You are White in a chess endgame. Give mate in ${mostMoves} moves. Write a move as two squares, such as e2e4, with the letter of the new piece where a pawn promotes, such as e7e8q.`,
    family: ({ fen }) => endingOf(fen),
  }),
  summary: 'Chess endgames against a bare king: queen, rook, pawn, two bishops, or bishop and knight',
  turnLimit: mostMoves,
  deterministic: false,
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'planning', 'opponent']),
  observe: (game) => describe(game),
  actions: ({ fen }) => Board.read(fen).moves().map(moveName),
  accepts: ({ fen }, text) => findMove(Board.read(fen), text) !== undefined,
  step: (game, text, { rng }, { defence }) => {
    const move = findMove(Board.read(game.fen), text);
    const strength = levels[defence] ?? { depth: 0, nodes: 0 };
    return move === undefined
      ? { state: game }
      : advance(game, move, (board) => choose(board, strength, rng));
  },
  features,
  target: targetOf,
  experts: { searcher: (rng) => searcherOf({ depth: 7, nodes: 30_000 }, rng) },
});
