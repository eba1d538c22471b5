import type { Rng } from '../../core/rng.ts';
import type { Board, Move } from './board.ts';
import { evaluate, worth } from './evaluate.ts';

/** The score of a mate at once. Each half-move to it costs 1. */
const mate = 100_000;
/** Scores beyond this are mates. */
export const nearMate = mate - 1_000;

/** What a search found. */
export interface FoundMove {
  readonly move: Move;
  /** In hundredths of a pawn for the side to move; beyond {@link nearMate} it is a mate. */
  readonly score: number;
  readonly nodes: number;
}

export interface SearchPlan {
  /** Half-moves to look ahead, at least 1. Captures are followed further. */
  readonly depth: number;
  /** The most positions to visit. Where they are used up, the result of the last finished depth counts. */
  readonly nodes: number;
  /** Breaks ties between equal moves. Without it, the first one is taken. */
  readonly rng?: Rng | undefined;
  /** Keys of positions that were there before: going back to one is worth a draw. */
  readonly seen?: ReadonlySet<string>;
}

/** Captures of great worth by pieces of little worth come first, then the best move of the depth before. */
const order = ({ squares }: Board, { from, to, promotes }: Move): number => {
  const victim = worth[Math.abs(squares[to] ?? 0)] ?? 0;
  return (
    (victim > 0 ? 10 * victim - (worth[Math.abs(squares[from] ?? 0)] ?? 0) + 10 : 0) + (worth[promotes] ?? 0)
  );
};

/** The moves by their promise, most first. Moves of equal promise keep their order. */
function sorted(board: Board, moves: readonly Move[], first?: Move): Move[] {
  const list: Move[] = [];
  const ranks: number[] = [];
  for (const move of moves) {
    const rank = isSame(move, first) ? 1e9 : order(board, move);
    let at = list.length;
    for (; at > 0 && (ranks[at - 1] ?? 0) < rank; at -= 1) {
      list[at] = list[at - 1] as Move;
      ranks[at] = ranks[at - 1] as number;
    }
    list[at] = move;
    ranks[at] = rank;
  }
  return list;
}

const isSame = (one: Move, other: Move | undefined): boolean =>
  one.from === other?.from && one.to === other.to && one.promotes === other.promotes;

class OutOfNodes extends Error {}

/** What a search knows of a position: its best move, and bounds of its score at a depth. */
interface Known {
  readonly depth: number;
  readonly score: number;
  readonly bound: 'exact' | 'least' | 'most';
  readonly move: Move | undefined;
}

/**
 * Finds a good move by searching deeper and deeper with alpha-beta pruning (Knuth and Moore 1975). At the end of each line, captures are
 * followed until the position is quiet. Undefined where there is no legal move.
 */
export function findBestMove(
  board: Board,
  { depth, nodes: most, rng, seen }: SearchPlan,
): FoundMove | undefined {
  let nodes = 0;
  const table = new Map<number, Known>();
  const quiet = (alpha: number, beta: number, left: number): number => {
    nodes += 1;
    let best = evaluate(board);
    if (best >= beta || left === 0) return best;
    let low = Math.max(alpha, best);
    for (const move of sorted(board, board.captures())) {
      board.make(move);
      const score = -quiet(-beta, -low, left - 1);
      board.undo();
      if (score > best) best = score;
      if (best > low) low = best;
      if (low >= beta) break;
    }
    return best;
  };
  const search = (left: number, ply: number, alpha: number, beta: number): number => {
    nodes += 1;
    if (nodes > most) throw new OutOfNodes();
    if (board.halfMoves >= 100 || board.isDeadMaterial) return 0;
    const { hash } = board;
    const known = table.get(hash);
    if (known !== undefined && known.depth >= left && Math.abs(known.score) < nearMate) {
      if (known.bound === 'exact') return known.score;
      if (known.bound === 'least' ? known.score >= beta : known.score <= alpha) return known.score;
    }
    if (!board.canMove) return board.isCheck ? ply - mate : 0;
    if (left === 0) return quiet(alpha, beta, 6);
    let best = -mate;
    let low = alpha;
    let chosen: Move | undefined;
    for (const move of sorted(board, board.moves(), known?.move)) {
      board.make(move);
      const score = -search(left - 1, ply + 1, -beta, -low);
      board.undo();
      if (score > best) [best, chosen] = [score, move];
      if (best > low) low = best;
      if (low >= beta) break;
    }
    const bound = best >= beta ? 'least' : best <= alpha ? 'most' : 'exact';
    table.set(hash, { depth: left, score: best, bound, move: chosen });
    return best;
  };
  const legal = board.moves();
  let [chosen] = rng === undefined ? legal : rng.shuffle(legal);
  let found = 0;
  if (chosen === undefined) return undefined;
  const shuffled = rng === undefined ? legal : rng.shuffle(legal);
  const fen = board.fen;
  for (let deep = 1; deep <= depth; deep += 1) {
    let best: Move | undefined;
    let low = -mate;
    try {
      for (const move of sorted(board, shuffled, deep === 1 ? undefined : chosen)) {
        board.make(move);
        const score = seen?.has(board.key) === true ? 0 : -search(deep - 1, 1, -mate, -low);
        board.undo();
        if (best === undefined || score > low) [best, low] = [move, score];
      }
    } catch (thrown) {
      if (!(thrown instanceof OutOfNodes)) throw thrown;
      while (board.fen !== fen) board.undo();
      break;
    }
    if (best !== undefined) [chosen, found] = [best, low];
    if (Math.abs(found) > nearMate) break;
  }
  return { move: chosen, score: found, nodes };
}
