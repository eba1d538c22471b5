import { z } from 'zod';
import type { EnvDefinition } from '../../core/env.ts';
import type { Rng } from '../../core/rng.ts';
import { Board } from '../../engines/chess/board.ts';
import { findMove, moveName } from '../../engines/chess/notation.ts';
import { findBestMove } from '../../engines/chess/search.ts';
import { drawnTasks } from '../../kit/drawn-tasks.ts';
import { defineTextEnv } from '../../kit/text-env.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from '../recipes.ts';
import { openWithEngine, readReply } from './engine-env.ts';
import { advance, choose, describe, features, levels, searcherOf, targetOf, type ChessGame } from './game.ts';

const config = z.strictObject({
  level: z
    .int()
    .min(0)
    .max(5)
    .default(1)
    .describe('half-moves that the built-in opponent looks ahead; 0 moves at random'),
  moves: z.int().min(1).max(300).default(100).describe('moves of the player after which a game is drawn'),
  engine: z
    .string()
    .default('')
    .describe('the program of a UCI engine, such as /usr/games/stockfish, in place of the built-in opponent'),
  options: z
    .record(z.string().regex(/^[\w -]{1,60}$/), z.string().regex(/^[^\r\n]{0,200}$/))
    .default({})
    .describe("the engine's own options, such as Skill Level"),
  moveMs: z.int().min(1).max(60_000).default(50).describe('milliseconds that the engine thinks for a move'),
  answerMs: z
    .int()
    .min(1)
    .max(600_000)
    .default(10_000)
    .describe('milliseconds that the engine may take to start, and beyond the time to think'),
});

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** The most half-moves of a drawn opening, and how uneven it may be in hundredths of a pawn. */
const [longestOpening, unevenness] = [8, 120];

/** An opening of random moves after which neither side is ahead. The player has the side that moves. */
function draw(rng: Rng, index: number): ChessGame {
  for (;;) {
    const board = Board.read(start);
    const length = 2 + 2 * rng.int(longestOpening / 2) - (index % 2);
    let last = '';
    for (let ply = 0; ply < length; ply += 1) {
      const move = rng.pick(board.moves());
      last = moveName(move);
      board.make(move);
    }
    const found = findBestMove(board, { depth: 2, nodes: 20_000 });
    if (found === undefined || Math.abs(found.score) > unevenness) continue;
    return { fen: board.fen, player: board.turn === 1 ? 'white' : 'black', last, seen: [], end: '' };
  }
}

const world = defineTextEnv({
  ...drawnTasks({
    id: 'game-chess-v1',
    config,
    draw: (rng, _config, index): ChessGame => draw(rng, index),
    instruction: (_config, { player }) =>
      `Win a game of chess. You are ${player === 'white' ? 'White' : 'Black'}. Write a move as two squares, such as e2e4, with the letter of the new piece where a pawn promotes, such as e7e8q. To castle, name the two squares of the king.`,
    family: ({ player }) => player,
    apart: ({ fen }) => fen,
  }),
  summary: 'Chess against a built-in opponent of five levels, or a UCI engine',
  turnLimit: ({ moves }) => moves,
  deterministic: false,
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'planning', 'opponent']),
  observe: (game) => describe(game),
  actions: ({ fen }) => Board.read(fen).moves().map(moveName),
  accepts: ({ fen }, text, { engine }) =>
    findMove(Board.read(fen), engine === '' ? text : readReply(text).move) !== undefined,
  step: (game, text, { rng }, { level, engine }) => {
    const { move: own, reply } = engine === '' ? { move: text, reply: undefined } : readReply(text);
    const move = findMove(Board.read(game.fen), own);
    if (move === undefined) return { state: game };
    const strength = levels[level] ?? { depth: 0, nodes: 0 };
    return advance(game, move, (board, seen) =>
      engine === '' ? choose(board, strength, rng, seen) : findMove(board, reply ?? ''),
    );
  },
  features,
  target: targetOf,
  experts: { searcher: (rng) => searcherOf({ depth: 3, nodes: 10_000 }, rng) },
});

/**
 * Chess by the rules of FIDE, from openings of a few random moves. A win pays 1, a lost game -1, a draw nothing, as in LMRL-Gym (2023).
 * The opponent is a small searcher, or any engine that speaks the Universal Chess Interface.
 */
export const chessEnv: EnvDefinition<'game-chess-v1', typeof config, string, string> = {
  ...world,
  open: async (settings, context) =>
    settings.engine === ''
      ? await world.open(settings, context)
      : await openWithEngine(await world.open(settings, context), settings, context),
};
