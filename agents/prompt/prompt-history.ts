import type { Exchange } from './conversation.ts';
import { weightOf } from './context-budget.ts';

/** The exchanges of an episode so far, and what they weigh. */
export class PromptHistory {
  readonly #exchanges: Exchange[] = [];
  /** What all before each place weigh. */
  readonly #sums: number[] = [0];

  constructor(exchanges: readonly Exchange[] = []) {
    for (const exchange of exchanges) this.push(exchange);
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  push(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    this.#sums.push((this.#sums.at(-1) ?? 0) + weightOf(exchange.shown) + weightOf(exchange.reply));
  }

  /** What the last so many weigh. */
  weight(keep: number): number {
    return (this.#sums.at(-1) ?? 0) - (this.#sums.at(-1 - keep) ?? 0);
  }
}
