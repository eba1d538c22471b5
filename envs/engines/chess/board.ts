import { UsageError } from '../../core/errors.ts';
import {
  allSquares,
  bishop,
  fileOf,
  isOff,
  king,
  knight,
  letterOf,
  letters,
  pawn,
  queen,
  rankOf,
  readSquare,
  rook,
  squareName,
  steps,
  type Side,
} from './pieces.ts';

/** A move: the squares, the piece that a pawn becomes or 0, and what is special about it. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly promotes: number;
  readonly kind: 'plain' | 'double' | 'en-passant' | 'castle';
}

/** Random bits for each piece on each square, and for the rest of a position, by which equal positions have equal hashes (Zobrist 1970). */
const bits = new Int32Array(2 * 16 * 128);
let seed = 0x9e3779b9;
for (let at = 0; at < bits.length; at += 1) {
  seed = Math.imul(seed ^ (seed >>> 15), 0x85ebca6b) + 0x6d2b79f5;
  seed ^= seed >>> 13;
  bits[at] = Math.imul(seed, 0xc2b2ae35) ^ (seed >>> 16);
}
/** The place of the random bits of a piece, from -6 to 6, on a square. The squares of a piece that does not exist stand for the rest. */
const bitsOf = (piece: number, square: number): number => ((piece + 7) << 7) | square;

interface Undo {
  readonly move: Move;
  readonly moved: number;
  readonly captured: number;
  readonly castling: number;
  readonly enPassant: number;
  readonly halfMoves: number;
}

/** Rights to castle as bits, in the order of FEN. */
const rights = 'KQkq';
/** The rights that end when a piece leaves or enters a corner or the home of a king. */
const endedBy = new Map([
  [readSquare('h1'), 1],
  [readSquare('a1'), 2],
  [readSquare('e1'), 3],
  [readSquare('h8'), 4],
  [readSquare('a8'), 8],
  [readSquare('e8'), 12],
]);
const becomes = [queen, rook, bishop, knight] as const;
const homeOf = (side: Side): number => (side === 1 ? readSquare('e1') : readSquare('e8'));

/** Whether two squares share a rank, a file or a diagonal. A piece on one can then be pinned to a king on the other. */
const areInLine = (one: number, other: number): boolean => {
  const ranks = Math.abs(rankOf(one) - rankOf(other));
  const files = Math.abs(fileOf(one) - fileOf(other));
  return ranks === 0 || files === 0 || ranks === files;
};

/** A position by the rules of FIDE (2023), with moves that can be made and taken back. */
export class Board {
  readonly squares = new Int8Array(128);
  turn: Side = 1;
  #castling = 0;
  /** The square behind a pawn that just made two steps; -1 where there is none. */
  #enPassant = -1;
  /** Half-moves since the last capture or move of a pawn. */
  halfMoves = 0;
  #fullMoves = 1;
  readonly #kings = { 1: -1, '-1': -1 };
  readonly #undos: Undo[] = [];
  #low = 0;
  #high = 0;

  /**
   * Reads a position in Forsyth-Edwards notation.
   *
   * @throws UsageError where the text is no position with one king each, or the side to move could capture a king
   */
  static read(fen: string): Board {
    const board = new Board();
    const why = board.#read(fen);
    if (why === undefined) return board;
    throw new UsageError({
      where: `chess position "${fen.slice(0, 100)}"`,
      what: why,
      fix: 'Give a position in FEN, such as "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".',
    });
  }

  /** The position of a text; undefined where {@link Board.read} would refuse it. */
  static find(fen: string): Board | undefined {
    const board = new Board();
    return board.#read(fen) === undefined ? board : undefined;
  }

  #read(fen: string): string | undefined {
    const [rows = '', turn = 'w', castling = '-', enPassant = '-', half = '0', full = '1'] = fen.split(' ');
    const lines = rows.split('/');
    if (lines.length !== 8) return 'it does not have 8 ranks.';
    for (const [row, line] of lines.entries()) {
      let file = 0;
      for (const mark of line) {
        if (/[1-8]/.test(mark)) {
          file += Number(mark);
          continue;
        }
        const piece = letters.indexOf(mark.toUpperCase());
        if (piece < 1 || file > 7) return `rank ${8 - row} is not 8 squares of pieces and numbers.`;
        const side: Side = mark === mark.toUpperCase() ? 1 : -1;
        const square = (7 - row) * 16 + file;
        if (piece === king && this.#kings[side] >= 0) return 'a side has two kings.';
        if (piece === king) this.#kings[side] = square;
        if (piece === pawn && (row === 0 || row === 7)) return 'a pawn stands on the first or last rank.';
        this.#put(square, piece * side);
        file += 1;
      }
      if (file !== 8) return `rank ${8 - row} is not 8 squares of pieces and numbers.`;
    }
    if (this.#kings[1] < 0 || this.#kings[-1] < 0) return 'a side has no king.';
    if (turn !== 'w' && turn !== 'b') return `"${turn}" is no side: w and b are.`;
    this.turn = turn === 'w' ? 1 : -1;
    if (!/^(-|K?Q?k?q?)$/.test(castling)) return `"${castling}" are no rights to castle.`;
    for (const [bit, right] of rights.split('').entries())
      if (castling.includes(right)) this.#castling |= 1 << bit;
    this.#enPassant = readSquare(enPassant);
    if (!/^\d{1,4}$/.test(half) || !/^\d{1,4}$/.test(full)) return 'its counts of moves are no numbers.';
    this.halfMoves = Number(half);
    this.#fullMoves = Number(full);
    if (this.isAttacked(this.#kings[this.turn === 1 ? -1 : 1], this.turn))
      return 'the side to move could capture the king.';
    return undefined;
  }

  /** The position without its counts of moves. Equal keys are a repetition. En passant is part of it where the capture is legal. */
  get key(): string {
    const rows: string[] = [];
    for (let rank = 7; rank >= 0; rank -= 1) {
      let [row, gap] = ['', 0];
      for (let file = 0; file < 8; file += 1) {
        const piece = this.squares[rank * 16 + file] ?? 0;
        if (piece === 0) gap += 1;
        else {
          row += gap > 0 ? `${gap}${letterOf(piece)}` : letterOf(piece);
          gap = 0;
        }
      }
      rows.push(gap > 0 ? row + String(gap) : row);
    }
    let castling = '';
    for (let bit = 0; bit < 4; bit += 1) if (this.#castling & (1 << bit)) castling += rights[bit];
    const captures = this.#enPassant >= 0 && this.moves().some(({ kind }) => kind === 'en-passant');
    const enPassant = captures ? squareName(this.#enPassant) : '-';
    return `${rows.join('/')} ${this.turn === 1 ? 'w' : 'b'} ${castling === '' ? '-' : castling} ${enPassant}`;
  }

  /** The position in Forsyth-Edwards notation. */
  get fen(): string {
    return `${this.key} ${this.halfMoves} ${this.#fullMoves}`;
  }

  /** A number of 53 bits that equal positions share, and others almost never. */
  get hash(): number {
    const rest = bitsOf(0, this.#castling | (this.turn === 1 ? 0 : 16));
    const passing = bitsOf(7, this.#enPassant + 1);
    const low = this.#low ^ (bits[rest] ?? 0) ^ (bits[passing] ?? 0);
    const high = this.#high ^ (bits[rest + 2048] ?? 0) ^ (bits[passing + 2048] ?? 0);
    return (high >>> 11) * 4_294_967_296 + (low >>> 0);
  }

  #put(square: number, piece: number): void {
    const before = this.squares[square] ?? 0;
    if (before !== 0) this.#toggle(bitsOf(before, square));
    if (piece !== 0) this.#toggle(bitsOf(piece, square));
    this.squares[square] = piece;
  }

  #toggle(at: number): void {
    this.#low ^= bits[at] ?? 0;
    this.#high ^= bits[at + 2048] ?? 0;
  }

  kingOf(side: Side): number {
    return this.#kings[side];
  }

  get isCheck(): boolean {
    return this.isAttacked(this.#kings[this.turn], this.turn === 1 ? -1 : 1);
  }

  /** Whether a piece of `by` could capture on a square. */
  isAttacked(square: number, by: Side): boolean {
    const { squares } = this;
    const behind = square - 16 * by;
    if (!isOff(behind - 1) && squares[behind - 1] === pawn * by) return true;
    if (!isOff(behind + 1) && squares[behind + 1] === pawn * by) return true;
    for (const step of steps[knight] ?? []) {
      const from = square + step;
      if (!isOff(from) && squares[from] === knight * by) return true;
    }
    for (const step of steps[queen] ?? []) {
      const slides = step === 1 || step === -1 || step === 16 || step === -16 ? rook : bishop;
      for (let from = square + step; !isOff(from); from += step) {
        const piece = (squares[from] ?? 0) * by;
        if (piece === 0) continue;
        if (piece === queen || piece === slides || (piece === king && from === square + step)) return true;
        break;
      }
    }
    return false;
  }

  /** The legal moves. */
  moves(): Move[] {
    return this.#legal(this.#pseudoMoves(false));
  }

  /** The legal captures and promotions. */
  captures(): Move[] {
    return this.#legal(this.#pseudoMoves(true));
  }

  /** Whether there is a legal move. It is quicker than listing them. */
  get canMove(): boolean {
    const { isCheck } = this;
    const moves: Move[] = [];
    for (const from of allSquares) {
      moves.length = 0;
      this.#pseudoMovesFrom(from, false, moves);
      if (moves.some((move) => this.#isLegal(move, isCheck))) return true;
    }
    return false;
  }

  #legal(moves: readonly Move[]): Move[] {
    const { isCheck } = this;
    return moves.filter((move) => this.#isLegal(move, isCheck));
  }

  /** Whether a move leaves the own king unattacked. It is made and taken back only where it can expose the king. */
  #isLegal(move: Move, isCheck: boolean): boolean {
    const side = this.turn;
    const home = this.#kings[side];
    if (!isCheck && move.from !== home && move.kind !== 'en-passant' && !areInLine(home, move.from))
      return true;
    this.make(move);
    const isLegal = !this.isAttacked(this.#kings[side], this.turn);
    this.undo();
    return isLegal;
  }

  /** Moves that may leave the own king attacked. */
  #pseudoMoves(forcing: boolean): Move[] {
    const moves: Move[] = [];
    for (const from of allSquares) this.#pseudoMovesFrom(from, forcing, moves);
    return moves;
  }

  #pseudoMovesFrom(from: number, forcing: boolean, moves: Move[]): void {
    const { squares, turn } = this;
    const piece = (squares[from] ?? 0) * turn;
    if (piece <= 0) return;
    if (piece === pawn) {
      this.#pawnMoves(from, forcing, moves);
      return;
    }
    const isStepping = piece === knight || piece === king;
    for (const step of steps[piece] ?? [])
      for (let to = from + step; !isOff(to); to += step) {
        const target = (squares[to] ?? 0) * turn;
        if (target > 0) break;
        if (target < 0 || !forcing) moves.push({ from, to, promotes: 0, kind: 'plain' });
        if (target < 0 || isStepping) break;
      }
    if (piece === king && !forcing) this.#castles(from, moves);
  }

  #pawnMoves(from: number, forcing: boolean, moves: Move[]): void {
    const { squares, turn } = this;
    const ahead = from + 16 * turn;
    const isLast = rankOf(ahead) === (turn === 1 ? 7 : 0);
    const push = (to: number): void => {
      if (isLast) for (const promotes of becomes) moves.push({ from, to, promotes, kind: 'plain' });
      else moves.push({ from, to, promotes: 0, kind: 'plain' });
    };
    if (squares[ahead] === 0 && (isLast || !forcing)) {
      push(ahead);
      const twice = ahead + 16 * turn;
      if (!forcing && rankOf(from) === (turn === 1 ? 1 : 6) && squares[twice] === 0)
        moves.push({ from, to: twice, promotes: 0, kind: 'double' });
    }
    for (const to of [ahead - 1, ahead + 1]) {
      if (isOff(to)) continue;
      if ((squares[to] ?? 0) * turn < 0) push(to);
      else if (to === this.#enPassant) moves.push({ from, to, promotes: 0, kind: 'en-passant' });
    }
  }

  #castles(from: number, moves: Move[]): void {
    const { squares, turn } = this;
    const other: Side = turn === 1 ? -1 : 1;
    const shift = turn === 1 ? 0 : 2;
    if ((this.#castling & (3 << shift)) === 0 || from !== homeOf(turn) || this.isAttacked(from, other))
      return;
    const isFree = (square: number): boolean => squares[square] === 0;
    const isRook = (square: number): boolean => squares[square] === rook * turn;
    if (this.#castling & (1 << shift) && isRook(from + 3) && isFree(from + 1) && isFree(from + 2))
      if (!this.isAttacked(from + 1, other)) moves.push({ from, to: from + 2, promotes: 0, kind: 'castle' });
    if (this.#castling & (2 << shift) && isRook(from - 4) && [1, 2, 3].every((by) => isFree(from - by)))
      if (!this.isAttacked(from - 1, other)) moves.push({ from, to: from - 2, promotes: 0, kind: 'castle' });
  }

  make(move: Move): void {
    const { squares, turn } = this;
    const { from, to, promotes, kind } = move;
    const moved = squares[from] ?? 0;
    const victim = kind === 'en-passant' ? to - 16 * turn : to;
    const captured = squares[victim] ?? 0;
    this.#undos.push({
      move,
      moved,
      captured,
      castling: this.#castling,
      enPassant: this.#enPassant,
      halfMoves: this.halfMoves,
    });
    this.#put(victim, 0);
    this.#put(from, 0);
    this.#put(to, promotes === 0 ? moved : promotes * turn);
    if (moved === king * turn) this.#kings[turn] = to;
    if (kind === 'castle') {
      const [corner, beside] = to > from ? [from + 3, from + 1] : [from - 4, from - 1];
      this.#put(corner, 0);
      this.#put(beside, rook * turn);
    }
    this.#castling &= ~((endedBy.get(from) ?? 0) | (endedBy.get(to) ?? 0));
    this.#enPassant = kind === 'double' ? from + 16 * turn : -1;
    this.halfMoves = captured !== 0 || moved === pawn * turn ? 0 : this.halfMoves + 1;
    if (turn === -1) this.#fullMoves += 1;
    this.turn = turn === 1 ? -1 : 1;
  }

  /** Takes the last move back. */
  undo(): void {
    const last = this.#undos.pop();
    if (last === undefined) return;
    const { move, moved, captured, castling, enPassant, halfMoves } = last;
    const turn: Side = this.turn === 1 ? -1 : 1;
    this.turn = turn;
    if (turn === -1) this.#fullMoves -= 1;
    const { from, to, kind } = move;
    this.#put(to, 0);
    this.#put(from, moved);
    this.#put(kind === 'en-passant' ? to - 16 * turn : to, captured);
    if (moved === king * turn) this.#kings[turn] = from;
    if (kind === 'castle') {
      const [corner, beside] = to > from ? [from + 3, from + 1] : [from - 4, from - 1];
      this.#put(beside, 0);
      this.#put(corner, rook * turn);
    }
    this.#castling = castling;
    this.#enPassant = enPassant;
    this.halfMoves = halfMoves;
  }

  /** Whether no sequence of legal moves can give mate, by the material alone: bare kings, one minor piece, or bishops of one colour. */
  get isDeadMaterial(): boolean {
    let [minors, shades, knights] = [0, 0, 0];
    for (const square of allSquares) {
      const piece = Math.abs(this.squares[square] ?? 0);
      if (piece === 0 || piece === king) continue;
      if (piece !== knight && piece !== bishop) return false;
      minors += 1;
      if (piece === knight) knights += 1;
      else shades |= 1 << ((rankOf(square) + fileOf(square)) & 1);
    }
    return minors <= 1 || (knights === 0 && shades !== 3);
  }
}

/** The number of sequences of legal moves of a length, by which generators of moves are compared. */
export function countMoves(board: Board, depth: number): number {
  const moves = board.moves();
  if (depth <= 1) return depth === 0 ? 1 : moves.length;
  let count = 0;
  for (const move of moves) {
    board.make(move);
    count += countMoves(board, depth - 1);
    board.undo();
  }
  return count;
}
