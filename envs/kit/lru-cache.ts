/** Keeps the values of the `capacity` most recently used keys. */
export class LruCache<Key, Value> {
  readonly #capacity: number;
  readonly #values = new Map<Key, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of the key. `make` creates it where it is not cached. */
  get(key: Key, make: () => Value): Value {
    const known = this.#values.get(key);
    // in a half-empty cache the order does not matter yet
    if (known !== undefined && this.#values.size < this.#capacity / 2) return known;
    const value = known ?? make();
    this.#values.delete(key); // moves the key to the end of the queue
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
