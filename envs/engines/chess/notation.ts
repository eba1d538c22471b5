import type { Board, Move } from './board.ts';
import { fileOf, king, letters, pawn, rankOf, squareName } from './pieces.ts';

/** `e2e4` or `e7e8q`, as the Universal Chess Interface writes moves. */
export function moveName({ from, to, promotes }: Move): string {
  const name = squareName(from) + squareName(to);
  return promotes === 0 ? name : name + (letters[promotes] ?? '').toLowerCase();
}

/** A move in standard algebraic notation, such as `Nbd7`, `exd6`, `O-O` or `e8=Q#`. */
export function standardName(board: Board, move: Move, legal: readonly Move[] = board.moves()): string {
  const { from, to, promotes, kind } = move;
  const piece = Math.abs(board.squares[from] ?? 0);
  let name = '';
  if (kind === 'castle') name = to > from ? 'O-O' : 'O-O-O';
  else {
    const captures = board.squares[to] !== 0 || kind === 'en-passant';
    if (piece === pawn) name = captures ? (squareName(from)[0] ?? '') : '';
    else name = (letters[piece] ?? '') + distinction(board, move, legal);
    name += (captures ? 'x' : '') + squareName(to);
    if (promotes !== 0) name += `=${letters[promotes]}`;
  }
  board.make(move);
  const mark = board.isCheck ? (board.canMove ? '+' : '#') : '';
  board.undo();
  return name + mark;
}

/** The file, the rank or both of a piece, where another piece of its kind can make the move too. */
function distinction({ squares }: Board, { from, to }: Move, legal: readonly Move[]): string {
  if (Math.abs(squares[from] ?? 0) === king) return '';
  const others = legal.filter(
    (other) => other.to === to && other.from !== from && squares[other.from] === squares[from],
  );
  if (others.length === 0) return '';
  const [file = '', rank = ''] = squareName(from);
  if (others.every((other) => fileOf(other.from) !== fileOf(from))) return file;
  return others.every((other) => rankOf(other.from) !== rankOf(from)) ? rank : file + rank;
}

/** The legal move that a text means, in either notation. Marks of check and comments may be left out. */
export function findMove(board: Board, text: string): Move | undefined {
  const legal = board.moves();
  const plain = (name: string): string => name.replaceAll(/[+#!?=\s]/g, '').replaceAll('0', 'O');
  const wanted = plain(text);
  return (
    legal.find((move) => moveName(move) === text.toLowerCase()) ??
    legal.find((move) => plain(standardName(board, move, legal)) === wanted)
  );
}
