const size = 624;
const middle = 397;

/**
 * MT19937 (Matsumoto and Nishimura, 1998), seeded with the authors' `init_by_array`, as CPython does. 32 bits
 * per draw.
 */
export class MersenneTwister {
  readonly #state = new Uint32Array(size);
  #next = size;

  /** @param key the seed as 32-bit words, lowest first; at least one */
  constructor(key: readonly number[]) {
    if (key.length === 0) throw new RangeError('MT19937 takes a key of at least one word');
    this.#seedByArray(key);
  }

  /** 32 random bits, unsigned. */
  draw(): number {
    if (this.#next === size) this.#twist();
    let bits = this.#state[this.#next] as number;
    this.#next += 1;
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    bits ^= bits >>> 18;
    return bits >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let at = 0; at < size; at += 1) {
      const joined = ((state[at] as number) & 0x80000000) | ((state[(at + 1) % size] as number) & 0x7fffffff);
      state[at] = (state[(at + middle) % size] as number) ^ (joined >>> 1) ^ ((joined & 1) * 0x9908b0df);
    }
    this.#next = 0;
  }

  #seedByOne(seed: number): void {
    const state = this.#state;
    state[0] = seed;
    for (let at = 1; at < size; at += 1) state[at] = Math.imul(1812433253, this.#mixed(at - 1, 30)) + at;
  }

  #seedByArray(key: readonly number[]): void {
    const state = this.#state;
    this.#seedByOne(19650218);
    let at = 1;
    let word = 0;
    for (let left = Math.max(size, key.length); left > 0; left -= 1) {
      state[at] =
        ((state[at] as number) ^ Math.imul(this.#mixed(at - 1, 30), 1664525)) + (key[word] as number) + word;
      at = this.#after(at);
      word = (word + 1) % key.length;
    }
    for (let left = size - 1; left > 0; left -= 1) {
      state[at] = ((state[at] as number) ^ Math.imul(this.#mixed(at - 1, 30), 1566083941)) - at;
      at = this.#after(at);
    }
    state[0] = 0x80000000; // so that the state is never all zero
  }

  #mixed(at: number, by: number): number {
    const word = this.#state[at] as number;
    return word ^ (word >>> by);
  }

  /** The index after `at` in the seeding rounds. They skip index 0, which receives the last word. */
  #after(at: number): number {
    if (at + 1 < size) return at + 1;
    this.#state[0] = this.#state[size - 1] as number;
    return 1;
  }
}
