import { MersenneTwister } from './mersenne-twister.ts';

/**
 * CPython's `random.Random` over MT19937: the same draws in the same order for the same integer seed, checked
 * against CPython 3.11. It reproduces benchmarks that shuffle their tasks with it. New code draws from the
 * context's `Rng`.
 */
export class PythonRandom {
  readonly #twister: MersenneTwister;

  /**
   * Seeds like `random.seed(seed)`, which ignores the sign.
   *
   * @throws RangeError for a seed that is not an integer
   */
  constructor(seed: number | bigint) {
    if (typeof seed === 'number' && !Number.isSafeInteger(seed))
      throw new RangeError(`PythonRandom takes a whole number as its seed, not ${seed}`);
    this.#twister = new MersenneTwister(wordsOf(BigInt(seed)));
  }

  /** `random()`: uniform in [0, 1), 53 bits. */
  random(): number {
    const high = this.#twister.draw() >>> 5; // 27 bits
    const low = this.#twister.draw() >>> 6; // 26 bits
    return (high * 67_108_864 + low) / 9_007_199_254_740_992;
  }

  /** `getrandbits(bits)`, for 0 to 53 bits, which fit into a number. */
  getRandomBits(bits: number): number {
    if (!Number.isInteger(bits) || bits < 0 || bits > 53)
      throw new RangeError(`getRandomBits takes 0 to 53 bits, not ${bits}`);
    if (bits === 0) return 0;
    if (bits <= 32) return this.#twister.draw() >>> (32 - bits);
    const low = this.#twister.draw();
    return (this.#twister.draw() >>> (64 - bits)) * 4_294_967_296 + low;
  }

  /** `_randbelow(bound)`: uniform in [0, bound). */
  below(bound: number): number {
    if (!Number.isSafeInteger(bound) || bound < 1)
      throw new RangeError(`below takes a whole number from 1, not ${bound}`);
    const bits = bitLength(bound);
    let draw = this.getRandomBits(bits);
    while (draw >= bound) draw = this.getRandomBits(bits);
    return draw;
  }

  /** `uniform(low, high)`. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  /** `choice(items)`. */
  choice<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('choice was given no items');
    return items[this.below(items.length)] as T;
  }

  /** `choices(items, weights, k=count)`: with replacement. */
  choices<T>(items: readonly T[], count: number, weights?: readonly number[]): T[] {
    if (items.length === 0) throw new RangeError('choices was given no items');
    if (weights === undefined)
      return Array.from({ length: count }, () => items[Math.floor(this.random() * items.length)] as T);
    if (weights.length !== items.length)
      throw new RangeError(`choices was given ${weights.length} weights for ${items.length} items`);
    let total = 0;
    const sums = weights.map((weight) => (total += weight));
    if (!(total > 0 && total < Infinity)) throw new RangeError(`the weights of choices sum to ${total}`);
    return Array.from(
      { length: count },
      () => items[firstAbove(sums, this.random() * total, items.length - 1)] as T,
    );
  }

  /** `shuffle(items)`, in place. */
  shuffle<T>(items: { readonly length: number; [index: number]: T }): void {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other] as T, items[last] as T];
    }
  }

  /** `sample(items, k=count)`: without replacement. */
  sample<T>(items: readonly T[], count: number): T[] {
    const size = items.length;
    if (!Number.isInteger(count) || count < 0 || count > size)
      throw new RangeError(`sample cannot take ${count} of ${size} items`);
    if (size <= poolLimit(count)) {
      const pool = [...items];
      return Array.from({ length: count }, (_, taken) => {
        const at = this.below(size - taken);
        const item = pool[at] as T;
        pool[at] = pool[size - taken - 1] as T;
        return item;
      });
    }
    const drawn = new Set<number>();
    while (drawn.size < count) drawn.add(this.below(size)); // repeats are drawn again, as in CPython
    return Array.from(drawn, (at) => items[at] as T);
  }
}

/** The largest population that CPython copies instead of remembering the drawn items. */
const poolLimit = (count: number): number =>
  count > 5 ? 21 + 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 21;

const bitLength = (value: number): number =>
  value < 4_294_967_296 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 4_294_967_296));

function wordsOf(seed: bigint): readonly number[] {
  const words: number[] = [];
  for (let left = seed < 0n ? -seed : seed; left > 0n; left >>= 32n) words.push(Number(left & 0xffffffffn));
  return words.length === 0 ? [0] : words;
}

/** `bisect.bisect`: the index of the first of the increasing sums that is above `value`, or `last`. */
function firstAbove(sums: readonly number[], value: number, last: number): number {
  let low = 0;
  let high = last;
  while (low < high) {
    const between = (low + high) >>> 1;
    if (value < (sums[between] as number)) high = between;
    else low = between + 1;
  }
  return low;
}
