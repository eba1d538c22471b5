import type { Searcher } from '../../core/env.ts';
import type { ActionTarget, Features } from '../../core/features.ts';
import type { Rng } from '../../core/rng.ts';
import { Board, type Move } from '../../engines/chess/board.ts';
import { moveName, standardName } from '../../engines/chess/notation.ts';
import { fileOf, letterOf, rankOf, readSquare, type Side } from '../../engines/chess/pieces.ts';
import { findBestMove } from '../../engines/chess/search.ts';
import type { TextStep } from '../../kit/text-world.ts';

/** A game in which it is the player's turn, or which is over. */
export interface ChessGame {
  readonly fen: string;
  readonly player: 'white' | 'black';
  /** The opponent's last move; empty where there is none. */
  readonly last: string;
  /** The positions since the last capture or move of a pawn, without counts of moves. A third one is a draw. */
  readonly seen: readonly string[];
  /** Why and how the game ended; empty while it goes on. */
  readonly end: string;
}

export type ChessEnd = 'mate' | 'stalemate' | 'repetition' | 'fifty-moves' | 'dead-position';

/** Why a game is over; undefined where it goes on. `seen` has the positions before this one. */
export function endOf(board: Board, seen: readonly string[]): ChessEnd | undefined {
  if (!board.canMove) return board.isCheck ? 'mate' : 'stalemate';
  if (board.isDeadMaterial) return 'dead-position';
  if (board.halfMoves >= 100) return 'fifty-moves';
  const { key } = board;
  return seen.filter((one) => one === key).length >= 2 ? 'repetition' : undefined;
}

/** Plays a move on the board. Returns the positions that can come again. */
export function played(board: Board, move: Move, seen: readonly string[]): readonly string[] {
  const { key } = board;
  board.make(move);
  return board.halfMoves === 0 ? [] : [...seen, key];
}

/** The board as rows from the side of White, with the names of ranks and files. */
const drawn = (board: Board): string =>
  [
    ...Array.from({ length: 8 }, (_, row) => {
      const marks = Array.from({ length: 8 }, (_unused, file) =>
        letterOf(board.squares[(7 - row) * 16 + file] ?? 0),
      );
      return `${8 - row} ${marks.join(' ')}`;
    }),
    '  a b c d e f g h',
  ].join('\n');

/** What the player sees. */
export function describe({ fen, player, last, seen, end }: ChessGame): string {
  const board = Board.read(fen);
  const times = seen.filter((one) => one === board.key).length;
  const lines = [drawn(board), `FEN: ${fen}`];
  if (last !== '') lines.push(`The opponent played ${last}.`);
  if (end !== '') return [...lines, end].join('\n');
  if (times > 0) lines.push('This position is here for the second time. A third time is a draw.');
  lines.push(`You are ${player === 'white' ? 'White, in capitals' : 'Black, in small letters'}.`);
  return [...lines, ...(board.isCheck ? ['You are in check.'] : [])].join('\n');
}

export const fenOf = (observation: string): string => /^FEN: (.+)$/m.exec(observation)?.[1] ?? '';

/** The board for a choice policy, from White's side. */
export function features(observation: string): Features {
  const board = Board.read(fenOf(observation));
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_unused, file) => letterOf(board.squares[(7 - row) * 16 + file] ?? 0)).join(
      '',
    ),
  );
  return { grid: { rows }, fields: { check: board.isCheck, side: board.turn } };
}

/** What a move refers to, for a choice policy: the square that is entered, and the one that is left. */
export function targetOf(text: string): ActionTarget {
  const [from, to] = [readSquare(text.slice(0, 2)), readSquare(text.slice(2, 4))];
  if (from < 0 || to < 0) return { verb: 'other' };
  return {
    verb: text.length > 4 ? `promote ${text.slice(4)}` : 'move',
    cell: [7 - rankOf(to), fileOf(to)],
    fields: { rank: rankOf(from) + 1, file: fileOf(from) + 1 },
  };
}

/** How a player moves: by a search of this depth, or at random with depth 0. */
export interface Strength {
  readonly depth: number;
  readonly nodes: number;
}

/** The strengths of the built-in opponent by level. Level 1 sees its own captures, and level 5 looks five half-moves ahead. */
export const levels: readonly Strength[] = [
  { depth: 0, nodes: 0 },
  { depth: 1, nodes: 2_000 },
  { depth: 2, nodes: 5_000 },
  { depth: 3, nodes: 20_000 },
  { depth: 4, nodes: 60_000 },
  { depth: 5, nodes: 200_000 },
];

/** The move of a built-in player. Ties are broken by `rng`. */
export function choose(
  board: Board,
  { depth, nodes }: Strength,
  rng: Rng,
  seen?: readonly string[],
): Move | undefined {
  if (depth === 0) {
    const moves = board.moves();
    return moves.length === 0 ? undefined : rng.pick(moves);
  }
  return findBestMove(board, { depth, nodes, rng, ...(seen === undefined ? {} : { seen: new Set(seen) }) })
    ?.move;
}

const ends: Readonly<Record<ChessEnd, string>> = {
  mate: 'Checkmate.',
  stalemate: 'Stalemate: a draw.',
  repetition: 'The same position for the third time: a draw.',
  'fifty-moves': 'Fifty moves without a capture or a move of a pawn: a draw.',
  'dead-position': 'Neither side can give mate: a draw.',
};

/** The answer of the opponent to a position; undefined where there is no legal move. */
export type Reply = (board: Board, seen: readonly string[]) => Move | undefined;

/** Plays the player's move and the opponent's reply. A win pays 1, a lost game -1 and a draw nothing, as in LMRL-Gym. */
export function advance(game: ChessGame, move: Move, reply: Reply): TextStep<ChessGame> {
  const board = Board.read(game.fen);
  const player: Side = board.turn;
  const over = (end: ChessEnd, seen: readonly string[], last: string): TextStep<ChessGame> => {
    const state = { fen: board.fen, player: game.player, last, seen, end: ends[end] };
    if (end !== 'mate') return { state, outcome: 'failed' };
    return board.turn === player
      ? { state: { ...state, end: 'Checkmate. You lost.' }, outcome: 'failed', reward: { result: -1 } }
      : { state: { ...state, end: 'Checkmate. You won.' }, outcome: 'solved', reward: { result: 1 } };
  };
  const between = played(board, move, game.seen);
  const ended = endOf(board, between);
  if (ended !== undefined) return over(ended, between, '');
  const answer = reply(board, between);
  if (answer === undefined) throw new Error(`chess: no reply in ${board.fen}`);
  const last = standardName(board, answer);
  const seen = played(board, answer, between);
  const lost = endOf(board, seen);
  return lost === undefined
    ? { state: { fen: board.fen, player: game.player, last, seen, end: '' } }
    : over(lost, seen, last);
}

/** Whether a game ends with a move of the player. */
export function endsWith({ fen, seen }: ChessGame, move: Move): boolean {
  const board = Board.read(fen);
  return endOf(board, played(board, move, seen)) !== undefined;
}

/** A player for demonstrations, which reads the position from the observation. */
export function searcherOf(strength: Strength, rng: Rng): Searcher<string, string> {
  const seen: string[] = [];
  return {
    act: ({ observation }) => {
      const board = Board.read(fenOf(observation));
      const move = choose(board, strength, rng, seen);
      if (move === undefined) return '';
      board.make(move);
      seen.push(board.key);
      return moveName(move);
    },
  };
}
