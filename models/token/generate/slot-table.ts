/** Rows of the cache for one episode. */
export interface Slot {
  /** Where its rows begin. */
  readonly firstRow: number;
  /** The tokens whose keys and values it holds, from its first row on. */
  tokens: number[];
  /** Of the oldest weights that made them. */
  version: number;
}

/**
 * The slots that nobody has. They keep what they hold: episodes of one env mostly begin alike, so that the next one need not compute
 * that again.
 */
export class SlotTable {
  /** Those given back longest ago first. */
  readonly #free: Slot[];

  constructor(count: number, rows: number) {
    this.#free = Array.from({ length: count }, (_, index) => ({
      firstRow: index * rows,
      tokens: [],
      version: 0,
    }));
  }

  /** The free slot that holds the longest beginning of the prompt; undefined where none is free. */
  take(prompt: readonly number[]): Slot | undefined {
    let best = 0;
    let most = -1;
    for (const [index, { tokens }] of this.#free.entries()) {
      const common = commonLength(tokens, prompt);
      if (common <= most) continue;
      best = index;
      most = common;
    }
    return this.#free.splice(best, 1)[0];
  }

  giveBack(slot: Slot): void {
    this.#free.push(slot);
  }
}

/** How many tokens both begin with. */
export function commonLength(held: readonly number[], prompt: readonly number[]): number {
  let length = 0;
  while (length < held.length && length < prompt.length && held[length] === prompt[length]) length += 1;
  return length;
}
