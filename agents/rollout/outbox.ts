/** Passes numbered items from many workers to one reader, and limits how far the workers run ahead. */
export class Outbox<T extends object> {
  readonly #ahead: number;
  readonly #items = new Map<number, T>();
  #started = 0;
  #taken = 0;
  #wake: (() => void)[] = [];

  /** At most `ahead` items may be started and not yet taken. */
  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  /** Resolves when another item may be started, and counts it as started. */
  async start(): Promise<void> {
    while (this.#started - this.#taken >= this.#ahead) await this.#change();
    this.#started += 1;
  }

  put(index: number, item: T): void {
    this.#items.set(index, item);
    this.#announce();
  }

  /** Returns item `index`, or the first available item if it is undefined. */
  async take(index: number | undefined): Promise<T> {
    for (;;) {
      const key = index ?? this.#items.keys().next().value;
      const item = key === undefined ? undefined : this.#items.get(key);
      if (key !== undefined && item !== undefined) {
        this.#items.delete(key);
        this.#taken += 1;
        this.#announce();
        return item;
      }
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #announce(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
