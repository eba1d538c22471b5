import { z } from 'zod';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import type { Rng } from '../core/rng.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';

interface Field {
  /** `*` is a mine and `.` is none; the rows follow each other. */
  readonly mines: string;
  /** `#` is covered, a digit is the number of mines around, and `*` is the mine that went off. */
  readonly shown: string;
}

/** The sizes of the boards by level: rows, columns and mines. The last is the beginner's board of the original. */
const levels = {
  small: { rows: 5, columns: 5, mines: 4 },
  medium: { rows: 6, columns: 6, mines: 6 },
  beginner: { rows: 9, columns: 9, mines: 10 },
} as const;

const config = z.strictObject({
  level: z
    .enum(['small', 'medium', 'beginner'])
    .default('small')
    .describe('5 by 5 with 4 mines, 6 by 6 with 6, or 9 by 9 with 10'),
});
type Level = z.output<typeof config>['level'];

/** The cells around each cell, by level. */
const around: Readonly<Record<Level, readonly (readonly number[])[]>> = {
  small: neighboursOf(levels.small),
  medium: neighboursOf(levels.medium),
  beginner: neighboursOf(levels.beginner),
};

function neighboursOf({ rows, columns }: { readonly rows: number; readonly columns: number }): number[][] {
  return Array.from({ length: rows * columns }, (_, cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const near: number[] = [];
    for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, rows - 1); y += 1)
      for (let x = Math.max(column - 1, 0); x <= Math.min(column + 1, columns - 1); x += 1)
        if (y !== row || x !== column) near.push(y * columns + x);
    return near;
  });
}

/** Uncovers a cell, and around a cell without mines near it all cells. */
function uncovered({ mines, shown }: Field, cell: number, near: readonly (readonly number[])[]): string {
  const board = shown.split('');
  const queue = [cell];
  for (const at of queue) {
    if (board[at] !== '#') continue;
    const count = (near[at] ?? []).filter((one) => mines[one] === '*').length;
    board[at] = mines[at] === '*' ? '*' : String(count);
    if (count === 0 && mines[at] !== '*') queue.push(...(near[at] ?? []));
  }
  return board.join('');
}

/** A board with its first cell uncovered. As in the original, the first cell is safe; here it has no mine near it either. */
function draw(rng: Rng, level: Level): Field {
  const { rows, columns, mines: count } = levels[level];
  const near = around[level];
  const first = rng.int(rows * columns);
  const safe = new Set([first, ...(near[first] ?? [])]);
  const free = Array.from({ length: rows * columns }, (_, cell) => cell).filter((cell) => !safe.has(cell));
  const mined = new Set(rng.shuffle(free).slice(0, count));
  const mines = Array.from({ length: rows * columns }, (_, cell) => (mined.has(cell) ? '*' : '.')).join('');
  return { mines, shown: uncovered({ mines, shown: '#'.repeat(rows * columns) }, first, near) };
}

const rowsOf = (board: string, columns: number): string[] =>
  Array.from({ length: board.length / columns }, (_, row) => board.slice(row * columns, (row + 1) * columns));

const isCleared = ({ mines, shown }: Field): boolean => {
  for (let cell = 0; cell < mines.length; cell += 1)
    if (shown[cell] === '#' && mines[cell] === '.') return false;
  return true;
};

const nameOf = (cell: number, columns: number): string =>
  `uncover row ${Math.floor(cell / columns) + 1} column ${(cell % columns) + 1}`;

const actionNames: Readonly<Record<Level, readonly string[]>> = {
  small: namesOf('small'),
  medium: namesOf('medium'),
  beginner: namesOf('beginner'),
};

function namesOf(level: Level): string[] {
  const { rows, columns } = levels[level];
  return Array.from({ length: rows * columns }, (_, cell) => nameOf(cell, columns));
}

function cellOf(action: string): readonly [row: number, column: number] {
  const [, row = 1, column = 1] = /row (\d+) column (\d+)/.exec(action) ?? [];
  return [Number(row) - 1, Number(column) - 1];
}

/**
 * How likely each covered cell is a mine, by what can be inferred: single numbers and pairs of numbers whose cells include each other.
 * Where neither decides, it is the largest share of mines around a number near the cell.
 */
function dangers(shown: string, near: readonly (readonly number[])[], total: number): Map<number, number> {
  const known = new Map<number, boolean>(); // whether a cell is a mine
  const rulesOf = (): { readonly cells: readonly number[]; readonly mines: number }[] =>
    shown.split('').flatMap((mark, at) => {
      if (!/\d/.test(mark)) return [];
      const covered = (near[at] ?? []).filter((cell) => shown[cell] === '#');
      const mines = Number(mark) - covered.filter((cell) => known.get(cell) === true).length;
      const cells = covered.filter((cell) => !known.has(cell));
      return cells.length === 0 ? [] : [{ cells, mines }];
    });
  for (let before = -1; before !== known.size;) {
    before = known.size;
    const rules = rulesOf();
    for (const one of rules)
      for (const other of rules) {
        if (one !== other && !one.cells.every((cell) => other.cells.includes(cell))) continue;
        const rest = one === other ? one.cells : other.cells.filter((cell) => !one.cells.includes(cell));
        const mines = one === other ? one.mines : other.mines - one.mines;
        if (mines === 0) for (const cell of rest) known.set(cell, false);
        else if (mines === rest.length) for (const cell of rest) known.set(cell, true);
      }
  }
  const covered = shown.split('').flatMap((mark, cell) => (mark === '#' ? [cell] : []));
  const found = [...known.values()].filter(Boolean).length;
  const anywhere = (total - found) / Math.max(covered.length - known.size, 1);
  const result = new Map(covered.map((cell) => [cell, anywhere]));
  for (const { cells, mines } of rulesOf()) {
    const share = mines / cells.length;
    for (const cell of cells)
      result.set(cell, Math.max(share, result.get(cell) === anywhere ? 0 : (result.get(cell) ?? 0)));
  }
  for (const [cell, isMine] of known) result.set(cell, isMine ? 1 : 0);
  return result;
}

/**
 * Minesweeper: uncover every cell without a mine. The first cell is uncovered at the start, and no mine is near it. Flags change nothing
 * and are left out. A cleared board pays 1.
 */
export const minesweeperEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-minesweeper-v1',
    config,
    instruction: ({ level }) =>
      `Uncover every cell without a mine. There are ${levels[level].mines} mines. A digit is the number of mines in the eight cells around it, and # is a covered cell.`,
    draw: (rng, { level }): Field => draw(rng, level),
  }),
  summary: 'Minesweeper with a safe first cell',
  turnLimit: ({ level }) => levels[level].rows * levels[level].columns,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'hidden-information']),
  unchecked: { secrets: 'a mine is a place on the board, which has no text of its own' },
  observe: ({ shown }, { level }) => rowsOf(shown, levels[level].columns).join('\n'),
  actions: ({ shown }, { level }) => actionNames[level].filter((_name, cell) => shown[cell] === '#'),
  step: ({ mines, shown }, action, _context, { level }) => {
    const [row, column] = cellOf(action);
    const cell = row * levels[level].columns + column;
    const state = { mines, shown: uncovered({ mines, shown }, cell, around[level]) };
    if (mines[cell] === '*') return { state, outcome: 'failed' };
    return isCleared(state) ? { state, outcome: 'solved', reward: { solved: 1 } } : { state };
  },
  information: ({ shown }) => shown,
  features: (observation) => ({ grid: { rows: observation.split('\n') } }),
  target: (action) => ({ verb: 'uncover', cell: cellOf(action) }),
  experts: {
    planner: ({ mines, shown }, { level }) => {
      const plan: string[] = [];
      let board = shown;
      for (let cell = 0; cell < mines.length; cell += 1) {
        if (board[cell] !== '#' || mines[cell] === '*') continue;
        plan.push(nameOf(cell, levels[level].columns));
        board = uncovered({ mines, shown: board }, cell, around[level]);
      }
      return plan;
    },
    searcher: (rng, { level }) => ({
      act: ({ observation }) => {
        const chances = dangers(observation.replaceAll('\n', ''), around[level], levels[level].mines);
        const least = Math.min(...chances.values());
        const cells = [...chances].filter(([, chance]) => chance === least).map(([cell]) => cell);
        return nameOf(rng.pick(cells), levels[level].columns);
      },
    }),
  },
  audit: { swapHidden: swapFarMine },
});

/** Moves a mine that no shown number counts to another such cell. Numbers that an action uncovers near either cell reveal it. */
function swapFarMine(
  { mines, shown }: Field,
  rng: Rng,
  { level }: { readonly level: Level },
): { readonly state: Field; reveals(action: string): boolean } | undefined {
  const near = around[level];
  const unseen = mines
    .split('')
    .map((_mark, cell) => cell)
    .filter((cell) => shown[cell] === '#' && (near[cell] ?? []).every((one) => shown[one] === '#'));
  const [full, empty] = ['*', '.'].map((mark) => unseen.filter((cell) => mines[cell] === mark));
  if (full === undefined || empty === undefined || full.length === 0 || empty.length === 0) return undefined;
  const [from, to] = [rng.pick(full), rng.pick(empty)];
  const moved = mines.split('').with(from, '.').with(to, '*').join('');
  const touched = new Set([from, to, ...(near[from] ?? []), ...(near[to] ?? [])]);
  /** Whether uncovering a cell of a covered board shows a cell whose number or mine differs. */
  const shows = (board: string, cell: number): boolean =>
    uncovered({ mines: board, shown: '#'.repeat(board.length) }, cell, near)
      .split('')
      .some((mark, one) => mark !== '#' && touched.has(one));
  return {
    state: { mines: moved, shown },
    reveals: (action) => {
      const [row, column] = cellOf(action);
      const cell = row * levels[level].columns + column;
      return shows(mines, cell) || shows(moved, cell);
    },
  };
}
