import type { Board } from './board.ts';
import { allSquares, bishop, fileOf, king, knight, pawn, queen, rankOf, rook, type Side } from './pieces.ts';

/** Worth of the pieces in hundredths of a pawn, by their numbers. */
export const worth: readonly number[] = [0, 100, 320, 330, 500, 950, 0];

/** Steps of a king from the four central squares, from 0 to 3. */
const fromCentre = (square: number): number =>
  Math.max(Math.abs(2 * fileOf(square) - 7), Math.abs(2 * rankOf(square) - 7)) >> 1;

/** Steps of a king between two squares. */
export const kingSteps = (one: number, other: number): number =>
  Math.max(Math.abs(fileOf(one) - fileOf(other)), Math.abs(rankOf(one) - rankOf(other)));

/** Pieces that both sides have beside pawns and kings, below which kings belong into the centre. */
const fewPieces = 6;

interface Army {
  /** Material and places of its pieces, without the king. */
  score: number;
  pieces: number;
  pawns: number;
  knights: number;
  /** The shades of the squares of its bishops: 1 for dark, 2 for light, 3 for both. */
  shades: number;
}

const armyOf = (): Army => ({ score: 0, pieces: 0, pawns: 0, knights: 0, shades: 0 });

function placeWorth(piece: number, square: number, side: Side): number {
  const advance = side === 1 ? rankOf(square) : 7 - rankOf(square);
  switch (piece) {
    case pawn:
      return advance * advance * 2 + (advance > 1 && fromCentre(square) <= 1 ? 12 : 0);
    case knight:
      return 24 - 16 * fromCentre(square);
    case bishop:
      return 12 - 7 * fromCentre(square) + (advance === 0 ? -8 : 0);
    case rook:
      return advance === 6 ? 18 : fileOf(square) === 3 || fileOf(square) === 4 ? 6 : 0;
    case queen:
      return 4 - 2 * fromCentre(square);
    default:
      return 0;
  }
}

/** How good a position is for the side to move, in hundredths of a pawn, without looking ahead. */
export function evaluate(board: Board): number {
  const white = armyOf();
  const black = armyOf();
  for (const square of allSquares) {
    const piece = board.squares[square] ?? 0;
    const kind = Math.abs(piece);
    if (kind === 0 || kind === king) continue;
    const side: Side = piece > 0 ? 1 : -1;
    const army = side === 1 ? white : black;
    army.score += (worth[kind] ?? 0) + placeWorth(kind, square, side);
    if (kind === pawn) army.pawns += 1;
    else army.pieces += 1;
    if (kind === knight) army.knights += 1;
    if (kind === bishop) army.shades |= 1 << ((rankOf(square) + fileOf(square)) & 1);
  }
  const total = white.pieces + black.pieces;
  let score = white.score - black.score;
  if (total <= fewPieces) score += 8 * (fromCentre(board.kingOf(-1)) - fromCentre(board.kingOf(1)));
  else score += shelter(board, 1) - shelter(board, -1);
  if (black.pieces + black.pawns === 0) score += conversion(board, 1, white);
  if (white.pieces + white.pawns === 0) score -= conversion(board, -1, black);
  return board.turn * score;
}

/** A king on its first rank, away from the middle files and with pawns before it, is safe while many pieces are left. */
function shelter(board: Board, side: Side): number {
  const at = board.kingOf(side);
  if (rankOf(at) !== (side === 1 ? 0 : 7)) return -30;
  let score = fileOf(at) > 5 || fileOf(at) < 3 ? 20 : 0;
  for (const step of [15, 16, 17]) if (board.squares[at + step * side] === pawn * side) score += 8;
  return score;
}

/** What helps a side against a bare king: to drive it to the edge or to the right corner, to come near, and to advance a pawn. */
function conversion(board: Board, side: Side, { pieces, pawns, knights, shades }: Army): number {
  const [own, bare] = [board.kingOf(side), board.kingOf(side === 1 ? -1 : 1)];
  const near = 14 - 2 * kingSteps(own, bare);
  if (pieces === 0 && pawns > 0) {
    let most = 0;
    for (const square of allSquares) {
      if (board.squares[square] !== pawn * side) continue;
      const advance = side === 1 ? rankOf(square) : 7 - rankOf(square);
      const ahead = side === 1 ? rankOf(own) - rankOf(square) : rankOf(square) - rankOf(own);
      const beside = Math.abs(fileOf(own) - fileOf(square));
      most = Math.max(most, 30 * advance + (ahead > 0 && beside <= 1 ? 20 + 20 * Math.min(ahead, 2) : 0));
    }
    return most;
  }
  if (pieces === 2 && pawns === 0 && knights === 1 && shades > 0 && shades < 3)
    return 300 - 30 * cornerSteps(bare, shades) + 12 * near + 10 * edge(bare);
  return 200 + 20 * fromCentre(bare) + 10 * edge(bare) + 4 * near;
}

/** 2 in a corner, 1 at an edge, 0 elsewhere. */
const edge = (square: number): number =>
  (fileOf(square) % 7 === 0 ? 1 : 0) + (rankOf(square) % 7 === 0 ? 1 : 0);

/** Steps along ranks and files to the nearer corner of a shade: a1 and h8 are dark. */
function cornerSteps(square: number, shades: number): number {
  const [file, rank] = [fileOf(square), rankOf(square)];
  return shades === 1 ? Math.min(file + rank, 14 - file - rank) : Math.min(file + 7 - rank, 7 - file + rank);
}
