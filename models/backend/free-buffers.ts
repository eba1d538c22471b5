/** The description of a buffer that is reused. */
export interface Sized {
  readonly size: number;
  readonly usage: number;
}

/** Buffers that nobody uses. Of equal ones the one that was made first is taken, so that equal work takes the same buffers each time. */
export class FreeBuffers<Buffer extends Sized> {
  /** By size and usage, those made last first. */
  readonly #alike = new Map<string, Buffer[]>();
  /** All, those freed longest ago first. */
  readonly #inOrder = new Set<Buffer>();
  readonly #numbers = new WeakMap<Buffer, number>();
  #made = 0;

  get count(): number {
    return this.#inOrder.size;
  }

  [Symbol.iterator](): Iterator<Buffer> {
    return this.#inOrder.values();
  }

  /** Numbers a buffer that was made. */
  number(buffer: Buffer): void {
    this.#made += 1;
    this.#numbers.set(buffer, this.#made);
  }

  take(size: number, usage: number): Buffer | undefined {
    const buffer = this.#alike.get(keyOf({ size, usage }))?.pop();
    if (buffer !== undefined) this.#inOrder.delete(buffer);
    return buffer;
  }

  add(buffer: Buffer): void {
    this.#inOrder.add(buffer);
    const key = keyOf(buffer);
    const others = this.#alike.get(key);
    if (others === undefined) this.#alike.set(key, [buffer]);
    else others.splice(this.#placeAmong(others, buffer), 0, buffer);
  }

  drop(buffer: Buffer): void {
    if (!this.#inOrder.delete(buffer)) return;
    const key = keyOf(buffer);
    const others = this.#alike.get(key) ?? [];
    others.splice(this.#placeAmong(others, buffer), 1);
    if (others.length === 0) this.#alike.delete(key);
  }

  clear(): void {
    this.#alike.clear();
    this.#inOrder.clear();
  }

  /** Where it is, or would be: behind all that were made after it. */
  #placeAmong(others: readonly Buffer[], buffer: Buffer): number {
    const number = this.#numberOf(buffer);
    let [low, high] = [0, others.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#numberOf(others[middle] as Buffer) > number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #numberOf(buffer: Buffer): number {
    return this.#numbers.get(buffer) ?? 0;
  }
}

const keyOf = ({ size, usage }: Sized): string => `${size} ${usage}`;
