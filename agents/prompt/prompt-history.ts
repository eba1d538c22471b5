import type { Exchange } from './conversation.ts';
import { describeCall } from './tool-calls.ts';
import { weightOf } from './context-budget.ts';

const weightOfCalls = ({ calls = [] }: Exchange): number =>
  calls.reduce((sum, call) => sum + weightOf(describeCall(call)), 0);

/** The exchanges of an episode so far, and their weights. */
export class PromptHistory {
  readonly #exchanges: Exchange[] = [];
  /** Prefix sums of the weights. */
  readonly #sums: number[] = [0];

  constructor(exchanges: readonly Exchange[] = []) {
    for (const exchange of exchanges) this.push(exchange);
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  push(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    this.#sums.push(
      (this.#sums.at(-1) ?? 0) +
        weightOf(exchange.shown) +
        weightOf(exchange.reply) +
        weightOfCalls(exchange),
    );
  }

  /** Weight of the last `keep` exchanges. */
  weight(keep: number): number {
    return (this.#sums.at(-1) ?? 0) - (this.#sums.at(-1 - keep) ?? 0);
  }
}
