import { createRng, defineTextEnv, type Rng } from 'cairn-gym/envs';

const ways: Readonly<Record<string, readonly [number, number]>> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
};

/** A maze without loops in 9 by 9 cells, carved at random. The player starts in one room, and the exit is in another. */
function carve(rng: Rng): { readonly rows: readonly string[]; readonly at: readonly [number, number] } {
  const cells = Array.from({ length: 9 }, () => Array.from({ length: 9 }, () => '#'));
  const rooms: (readonly [number, number])[] = [];
  const visit = (row: number, column: number): void => {
    (cells[row] as string[])[column] = '.';
    rooms.push([row, column]);
    for (const [down, right] of rng.shuffle(Object.values(ways))) {
      if (cells[row + 2 * down]?.[column + 2 * right] !== '#') continue;
      (cells[row + down] as string[])[column + right] = '.';
      visit(row + 2 * down, column + 2 * right);
    }
  };
  visit(1, 1);
  const [at = [1, 1], exit = [7, 7]] = rng.shuffle(rooms);
  (cells[exit[0]] as string[])[exit[1]] = 'X';
  return { rows: cells.map((row) => row.join('')), at };
}

/** With `walls` the policy gets the lengths of paths around them. Without, it gets distances that ignore them. */
const mazeOf = (id: `my-lab/${string}-v1`, walls: readonly string[] | undefined) =>
  defineTextEnv({
    id,
    summary: 'Walk to the exit of a maze that is seen from above',
    turnLimit: 60,
    panels: { train: 2000, dev: 100, unseen: 200 },
    task: ({ panel, index }) => ({
      instruction: 'Walk to the exit.',
      start: carve(createRng(0).fork(panel).fork(index)),
    }),
    observe: ({ rows, at }) =>
      rows
        .map((row, index) => (index === at[0] ? `${row.slice(0, at[1])}@${row.slice(at[1] + 1)}` : row))
        .join('\n'),
    actions: ({ rows, at }) =>
      Object.entries(ways)
        .filter(([, [down, right]]) => rows[at[0] + down]?.[at[1] + right] !== '#')
        .map(([way]) => way),
    step: ({ rows, at }, action) => {
      const [down = 0, right = 0] = ways[action] ?? [];
      const next = [at[0] + down, at[1] + right] as const;
      const state = { rows, at: next };
      return rows[next[0]]?.[next[1]] === 'X' ? { state, outcome: 'solved', reward: { exit: 1 } } : { state };
    },
    features: (observation) => {
      const rows = observation.split('\n');
      const row = rows.findIndex((cells) => cells.includes('@'));
      const focus = [row, rows[row]?.indexOf('@') ?? 0] as const;
      return { grid: { rows, focus, ...(walls === undefined ? {} : { walls }) } };
    },
    target: (action) => ({ verb: 'go', direction: ways[action] ?? [0, 0] }),
  });

const digits = ['1', '2', '3', '4'];

/** A full 4 by 4 sudoku: the rows, columns, digits of one are shuffled within their bands. */
function fullBoard(rng: Rng): readonly string[] {
  const names = rng.shuffle(digits);
  const order = (): readonly number[] =>
    rng.shuffle([0, 1]).flatMap((band) => rng.shuffle([0, 1]).map((it) => 2 * band + it));
  const [rows, columns] = [order(), order()];
  return rows.map((row) =>
    columns.map((column) => names[(2 * (row % 2) + Math.floor(row / 2) + column) % 4] ?? '').join(''),
  );
}

/** Whether a digit stands already in the row, the column or the block of a cell. */
function conflicts(rows: readonly string[], digit: string, row: number, column: number): boolean {
  return rows.some((cells, at) =>
    Array.from(cells).some(
      (cell, across) =>
        cell === digit &&
        (at === row || across === column || (at >> 1 === row >> 1 && across >> 1 === column >> 1)),
    ),
  );
}

interface OpenCell {
  readonly row: number;
  readonly column: number;
  readonly fitting: readonly string[];
}

/** The empty cells with the digits that fit, those with the fewest first. */
function openCells(rows: readonly string[]): readonly OpenCell[] {
  return rows
    .flatMap((cells, row) =>
      Array.from(cells).flatMap((cell, column) =>
        cell === '.'
          ? [{ row, column, fitting: digits.filter((digit) => !conflicts(rows, digit, row, column)) }]
          : [],
      ),
    )
    .toSorted((a, b) => a.fitting.length - b.fitting.length);
}

const withDigit = (rows: readonly string[], { row, column }: OpenCell, digit: string): readonly string[] =>
  rows.map((cells, at) =>
    at === row ? `${cells.slice(0, column)}${digit}${cells.slice(column + 1)}` : cells,
  );

/** A full board, found by trying; undefined where there is none. */
function solveBoard(rows: readonly string[]): readonly string[] | undefined {
  const [open] = openCells(rows);
  if (open === undefined) return rows;
  for (const digit of open.fitting) {
    const full = solveBoard(withDigit(rows, open, digit));
    if (full !== undefined) return full;
  }
  return undefined;
}

const sudoku = defineTextEnv({
  id: 'my-lab/sudoku4-v1',
  summary: 'Fill a 4 by 4 sudoku cell by cell; a digit that does not fit ends the episode',
  turnLimit: 16,
  panels: { train: 2000, dev: 100, unseen: 200 },
  task: ({ panel, index }) => {
    const rng = createRng(0).fork(panel).fork(index);
    const full = fullBoard(rng);
    const hidden = new Set(rng.shuffle(Array.from({ length: 16 }, (_, cell) => cell)).slice(0, 10));
    return {
      instruction: 'Fill the board: each digit once in every row, column and block.',
      start: full.map((row, at) =>
        Array.from(row, (digit, column) => (hidden.has(4 * at + column) ? '.' : digit)).join(''),
      ),
    };
  },
  observe: (rows) => rows.join('\n'),
  actions: (rows) =>
    rows.flatMap((row, at) =>
      Array.from(row).flatMap((cell, column) =>
        cell === '.' ? digits.map((digit) => `put ${digit} in ${at + 1} ${column + 1}`) : [],
      ),
    ),
  step: (rows, action) => {
    const { value, cell } = placement(action);
    const [row, column] = cell;
    const state = rows.map((cells, at) =>
      at === row ? `${cells.slice(0, column)}${value}${cells.slice(column + 1)}` : cells,
    );
    if (conflicts(rows, value, row, column)) return { state: rows, outcome: 'failed' };
    return state.join('').includes('.') ? { state } : { state, outcome: 'solved', reward: { full: 1 } };
  },
  features: (observation) => ({ grid: { rows: observation.split('\n'), block: [2, 2] } }),
  target: placement,
  experts: {
    // the digit of a full board, in the cell where the fewest digits fit
    searcher: () => ({
      act: ({ observation }) => {
        const rows = observation.split('\n');
        const [open] = openCells(rows);
        const full = open === undefined ? undefined : solveBoard(rows);
        if (open === undefined || full === undefined) return 'put 1 in 1 1';
        return `put ${full[open.row]?.[open.column]} in ${open.row + 1} ${open.column + 1}`;
      },
    }),
  },
  unchecked: {
    secrets: 'nothing is hidden',
    hidden: 'nothing is hidden',
    experts: 'nothing is hidden that the searcher could look at',
  },
});

function placement(action: string): { value: string; cell: readonly [number, number] } {
  const [, value = '', row = 0, column = 0] = /^put (\d) in (\d) (\d)$/.exec(action) ?? [];
  return { value, cell: [Number(row) - 1, Number(column) - 1] };
}

/** The lowest number of a task ends in one of these digits, so that no two panels share a task. */
const lastDigits: Readonly<Record<string, readonly number[]>> = {
  train: [0, 1, 2, 3, 4, 5, 6, 7],
  dev: [8],
  unseen: [9],
};

const number = defineTextEnv({
  id: 'my-lab/number-v1',
  summary: 'Guess one of 60 numbers; each answer says whether it is higher or lower',
  turnLimit: 6,
  panels: { train: 2000, dev: 100, unseen: 200 },
  task: ({ panel, index }) => {
    const rng = createRng(0).fork(panel).fork(index);
    const low = 10 * rng.int(90) + rng.pick(lastDigits[panel] ?? [0]);
    return { instruction: 'Guess the number.', start: { secret: low + rng.int(60), low, high: low + 59 } };
  },
  observe: ({ low, high }) => `It is from ${low} to ${high}.`,
  information: ({ low, high }) => ({ low, high }),
  actions: ({ low, high }) => Array.from({ length: high - low + 1 }, (_, at) => `guess ${low + at}`),
  step: ({ secret, low, high }, action) => {
    const guess = Number(action.slice('guess '.length));
    if (guess === secret) return { state: { secret, low, high }, outcome: 'solved', reward: { found: 1 } };
    return { state: guess < secret ? { secret, low: guess + 1, high } : { secret, low, high: guess - 1 } };
  },
  features: (observation) => {
    const [, low = 0, high = 0] = /from (\d+) to (\d+)/.exec(observation) ?? [];
    return { fields: { low: Number(low), high: Number(high) } };
  },
  target: (action) => ({ verb: 'guess', fields: { number: Number(action.slice('guess '.length)) } }),
  unchecked: { secrets: 'a number is no secret text' },
});

export const environments = [
  mazeOf('my-lab/walled-maze-v1', ['#']),
  mazeOf('my-lab/open-maze-v1', undefined),
  sudoku,
  number,
];
