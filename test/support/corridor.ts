import { z } from 'zod';
import { defineEnv, type Env, type EnvHost } from '../../envs/core/env.ts';
import type { Context } from '../../envs/core/context.ts';
import { reward, type Opening, type StepResult, type Turn } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Textual } from '../../envs/core/textual.ts';

/** Where one stands in a corridor of rooms 0 to `last`; the goal is room `last`. */
export interface CorridorView {
  readonly at: number;
  readonly last: number;
}

export type CorridorMove = 'left' | 'right' | 'wait';

export const corridorConfig = z.strictObject({
  /** Chance that a move slips and does nothing. */
  slip: z.number().min(0).max(1).default(0.3),
  /** Each call takes a random real time up to so long. It must change no result. */
  delayMs: z.number().nonnegative().default(0),
  turns: z.int().positive().default(30),
});

export type CorridorConfig = z.output<typeof corridorConfig>;

export const corridorText: Textual<CorridorView, CorridorMove> = {
  observation: ({ at, last }) => `You stand in room ${at} of ${last}.`,
  action: (move) => `go ${move}`,
  parse: (text) => {
    const move = /^go (left|right|wait)$/.exec(text)?.[1] as CorridorMove | undefined;
    return move === undefined
      ? { kind: 'malformed', why: `"${text}" is no move`, text }
      : { kind: 'action', action: move };
  },
};

/** A toy with luck, real delays, admissible actions and moves that cannot be done: `left` in room 0. */
export const corridor = defineEnv({
  id: 'corridor-v1',
  summary: 'Walk to the last room of a slippery corridor.',
  config: corridorConfig,
  observation: z.strictObject({ at: z.number(), last: z.number() }),
  action: z.enum(['left', 'right', 'wait']),
  deterministic: false,
  text: corridorText,
  turnLimit: ({ turns }) => turns,
  open: async (config) => openCorridor(config),
});

/** The host without guards and limits. */
export function openCorridor(config: CorridorConfig): EnvHost<CorridorView, CorridorMove> {
  return {
    panels: [{ name: 'train', size: 100, purpose: 'train', summary: 'corridors of 3 to 6 rooms' }],
    describeTask: (task) => ({
      family: `rooms-${lastRoom(task)}`,
      instruction: instructionOf(task),
      content: { last: lastRoom(task), index: task.index },
    }),
    create: async () => new Corridor(config),
    close: async () => undefined,
    experts: {
      planner: (task) => Array.from({ length: lastRoom(task) - 1 }, (): CorridorMove => 'right'),
      searcher: (rng) => ({ act: () => (rng.uniform() < 0.1 ? 'wait' : 'right') }),
    },
  };
}

const lastRoom = (task: TaskRef): number => 3 + (task.index % 4);
const instructionOf = (task: TaskRef): string => `Reach room ${lastRoom(task)}.`;

class Corridor implements Env<CorridorView, CorridorMove> {
  readonly #config: CorridorConfig;
  #at = 1;
  #last = 3;

  constructor(config: CorridorConfig) {
    this.#config = config;
  }

  async reset(task: TaskRef): Promise<Opening<CorridorView, CorridorMove>> {
    await this.#delay();
    this.#at = 1;
    this.#last = lastRoom(task);
    return { ...this.#turn(), instruction: instructionOf(task) };
  }

  async step(move: CorridorMove, context: Context): Promise<StepResult<CorridorView, CorridorMove>> {
    await this.#delay();
    const inadmissible = move === 'left' && this.#at === 0;
    const slips = context.rng.uniform() < this.#config.slip;
    if (!inadmissible && !slips) this.#at += { left: -1, right: 1, wait: 0 }[move];
    const arrived = this.#at === this.#last;
    const { observation, stateKey } = this.#turn();
    const paid = reward(arrived ? { arrival: 1, time: -0.01 } : { time: -0.01 });
    if (arrived)
      return { kind: 'terminated', outcome: 'solved', observation, reward: paid, inadmissible, stateKey };
    return {
      kind: 'ongoing',
      ...this.#turn(),
      reward: paid,
      inadmissible,
      metrics: { slips: slips ? 1 : 0 },
    };
  }

  async close(): Promise<void> {}

  #turn(): Turn<CorridorView, CorridorMove> {
    const key = `${this.#at}/${this.#last}`;
    const admissible: readonly CorridorMove[] =
      this.#at === 0 ? ['right', 'wait'] : ['left', 'right', 'wait'];
    const observation = { at: this.#at, last: this.#last };
    return { observation, stateKey: key, anchorKey: key, admissible, stepsLeft: undefined, seat: 0 };
  }

  async #delay(): Promise<void> {
    const { delayMs } = this.#config;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * delayMs));
  }
}
