import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

/** `X`, `O` or `.`; a whole row, column or diagonal of one player wins. */
const question = z.strictObject({
  rows: z
    .array(z.string().regex(/^[XO.]{3,4}$/))
    .min(3)
    .max(4),
  turn: z.enum(['X', 'O']),
});
interface Position {
  readonly rows: readonly string[];
  readonly turn: 'X' | 'O';
}

function linesOf(side: number): number[] {
  const places = Array.from({ length: side }, (_, at) => at);
  const bits = (of: (at: number) => number): number => places.reduce((set, at) => set | (1 << of(at)), 0);
  return [
    ...places.map((row) => bits((at) => row * side + at)),
    ...places.map((column) => bits((at) => at * side + column)),
    bits((at) => at * side + at),
    bits((at) => at * side + side - 1 - at),
  ];
}

const lines: Readonly<Record<number, readonly number[]>> = { 3: linesOf(3), 4: linesOf(4) };

/** The stones of the player to move and of the other one, as bits by place. */
interface Board {
  readonly side: number;
  readonly own: number;
  readonly other: number;
}

function boardOf({ rows, turn }: Position): Board {
  let [own, other] = [0, 0];
  for (const [place, mark] of rows.join('').split('').entries()) {
    if (mark === turn) own |= 1 << place;
    else if (mark !== '.') other |= 1 << place;
  }
  return { side: rows.length, own, other };
}

const hasWon = (side: number, stones: number): boolean =>
  (lines[side] ?? []).some((line) => (stones & line) === line);

/** 1 where the player to move wins with best play, 0 for a draw, and -1 where the other one wins. */
function valueOf(side: number, own: number, other: number, visited: Map<number, number>): number {
  if (hasWon(side, other)) return -1;
  const key = own * 65_536 + other;
  const known = visited.get(key);
  if (known !== undefined) return known;
  let best = -2;
  for (let free = ((1 << (side * side)) - 1) & ~(own | other); free !== 0 && best < 1; free &= free - 1)
    best = Math.max(best, -valueOf(side, other, own | (free & -free), visited));
  const value = best === -2 ? 0 : best;
  visited.set(key, value);
  return value;
}

/** The places of all best moves, and the number of positions that the search visited. */
function bestMoves({ side, own, other }: Board): { best: number[]; visited: number } {
  const visited = new Map<number, number>();
  let [best, value]: [number[], number] = [[], -2];
  for (let place = 0; place < side * side; place += 1) {
    if (((own | other) >> place) & 1) continue;
    const here = -valueOf(side, other, own | (1 << place), visited);
    if (here > value) [best, value] = [[], here];
    if (here === value) best.push(place);
  }
  return { best, visited: visited.size };
}

const remembered = new WeakMap<Position, readonly number[]>();
function bestOf(position: Position): readonly number[] {
  const known = remembered.get(position) ?? bestMoves(boardOf(position)).best;
  remembered.set(position, known);
  return known;
}

/** A position without a winner and with a number of free places. */
function draw(rng: Rng, side: number, free: number): Position | undefined {
  const order = rng.shuffle(Array.from({ length: side * side }, (_, place) => place));
  const stones = side * side - free;
  const marks = Array.from({ length: side * side }, () => '.');
  const players = rng.shuffle(['X', 'O'] as const);
  for (const [at, place] of order.slice(0, stones).entries()) marks[place] = players[at % 2] as string;
  const rows = Array.from({ length: side }, (_, row) => marks.slice(row * side, (row + 1) * side).join(''));
  const position: Position = { rows, turn: players[stones % 2] ?? 'X' };
  const { own, other } = boardOf(position);
  return hasWon(side, own) || hasWon(side, other) ? undefined : position;
}

const name = (place: number, { rows }: Position): string =>
  `row ${Math.floor(place / rows.length) + 1} column ${(place % rows.length) + 1}`;

export const ticTacToe = definePuzzle({
  name: 'tic-tac-toe',
  category: 'search',
  summary: 'Tic-tac-toe: the best move, by exact search',
  question,
  levels: [
    { side: 3, free: [3, 4] },
    { side: 3, free: [5, 6] },
    { side: 4, free: [5, 6] },
    { side: 4, free: [7, 8] },
  ],
  generate: (rng, { side, free }) => {
    for (;;) {
      const position = draw(rng, side, rng.pick(free));
      if (position === undefined) continue;
      const { best } = bestMoves(boardOf(position));
      if (best.length === 1)
        return { question: { rows: [...position.rows], turn: position.turn }, solution: best[0] as number };
    }
  },
  rules:
    'Two players, X and O, put their marks on free cells in turn. Who first fills a whole row, column or diagonal wins. Find the best move: it wins if a move can win against every defence, and else it holds the draw if a move can. Exactly one move is best.',
  render: ({ rows, turn }) => `${rows.map((row) => row.split('').join(' ')).join('\n')}\n${turn} moves.`,
  answer: {
    format: 'the cell, such as "row 1 column 3". Rows are counted from the top and columns from the left.',
    write: (place, position) => name(place, position),
    read: (text, { rows }) => {
      const [, row = '0', column = '0'] = /^(?:row\s+)?(\d)\s*,?\s*(?:column\s+|\s)(\d)$/i.exec(text) ?? [];
      const [down, right] = [Number(row), Number(column)];
      return down >= 1 && right >= 1 && down <= rows.length && right <= rows.length
        ? (down - 1) * rows.length + right - 1
        : undefined;
    },
  },
  verify: (position, place) => bestOf(position).includes(place),
  unique: true,
  solve: (position) => {
    const { best, visited } = bestMoves(boardOf(position));
    return { answers: best.slice(0, 2), effort: visited };
  },
  audit: {
    guess: ({ rows }, rng) => {
      const free = rows
        .join('')
        .split('')
        .flatMap((mark, place) => (mark === '.' ? [place] : []));
      return rng.pick(free);
    },
    chance: (level) => [1 / 3, 1 / 5, 1 / 5, 1 / 7][level - 1] ?? 0,
    mutants: (best, { rows }, rng) => {
      const marks = rows.join('').split('');
      const free = marks.flatMap((mark, place) => (mark === '.' && place !== best ? [place] : []));
      return {
        'another free cell': free.length === 0 ? undefined : rng.pick(free),
        'a cell that is not free': marks.findIndex((mark) => mark !== '.'),
      };
    },
    equivalents: (best, { rows }) => {
      const [row, column] = [Math.floor(best / rows.length) + 1, (best % rows.length) + 1];
      return {
        'two numbers': `${row} ${column}`,
        'with a comma': `${row}, ${column}`,
        capitals: `ROW ${row} COLUMN ${column}`,
      };
    },
    variety: (level) => [1_200, 500, 50_000, 200_000][level - 1] ?? 1,
  },
});
