import type { Env } from '../../envs/core/env.ts';
import { reward, type Opening, type StepResult, type Turn } from '../../envs/core/step.ts';

/** Two seats take turns to bid; the second bid ends it, pays the higher bidder and charges the other. No lists of actions. */
export class TwoSeats implements Env<string, number> {
  #first: number | undefined;

  async reset(): Promise<Opening<string, number>> {
    this.#first = undefined;
    return { ...this.#turn(0, 'bid first'), instruction: 'Bid more than the other.' };
  }

  async step(bid: number): Promise<StepResult<string, number>> {
    if (this.#first === undefined) {
      this.#first = bid;
      return { kind: 'ongoing', ...this.#turn(1, 'bid second'), reward: reward({}), inadmissible: false };
    }
    const won = bid > this.#first;
    return {
      kind: 'terminated',
      outcome: won ? 'solved' : 'failed',
      observation: 'over',
      reward: reward({ bid: won ? 1 : -1 }),
      otherRewards: { 0: reward({ bid: won ? -1 : 1 }) },
      inadmissible: false,
      metrics: { spread: Math.abs(bid - this.#first) },
      stateKey: undefined,
    };
  }

  async close(): Promise<void> {}

  #turn(seat: number, observation: string): Turn<string, number> {
    return {
      observation,
      seat,
      stateKey: undefined,
      anchorKey: undefined,
      admissible: undefined,
      stepsLeft: undefined,
    };
  }
}
