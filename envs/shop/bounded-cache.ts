/** Keeps what was made for the last `most` keys that were asked for. */
export class BoundedCache<Key, Value> {
  readonly #most: number;
  readonly #values = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined && this.#values.size < this.#most / 2) return known; // far from full, nothing needs to queue
    const value = known ?? make();
    this.#values.delete(key); // back to the end of the queue
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#forgetOldest();
    return value;
  }

  clear(): void {
    this.#values.clear();
  }

  #forgetOldest(): void {
    for (const key of this.#values.keys()) {
      this.#values.delete(key);
      return;
    }
  }
}
