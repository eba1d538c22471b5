/** A typed array that grows as values are appended. */
export class Grower<A extends Uint8Array | Uint16Array | Uint32Array> {
  readonly #make: new (length: number) => A;
  #array: A;
  #length = 0;

  constructor(make: new (length: number) => A) {
    this.#make = make;
    this.#array = new make(1024);
  }

  get length(): number {
    return this.#length;
  }

  /** The appended values, followed by spare room. The array is replaced when it grows. */
  get array(): A {
    return this.#array;
  }

  push(value: number): void {
    this.reserve(1);
    this.#array[this.#length] = value;
    this.#length += 1;
  }

  /** Appends the first `count` of `values`. */
  append(values: A, count: number): void {
    this.reserve(count);
    this.#array.set(values.subarray(0, count), this.#length);
    this.#length += count;
  }

  /** Makes room for `count` more values. */
  reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#array.length) return;
    const larger = new this.#make(Math.max(needed, this.#array.length * 2));
    larger.set(this.#array.subarray(0, this.#length));
    this.#array = larger;
  }
}
