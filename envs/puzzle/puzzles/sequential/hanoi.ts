import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';

const pegNames = ['A', 'B', 'C'] as const;
const peg = z.array(z.int().min(1).max(9));
const towers = z.array(peg).length(3);
type Towers = readonly (readonly number[])[];

/** `A>C`: the move of the top disk of A to C. */
interface Move {
  readonly from: number;
  readonly to: number;
}

const allMoves: readonly Move[] = [0, 1, 2].flatMap((from) =>
  [0, 1, 2].filter((to) => to !== from).map((to) => ({ from, to })),
);
const nameOf = ({ from, to }: Move): string => `${pegNames[from]}>${pegNames[to]}`;
const moveOf = new Map(allMoves.map((move) => [nameOf(move), move]));

/** The pegs with the smallest disk on top, the last one of each list. Undefined for a move that the rules forbid. */
function after(pegs: Towers, { from, to }: Move): number[][] | undefined {
  const [disk, onto] = [pegs[from]?.at(-1), pegs[to]?.at(-1)];
  if (disk === undefined || (onto !== undefined && onto < disk)) return undefined;
  return pegs.map((disks, at) =>
    at === from ? disks.slice(0, -1) : at === to ? [...disks, disk] : [...disks],
  );
}

/** Equal towers have equal codes: the peg of each disk, as a number of base 3. */
function codeOf(pegs: Towers): number {
  let code = 0;
  for (let at = 1; at < 3; at += 1) for (const disk of pegs[at] ?? []) code += at * 3 ** (disk - 1);
  return code;
}

function towersOf(code: number, disks: number): number[][] {
  const pegs: number[][] = [[], [], []];
  for (let disk = disks; disk >= 1; disk -= 1) pegs[Math.floor(code / 3 ** (disk - 1)) % 3]?.push(disk);
  return pegs;
}

const disksOf = (pegs: Towers): number => pegs.reduce((sum, disks) => sum + disks.length, 0);

/** The code after a move of a code; -1 for a move that the rules forbid. */
function step(code: number, disks: number, { from, to }: Move): number {
  for (let disk = 0, power = 1; disk < disks; disk += 1, power *= 3) {
    const at = Math.floor(code / power) % 3;
    if (at === to) return -1;
    if (at === from) return code + (to - from) * power;
  }
  return -1;
}

/** A shortest list of moves, by a search from the goal that meets each tower once. */
function shortest(
  start: Towers,
  goal: Towers,
): { readonly moves: readonly Move[]; readonly visited: number } {
  const disks = disksOf(start);
  const [first, last] = [codeOf(start), codeOf(goal)];
  const back = new Int8Array(3 ** disks).fill(-1); // the move towards the goal
  const queue = [last];
  back[last] = 6;
  for (let head = 0; head < queue.length && back[first] === -1; head += 1) {
    const code = queue[head] as number;
    for (const move of allMoves) {
      const before = step(code, disks, move);
      if (before < 0 || back[before] !== -1) continue;
      back[before] = allMoves.findIndex(({ from, to }) => from === move.to && to === move.from);
      queue.push(before);
    }
  }
  const moves: Move[] = [];
  for (let code = first; code !== last;) {
    const move = allMoves[back[code] as number] as Move;
    moves.push(move);
    code = step(code, disks, move);
  }
  return { moves, visited: queue.length };
}

const draw = (pegs: Towers): string =>
  pegs.map((disks, at) => `${pegNames[at]}: ${disks.length === 0 ? 'empty' : disks.join(' ')}`).join('\n');
const drawBoth = ({ pegs, goal }: { readonly pegs: Towers; readonly goal: Towers }): string =>
  `Now:\n${draw(pegs)}\nGoal:\n${draw(goal)}`;
const question = z.strictObject({ pegs: towers, goal: towers });

export const hanoi = definePuzzle({
  name: 'hanoi',
  category: 'sequential',
  summary: 'Tower of Hanoi from any arrangement to any other',
  question,
  levels: [3, 4, 5, 6],
  generate: (rng, disks) => {
    const [from, shift] = [rng.int(3 ** disks), 1 + rng.int(3 ** disks - 1)];
    const [pegs, goal] = [towersOf(from, disks), towersOf((from + shift) % 3 ** disks, disks)];
    return { question: { pegs, goal }, solution: shortest(pegs, goal).moves };
  },
  rules:
    'Three pegs A, B and C hold disks, and a larger number is a larger disk. Each peg lists its disks from the bottom to the top. Move the top disk of one peg to another, but never onto a smaller disk, until the disks lie as in the goal.',
  render: drawBoth,
  answer: {
    format:
      'the moves in order, such as A>C for a move from A to C, with blanks between them. Any number of moves is right.',
    write: (moves) => moves.map(nameOf).join(' '),
    read: (text) => {
      const joined = text.replaceAll(/\s*(?:->|>)\s*/g, '>');
      const moves = joined.split(/[\s,;]+/).map((name) => moveOf.get(name.toUpperCase()));
      return moves.some((move) => move === undefined)
        ? undefined
        : moves.filter((move) => move !== undefined);
    },
  },
  verify: ({ pegs, goal }, moves) => {
    const disks = disksOf(pegs);
    let code = codeOf(pegs);
    for (const move of moves) {
      code = step(code, disks, move);
      if (code < 0) return false;
    }
    return code === codeOf(goal);
  },
  solve: ({ pegs, goal }) => {
    const { moves, visited } = shortest(pegs, goal);
    return { answers: [moves], effort: visited };
  },
  audit: {
    guess: ({ pegs }, rng) => Array.from({ length: 2 ** disksOf(pegs) - 1 }, () => rng.pick(allMoves)),
    chance: 0.01,
    mutants: (moves, _question, rng) => ({
      'the last move missing': moves.length > 1 ? moves.slice(0, -1) : undefined,
      'one move twice': [...moves, moves.at(-1) as Move],
      'one more move': [...moves, rng.pick(allMoves)],
    }),
    equivalents: (moves) => ({
      'commas between moves': moves.map(nameOf).join(', '),
      'one move a line': moves.map(nameOf).join('\n'),
      'lower case': moves.map(nameOf).join(' ').toLowerCase(),
    }),
    variety: (level) => 3 ** (level + 2) * (3 ** (level + 2) - 1),
  },
  moves: {
    rules: 'A move is written A>C: the top disk of peg A goes to peg C.',
    state: question,
    start: (start) => start,
    render: drawBoth,
    list: ({ pegs }) => allMoves.filter((move) => after(pegs, move) !== undefined).map(nameOf),
    play: (state, name) => ({ ...state, pegs: after(state.pegs, moveOf.get(name) as Move) ?? state.pegs }),
    isSolved: ({ pegs, goal }) => codeOf(pegs) === codeOf(goal),
    plan: (_question, solution) => solution.map(nameOf),
    next: ({ pegs, goal }) => shortest(pegs, goal).moves.map(nameOf)[0],
    turnLimit: (disks) => 2 ** (disks + 1),
    // a row for each disk, the largest first: its peg, and the peg that it must go to
    features: ({ pegs, goal }) => {
      const rows: string[] = [];
      const pegOf = (towers: Towers, disk: number): string =>
        pegNames[towers.findIndex((disks) => disks.includes(disk))] ?? '';
      for (let disk = disksOf(pegs); disk >= 1; disk -= 1) rows.push(pegOf(pegs, disk) + pegOf(goal, disk));
      return { grid: { rows } };
    },
    target: (move) => ({ verb: move, cell: [0, 0] }),
  },
});
