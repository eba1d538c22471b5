import { hash } from 'node:crypto';

/**
 * A named random stream, which depends on the seed and the path alone. Forking hashes the label into the key and does not advance the
 * parent, so neither concurrency nor draws elsewhere change a stream.
 */
export interface Rng {
  /** The child stream of this label. */
  fork(label: string | number): Rng;
  /** Uniform in [0, 1), 53 bits. */
  uniform(): number;
  /** Uniform integer in [0, bound); unbiased; bound from 1 to 2^32. */
  int(bound: number): number;
  /** One of the items; throws a `RangeError` when there are none. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

/** The root stream of a seed. */
export function createRng(seed: number): Rng {
  return new HashedRng(digest('', `cairn-seed\0${seed}`));
}

/** Room for a key and most labels: a buffer for each hash would cost more than the hash. */
const scratch = Buffer.alloc(256);

/** SHA-256 of a key, which is a digest itself or empty, followed by a text in UTF-8; a digest is 32 characters of 8 bits. */
function digest(key: string, text: string): string {
  const most = key.length + 3 * text.length; // bytes: UTF-8 takes at most three for each 16 bits
  const bytes = most <= scratch.length ? scratch : Buffer.alloc(most);
  bytes.write(key, 'latin1');
  const length = key.length + bytes.write(text, key.length);
  return hash('sha256', bytes.subarray(0, length), 'binary');
}

class HashedRng implements Rng {
  readonly #key: string;
  #state: Uint32Array | undefined; // made at the first draw, because most streams are only forked

  constructor(key: string) {
    this.#key = key;
  }

  fork(label: string | number): Rng {
    return new HashedRng(digest(this.#key, `\0${typeof label}\0${label}`));
  }

  uniform(): number {
    const high = this.#next() >>> 5; // 27 bits
    const low = this.#next() >>> 6; // 26 bits
    return (high * 67_108_864 + low) / 9_007_199_254_740_992;
  }

  int(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 4_294_967_296) {
      throw new RangeError(`Rng.int takes a whole number from 1 to 2^32, not ${bound}`);
    }
    const sure = 4_294_967_296 - bound;
    let draw = this.#next();
    // Draws from the last, incomplete run of `bound` would favour small results; the division that finds its start is slow and rare.
    while (draw > sure && draw >= 4_294_967_296 - (4_294_967_296 % bound)) draw = this.#next();
    return draw % bound;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('Rng.pick was given no items');
    return items[this.int(items.length)] as T;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let last = out.length - 1; last > 0; last -= 1) {
      const other = this.int(last + 1);
      [out[last], out[other]] = [out[other] as T, out[last] as T];
    }
    return out;
  }

  /** xoshiro128** 1.1 (Blackman and Vigna, 2018), 32 bits a draw. */
  #next(): number {
    this.#state ??= stateOf(this.#key);
    return xoshiro128(this.#state);
  }
}

/** The first 16 bytes of a digest as 4 words, lowest byte first. */
function stateOf(key: string): Uint32Array {
  const state = new Uint32Array(4);
  for (let at = 0; at < 16; at += 1)
    state[at >> 2] = (state[at >> 2] as number) | (key.charCodeAt(at) << (8 * (at & 3)));
  state[0] = (state[0] as number) | 1; // never all zero, which the generator could not leave
  return state;
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** One step of xoshiro128** on `state` (4 words, changed in place); returns 32 unsigned bits. Exported for its known-answer test. */
export function xoshiro128(state: Uint32Array): number {
  const s0 = state[0] as number;
  const s1 = state[1] as number;
  const s2 = state[2] as number;
  const s3 = state[3] as number;
  const result = Math.imul(rotate(Math.imul(s1, 5), 7), 9) >>> 0;
  const a2 = s2 ^ s0;
  const a3 = s3 ^ s1;
  state[1] = s1 ^ a2;
  state[0] = s0 ^ a3;
  state[2] = a2 ^ (s1 << 9);
  state[3] = rotate(a3, 11);
  return result;
}

/** Draws a normal variable of mean 0 (Box and Muller 1958). Takes two uniform draws. */
export function drawNormal(rng: Rng, deviation = 1): number {
  return deviation * Math.sqrt(-2 * Math.log(1 - rng.uniform())) * Math.cos(2 * Math.PI * rng.uniform());
}
