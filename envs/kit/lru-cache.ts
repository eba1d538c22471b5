/** Keeps the values of the `capacity` keys that were used last. */
export class LruCache<Key, Value> {
  readonly #capacity: number;
  readonly #values = new Map<Key, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of the key, made where it is not kept. */
  get(key: Key, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined && this.#values.size < this.#capacity / 2) return known; // far from full, the order does not matter yet
    const value = known ?? make();
    this.#values.delete(key); // back to the end of the queue
    this.#values.set(key, value);
    if (this.#values.size > this.#capacity) this.#dropOldest();
    return value;
  }

  clear(): void {
    this.#values.clear();
  }

  #dropOldest(): void {
    for (const key of this.#values.keys()) {
      this.#values.delete(key);
      return;
    }
  }
}
