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

/** With `hints` the encoder may walk around walls; without, it measures distances as if there were none. */
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
  unchecked: { secrets: 'nothing is hidden', hidden: 'nothing is hidden' },
});

function placement(action: string): { value: string; cell: readonly [number, number] } {
  const [, value = '', row = 0, column = 0] = /^put (\d) in (\d) (\d)$/.exec(action) ?? [];
  return { value, cell: [Number(row) - 1, Number(column) - 1] };
}

const number = defineTextEnv({
  id: 'my-lab/number-v1',
  summary: 'Guess a number from 1 to 60; each answer says whether it is higher or lower',
  turnLimit: 6,
  panels: { train: 2000, dev: 100, unseen: 200 },
  task: ({ panel, index }) => ({
    instruction: 'Guess the number.',
    start: { secret: 1 + createRng(0).fork(panel).fork(index).int(60), low: 1, high: 60 },
  }),
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
