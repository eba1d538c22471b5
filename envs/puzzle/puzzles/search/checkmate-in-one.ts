import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { Board, type Move } from '../../../engines/chess/board.ts';
import { findMove, moveName, standardName } from '../../../engines/chess/notation.ts';
import { kingSteps } from '../../../engines/chess/evaluate.ts';
import { allSquares, letterOf, rankOf } from '../../../engines/chess/pieces.ts';
import { definePuzzle } from '../../define-puzzle.ts';

const question = z.strictObject({ fen: z.string() });

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** Half-moves of a random game before the first position that is looked at, and its end. */
const [soonest, latest] = [12, 120];

/** The moves that give mate. */
function matesOf(board: Board): Move[] {
  return board.moves().filter((move) => {
    board.make(move);
    const isMate = board.isCheck && !board.canMove;
    board.undo();
    return isMate;
  });
}

/** A position of a random game with one mating move. Captures are likelier than in random play, which clears the board. */
function drawGame(rng: Rng): string | undefined {
  const board = Board.read(start);
  for (let ply = 0; ply < latest; ply += 1) {
    const legal = board.moves();
    if (legal.length === 0 || board.isDeadMaterial || board.halfMoves > 60) return undefined;
    if (ply >= soonest && matesOf(board).length === 1) return board.fen;
    const captures = rng.uniform() < 0.3 ? board.captures() : [];
    board.make(rng.pick(captures.length > 0 ? captures : legal));
  }
  return undefined;
}

/** Pieces on random squares, with one mating move for White. The black king stands at an edge, where mates are. */
function drawPieces(rng: Rng, pieces: string): string | undefined {
  const squares = rng.shuffle(allSquares);
  const edge = squares.findIndex((square) => rankOf(square) === 7);
  [squares[0], squares[edge]] = [squares[edge] ?? 0, squares[0] ?? 0];
  const cells = new Map(pieces.split('').map((piece, at) => [squares[at] ?? 0, piece]));
  for (const [square, piece] of cells)
    if (/p/i.test(piece) && (rankOf(square) === 0 || rankOf(square) === 7)) return undefined;
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_unused, file) => cells.get((7 - row) * 16 + file) ?? '1').join(''),
  );
  const packed = rows.join('/').replaceAll(/1+/g, (gap) => String(gap.length));
  const [own = 0, other = 0] = [...cells].flatMap(([square, piece]) => (/k/i.test(piece) ? [square] : []));
  if (kingSteps(own, other) < 2) return undefined;
  const fen = `${packed} w - - 0 1`;
  const board = Board.find(fen);
  return board !== undefined && matesOf(board).length === 1 ? fen : undefined;
}

/** The move that an answer means, as UCI writes it. Marks of check may be left out. */
const read = (text: string, fen: string): string | undefined => {
  if (!/^[a-hKQRBNOo0][\w=+#-]{1,9}$/.test(text)) return undefined;
  const move = findMove(Board.read(fen), text);
  return move === undefined ? undefined : moveName(move);
};

const drawn = (board: Board): string =>
  Array.from({ length: 8 }, (_, row) => {
    const marks = Array.from({ length: 8 }, (_unused, file) =>
      letterOf(board.squares[(7 - row) * 16 + file] ?? 0),
    );
    return `${8 - row} ${marks.join(' ')}`;
  }).join('\n');

const titleOf = (fen: string, name: string): string => {
  const board = Board.read(fen);
  const move = findMove(board, name);
  return move === undefined ? name : standardName(board, move);
};

export const checkmateInOne = definePuzzle({
  name: 'checkmate-in-one',
  category: 'search',
  summary: 'Checkmate in one: the move that ends a game of chess',
  question,
  levels: [{ pieces: 'kKRR' }, { pieces: 'kKRBNPPppn' }, { pieces: undefined }],
  generate: (rng, { pieces }) => {
    for (;;) {
      const fen = pieces === undefined ? drawGame(rng) : drawPieces(rng, pieces);
      const [mate] = fen === undefined ? [] : matesOf(Board.read(fen));
      if (fen !== undefined && mate !== undefined) return { question: { fen }, solution: moveName(mate) };
    }
  },
  rules: 'Find the move that gives checkmate at once. Capitals are White, small letters are Black.',
  render: ({ fen }) => {
    const board = Board.read(fen);
    return `${drawn(board)}\n  a b c d e f g h\nFEN: ${fen}\n${board.turn === 1 ? 'White' : 'Black'} moves.`;
  },
  answer: {
    format: 'one move, as two squares such as e2e4 or e7e8q, or in algebraic notation such as Qxf7#.',
    write: (move) => move,
    read: (text, { fen }) => read(text, fen),
    longest: 16,
  },
  verify: ({ fen }, name) => {
    const board = Board.read(fen);
    const move = findMove(board, name);
    if (move === undefined) return false;
    board.make(move);
    return board.isCheck && !board.canMove;
  },
  unique: true,
  solve: ({ fen }) => {
    const board = Board.read(fen);
    return { answers: matesOf(board).slice(0, 2).map(moveName), effort: board.moves().length };
  },
  audit: {
    guess: ({ fen }, rng) => moveName(rng.pick(Board.read(fen).moves())),
    variety: (level) => (level === 1 ? 60_000 : 1e9),
    // the mean of one divided by the number of moves
    chance: 0.06,
    mutants: (mate, { fen }, rng) => {
      const others = Board.read(fen)
        .moves()
        .map(moveName)
        .filter((name) => name !== mate);
      const back = mate.slice(2, 4) + mate.slice(0, 2);
      return {
        'another move': others.length === 0 ? undefined : rng.pick(others),
        'the way back': back,
      };
    },
    equivalents: (mate, { fen }) => ({
      'algebraic notation': titleOf(fen, mate),
      'without a mark of mate': titleOf(fen, mate).replace('#', ''),
    }),
  },
});
