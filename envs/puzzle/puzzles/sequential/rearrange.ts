import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';

/** A move of a board: the cell at place `p` of the new board comes from place `from[p]` of the old one. */
export interface BoardMove {
  readonly name: string;
  readonly from: readonly number[];
}

const board = z.array(z.int().min(1).max(16));
const question = z.strictObject({ board });
type Board = readonly number[];

const after = (cells: Board, { from }: BoardMove): number[] => from.map((place) => cells[place] as number);
const keyOf = (cells: Board): string => String.fromCharCode(...cells);
const isSorted = (cells: Board): boolean => cells.every((cell, place) => cell === place + 1);

/** The number of boards that a search may visit on each side. */
const mostVisited = 60_000;

/** One side of a search: the boards that it met, each with the move and the board by which it was reached. */
interface Side {
  readonly met: Map<string, { readonly move: number; readonly before: string | undefined }>;
  border: Board[];
}

const sideFrom = (cells: Board): Side => ({
  met: new Map([[keyOf(cells), { move: -1, before: undefined }]]),
  border: [cells],
});

/** The moves by which a side reached a board, the first one first. */
function trail({ met }: Side, key: string): number[] {
  const moves: number[] = [];
  for (let at = met.get(key); at?.before !== undefined; at = met.get(at.before)) moves.push(at.move);
  return moves.toReversed();
}

/** A shortest list of moves to the sorted board: breadth-first from both ends (Pohl 1971). Undefined where that takes too long. */
function shortest(
  start: Board,
  moves: readonly BoardMove[],
  inverse: readonly number[],
): { readonly moves: readonly number[] | undefined; readonly visited: number } {
  const [first, last] = [sideFrom(start), sideFrom(start.map((_cell, place) => place + 1))];
  const goal = keyOf(last.border[0] as Board);
  if (keyOf(start) === goal) return { moves: [], visited: 1 };
  for (;;) {
    const [here, there] = first.border.length <= last.border.length ? [first, last] : [last, first];
    const { border } = here;
    here.border = [];
    for (const cells of border) {
      const before = keyOf(cells);
      for (let move = 0; move < moves.length; move += 1) {
        const next = after(cells, moves[move] as BoardMove);
        const key = keyOf(next);
        if (here.met.has(key)) continue;
        here.met.set(key, { move, before });
        if (there.met.has(key)) {
          const back = trail(last, key).map((index) => inverse[index] as number);
          return {
            moves: [...trail(first, key), ...back.toReversed()],
            visited: first.met.size + last.met.size,
          };
        }
        here.border.push(next);
      }
    }
    if (here.border.length === 0 || here.met.size > mostVisited)
      return { moves: undefined, visited: first.met.size + last.met.size };
  }
}

/** The number of random moves from the sorted board, from and to. */
type Scramble = readonly [fewest: number, most: number];

/** A board after random moves from the sorted one, none of which takes back the one before, and the moves back. */
function scramble(
  rng: Rng,
  moves: readonly BoardMove[],
  inverse: readonly number[],
  [fewest, most]: Scramble,
): { cells: Board; undo: readonly number[] } {
  const sorted: Board = (moves[0]?.from ?? []).map((_from, place) => place + 1);
  for (;;) {
    let cells = sorted;
    const undo: number[] = [];
    for (let left = fewest + rng.int(most - fewest + 1); left > 0;) {
      const index = rng.int(moves.length);
      if (undo[0] === index) continue;
      cells = after(cells, moves[index] as BoardMove);
      undo.unshift(inverse[index] as number);
      left -= 1;
      if (isSorted(cells)) undo.length = 0;
    }
    if (undo.length > 0) return { cells, undo };
  }
}

/** Sorts a square board of numbers by moves that are always possible and rearrange its cells. */
export function defineRearrange<Name extends string>({
  name,
  summary,
  side,
  moves,
  rules,
  moveWords,
  levels,
  chance,
  variety,
}: {
  readonly name: Name;
  readonly summary: string;
  readonly side: number;
  /** Each move has its inverse in the list. */
  readonly moves: readonly BoardMove[];
  readonly rules: string;
  readonly moveWords: string;
  readonly levels: readonly Scramble[];
  readonly chance: (level: number) => number;
  readonly variety: (level: number) => number;
}) {
  const names = moves.map((move) => move.name);
  const indexOf = new Map(names.map((each, index) => [each, index]));
  const inverse = moves.map(({ from }) =>
    moves.findIndex((other) => other.from.every((place, index) => from[place] === index)),
  );
  const width = String(side * side).length;
  const draw = ({ board: cells }: { readonly board: Board }): string =>
    Array.from({ length: side }, (_, row) =>
      cells
        .slice(row * side, (row + 1) * side)
        .map((cell) => String(cell).padStart(width))
        .join(' '),
    ).join('\n');
  const play = (cells: Board, index: number): number[] => after(cells, moves[index] as BoardMove);
  const write = (answer: readonly number[]): string => answer.map((index) => names[index]).join(', ');
  return definePuzzle({
    name,
    category: 'sequential',
    summary,
    question,
    levels,
    generate: (rng, level) => {
      const { cells, undo } = scramble(rng, moves, inverse, level);
      return { question: { board: [...cells] }, solution: undo };
    },
    rules: `Sort the board: its rows, read from left to right and from top to bottom, must hold 1 to ${side * side} in order. ${rules}`,
    render: draw,
    answer: {
      format: `the moves in order with commas between them, such as "${names[0]}, ${names.at(-1)}". Any number of moves is right.`,
      write,
      read: (text) => {
        const read = text
          .toLowerCase()
          .split(/\s*[,;\n]\s*/)
          .map((each) => indexOf.get(each.replaceAll(/\s+/g, ' ')));
        return read.some((index) => index === undefined)
          ? undefined
          : read.filter((index) => index !== undefined);
      },
    },
    verify: ({ board: cells }, answer) => isSorted(answer.reduce<Board>(play, cells)),
    solve: ({ board: cells }) => {
      const found = shortest(cells, moves, inverse);
      return { answers: found.moves === undefined ? [] : [found.moves], effort: found.visited };
    },
    audit: {
      guess: (_given, rng) => Array.from({ length: levels[0]?.[1] ?? 1 }, () => rng.int(moves.length)),
      chance,
      mutants: (answer, _given, rng) => ({
        'the last move missing': answer.length > 1 ? answer.slice(0, -1) : undefined,
        'one more move': [...answer, rng.int(moves.length)],
        'the first move twice': [answer[0] as number, ...answer],
      }),
      equivalents: (answer) => ({
        'one move a line': write(answer).replaceAll(', ', '\n'),
        'upper case': write(answer).toUpperCase(),
        'a move and its inverse more': write([...answer, 0, inverse[0] as number]),
      }),
      variety,
    },
    moves: {
      rules: moveWords,
      state: question,
      start: (start) => start,
      render: draw,
      list: () => names,
      play: ({ board: cells }, move) => ({ board: play(cells, indexOf.get(move) ?? 0) }),
      isSolved: ({ board: cells }) => isSorted(cells),
      plan: (_question, answer) => answer.map((index) => names[index] as string),
      next: ({ board: cells }) => {
        const [index] = shortest(cells, moves, inverse).moves ?? [];
        return index === undefined ? undefined : names[index];
      },
      key: ({ board: cells }) => cells.join(' '),
      turnLimit: ([, most]) => 4 * most + 8,
      features: ({ board: cells }) => ({
        grid: boardOf(cells, side),
        fields: { home: cells.filter((cell, place) => cell === place + 1).length },
      }),
      // a move is the same on every board, so its own name is its kind
      target: (move) => ({ verb: move, cell: [0, 0] }),
    },
  });
}
