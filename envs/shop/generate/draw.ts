import { createHash } from 'node:crypto';
import { xoshiro128 } from '../../core/rng.ts';

/** Expands a seed into four words. */
export const drawKey = (seed: number): Uint32Array => {
  const digest = createHash('sha256').update(`cairn-shop\0${seed}`).digest();
  return Uint32Array.from({ length: 4 }, (_, index) => digest.readUInt32LE(4 * index));
};

/** The purpose of a stream. Streams of different purposes are different. */
export type Purpose = 'block' | 'line' | 'product' | 'goals' | 'goal';

const purposes: Readonly<Record<Purpose, number>> = { block: 1, line: 2, product: 3, goals: 4, goal: 5 };

/**
 * A random stream as a pure function of key, purpose and number, made for millions of short streams. Starting
 * one takes some twenty multiplications, where {@link import('../../core/rng.ts').createRng} hashes. It uses
 * integers only, so that every machine draws the same.
 */
export class Draw {
  readonly #key: Uint32Array; // (4)
  readonly #state = new Uint32Array(4);

  constructor(key: Uint32Array) {
    this.#key = key;
  }

  /** Starts the stream of that number, from 0 below 2^32. */
  start(purpose: Purpose, number: number): this {
    let word = mix(Math.imul(purposes[purpose], 0x9e3779b1) ^ number);
    for (let index = 0; index < 4; index += 1) {
      word = mix(word ^ (this.#key[index] as number)) + 0x6d2b79f5;
      this.#state[index] = word;
    }
    this.#state[0] = (this.#state[0] as number) | 1; // never all zero, which the generator could not leave
    return this;
  }

  /** A random integer from 0 below the bound, which is at most 2^21. The bias is below one part in 2^11. */
  below(bound: number): number {
    return Math.floor((xoshiro128(this.#state) * bound) / 4_294_967_296);
  }

  /** True with this probability in percent. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /**
   * A random integer from 0 below the bound. Small ones are far more frequent: the cube of a uniform draw.
   */
  skewed(bound: number): number {
    const even = this.below(1 << 16) / (1 << 16);
    return Math.floor(even * even * even * bound);
  }
}

/** The finalizer of MurmurHash3 (Appleby), a bijection of 32-bit words. */
export function mix(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
