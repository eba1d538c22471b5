import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineEnv, type Env, type EnvHost, type Snapshots } from '../core/env.ts';
import { createRng } from '../core/rng.ts';
import { reward, type StepResult, type Turn } from '../core/step.ts';
import { assertTask, type PanelInfo, type TaskInfo, type TaskRef } from '../core/task.ts';
import type { Reply } from '../core/textual.ts';
import { boardOf, isDark, press, rowsOf, solve, type Board } from './lights-board.ts';

const id = 'lights-out-v1';
const instruction =
  'Put all lights out. Pressing a light turns it and its neighbours above, below, left and right, on or off.';

const configSchema = z.strictObject({
  size: z.int().min(3).max(7).default(5).describe('lights in a row, and rows of the board'),
});
const observationSchema = z.strictObject({
  /** One text a row, `#` for a light that is on. */
  board: z.array(z.string()),
});
const actionSchema = z.strictObject({
  /** Counted from 1. */
  row: z.int().min(1).max(7),
  column: z.int().min(1).max(7),
});
type Observation = z.output<typeof observationSchema>;
type Action = z.output<typeof actionSchema>;

const panels: readonly PanelInfo[] = [
  { name: 'train', size: 1_000, purpose: 'train', summary: 'Boards to learn on' },
  { name: 'dev', size: 100, purpose: 'dev', summary: 'Other boards, for every choice' },
  { name: 'unseen', size: 100, purpose: 'held-out', summary: 'Other boards again, run once at the end' },
];

/**
 * Lights Out: a board with nothing hidden, solved by linear algebra. It is for players, text agents and tests. The choice policy cannot learn
 * it: the board is no words, and what to press is a parity of many lights. From 32 demonstrations and 40 iterations of GiGPO it stays at chance
 * (3, 3 and 1 % of 3 by 3 boards on seeds 0 to 2; 0 % of 5 by 5), and so it does (1 %) where nine lights have names and a text lists those that are on.
 */
export const lightsOutEnv = defineEnv({
  id,
  summary:
    'Lights Out on a square board: put all lights out, nothing is hidden; the choice policy cannot learn it, for it reads words and not boards',
  config: configSchema,
  observation: observationSchema,
  action: actionSchema,
  deterministic: true,
  unchecked: {
    secrets: 'nothing is hidden',
    hidden: 'nothing is hidden',
    experts: 'nothing is hidden that the searcher could look at',
  },
  turnLimit: ({ size }) => 2 * size * size,
  text: {
    observation: ({ board }) => board.join('\n'),
    action: ({ row, column }) => `press row ${row} column ${column}`,
    parse: parseAction,
  },
  open: ({ size }) => Promise.resolve(new LightsHost(size)),
});

function parseAction(text: string): Reply<Action> {
  const [, row, column] = /^\s*press row ([1-7]) column ([1-7])\s*$/i.exec(text) ?? [];
  if (row !== undefined && column !== undefined)
    return { kind: 'action', action: { row: Number(row), column: Number(column) } };
  return { kind: 'malformed', why: 'An action reads "press row 1 column 2".', text };
}

class LightsHost implements EnvHost<Observation, Action> {
  readonly panels = panels;
  readonly #size: number;
  readonly experts = {
    planner: (task: TaskRef): readonly Action[] => pressesFor(this.#start(task)),
    searcher: () => ({
      act: ({ observation }: Turn<Observation, Action>): Action => {
        const [action] = pressesFor(boardOf(observation.board));
        return action ?? { row: 1, column: 1 };
      },
    }),
  };

  constructor(size: number) {
    this.#size = size;
  }

  describeTask(task: TaskRef): TaskInfo {
    const board = this.#start(task);
    const presses = pressesFor(board).length;
    const family = presses <= this.#size ? 'short' : presses <= 2 * this.#size ? 'medium' : 'long';
    return { family, instruction, content: { board: rowsOf(board) } };
  }

  create(): Promise<Env<Observation, Action>> {
    return Promise.resolve(new LightsOut((task) => this.#start(task)));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Boards are drawn until one falls into the panel's share of all boards, so that no two panels share one. */
  #start(task: TaskRef): Board {
    assertTask(this, id, task);
    const rng = createRng(0).fork(id).fork(this.#size).fork(task.panel).fork(task.index);
    for (let attempt = 0; ; attempt += 1) {
      const draw = rng.fork(attempt);
      const cells = Array.from({ length: this.#size ** 2 }, (_, cell) => cell);
      // few presses, or all but few, would give the same boards again and again
      const pressed = draw.shuffle(cells).slice(0, 3 + draw.int(cells.length - 5));
      const board = pressed.reduce(press, { size: this.#size, lit: cells.map(() => false) });
      if (!isDark(board) && panelOf(board) === task.panel) return board;
    }
  }
}

/** Eight in ten boards are for training, one for dev, one is unseen. */
function panelOf(board: Board): string {
  const share = (createHash('sha256').update(rowsOf(board).join('\n')).digest()[0] ?? 0) % 10;
  return share < 8 ? 'train' : share === 8 ? 'dev' : 'unseen';
}

const pressesFor = (board: Board): readonly Action[] =>
  (solve(board) ?? []).map((cell) => actionAt(board.size, cell));
const actionAt = (size: number, cell: number): Action => ({
  row: Math.floor(cell / size) + 1,
  column: (cell % size) + 1,
});

const savedSchema = z.strictObject({ board: z.array(z.string()) });

class LightsOut implements Env<Observation, Action> {
  readonly #start: (task: TaskRef) => Board;
  #board: Board = { size: 0, lit: [] };
  readonly snapshots: Snapshots<Observation, Action> = {
    take: () => ({ world: { board: rowsOf(this.#board) }, episode: {}, steps: 0 }),
    restore: ({ world }) => {
      this.#board = boardOf(savedSchema.parse(world).board);
      return this.#turn();
    },
  };

  constructor(start: (task: TaskRef) => Board) {
    this.#start = start;
  }

  async reset(task: TaskRef): Promise<Turn<Observation, Action> & { readonly instruction: string }> {
    this.#board = this.#start(task);
    return { ...this.#turn(), instruction };
  }

  async step({ row, column }: Action): Promise<StepResult<Observation, Action>> {
    const { size } = this.#board;
    const inadmissible = row > size || column > size;
    if (!inadmissible) this.#board = press(this.#board, (row - 1) * size + column - 1);
    const turn = this.#turn();
    if (!isDark(this.#board)) return { kind: 'ongoing', ...turn, reward: reward({}), inadmissible };
    const { observation, stateKey } = turn;
    return {
      kind: 'terminated',
      outcome: 'solved',
      observation,
      stateKey,
      reward: reward({ solved: 1 }),
      inadmissible,
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #turn(): Turn<Observation, Action> {
    const board = [...rowsOf(this.#board)];
    const key = board.join('/');
    const admissible = this.#board.lit.map((_, cell) => actionAt(this.#board.size, cell));
    return {
      observation: { board },
      stateKey: key,
      anchorKey: key,
      admissible,
      stepsLeft: undefined,
      seat: 0,
    };
  }
}
