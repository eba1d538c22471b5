import { createContext, type Context } from '../../../envs/core/context.ts';
import type { Env, Snapshots } from '../../../envs/core/env.ts';
import { reward, type Opening, type StepResult, type Turn } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';

export const context: Context = createContext({ seed: 0, now: () => 0 });
export const task: TaskRef = { panel: 'train', index: 0 };

/** `tick` goes on, `win` ends solved, `cut` truncates, `crash` throws, `wait` resolves when `release` is called. */
export type Tick = 'tick' | 'win' | 'cut' | 'crash' | 'wait';

/** Counts ticks. Pays two seats and reports a metric, and reports its steps left when given a limit. */
export class TickEnv implements Env<number, Tick> {
  readonly #ownLimit: number | undefined;
  ticks = 0;
  closed = 0;
  release: () => void = () => undefined;
  readonly snapshots: Snapshots<number, Tick> = {
    take: () => ({ world: this.ticks, episode: {}, steps: 0 }),
    restore: ({ world }) => {
      this.ticks = Number(world);
      return this.#turn();
    },
  };

  constructor(ownLimit?: number) {
    this.#ownLimit = ownLimit;
  }

  async reset(given: TaskRef): Promise<Opening<number, Tick>> {
    if (given.index === 1) throw new Error('cannot be reset');
    if (given.index === 2) await this.#wait();
    this.ticks = 0;
    return { ...this.#turn(), instruction: 'tick' };
  }

  async step(action: Tick): Promise<StepResult<number, Tick>> {
    if (action === 'crash') throw new Error('crashed');
    if (action === 'wait') await this.#wait();
    this.ticks += 1;
    const { observation, stateKey } = this.#turn();
    const outcome = {
      observation,
      stateKey,
      reward: reward({ tick: 1 }),
      otherRewards: { 1: reward({ tick: -1 }) },
      inadmissible: false,
      metrics: { ticks: this.ticks },
    };
    if (action === 'win') return { kind: 'terminated', outcome: 'solved', ...outcome };
    if (action === 'cut') return { kind: 'truncated', limit: 'scissors', ...outcome };
    return { kind: 'ongoing', ...this.#turn(), ...outcome };
  }

  async close(): Promise<void> {
    this.closed += 1;
  }

  #turn(): Turn<number, Tick> {
    const stepsLeft = this.#ownLimit === undefined ? undefined : this.#ownLimit - this.ticks;
    return {
      observation: this.ticks,
      stateKey: String(this.ticks),
      anchorKey: 'a',
      admissible: ['tick', 'win'],
      stepsLeft,
      seat: 0,
    };
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.release = resolve;
    });
  }
}
