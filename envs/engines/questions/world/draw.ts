import { createHash } from 'node:crypto';

/** The finalizer of MurmurHash3 (Appleby), a bijection of 32-bit words. */
function mix(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Random numbers of a world as pure functions of a seed, a purpose and numbers. A draw takes some ten
 * multiplications, so that a document does not depend on the documents before it. Integers only, so that every
 * machine draws the same.
 */
export class WorldDraw {
  readonly #key: Uint32Array; // (4)

  constructor(seed: number) {
    const digest = createHash('sha256').update(`cairn-search-world\0${seed}`).digest();
    this.#key = Uint32Array.from({ length: 4 }, (_, index) => digest.readUInt32LE(4 * index));
  }

  /** 32 random bits for a purpose and up to two numbers. */
  bits(purpose: number, first: number, second = 0): number {
    let word = mix(Math.imul(purpose + 1, 0x9e3779b1) ^ (this.#key[0] as number));
    word = mix(word ^ first ^ (this.#key[1] as number));
    word = mix((word + Math.imul(second + 1, 0x85ebca77)) ^ (this.#key[2] as number));
    return mix(word ^ (this.#key[3] as number)) >>> 0;
  }

  /** An integer from 0 below the bound, at most 2^20; the bias is below one part in 2^12. */
  below(bound: number, purpose: number, first: number, second = 0): number {
    return Math.floor((this.bits(purpose, first, second) * bound) / 4_294_967_296);
  }

  pick<T>(items: readonly T[], purpose: number, first: number, second = 0): T {
    return items[this.below(items.length, purpose, first, second)] as T;
  }

  /**
   * A permutation of the integers below 2^`bits`: a Feistel network of four rounds over halves, as in format-preserving
   * encryption (Black and Rogaway 2002).
   *
   * @param bits even, from 2 to 30
   */
  permute(value: number, bits: number, purpose: number): number {
    const half = bits / 2;
    const mask = 2 ** half - 1;
    let left = value >>> half;
    let right = value & mask;
    for (let round = 0; round < 4; round += 1)
      [left, right] = [right, left ^ (this.bits(purpose, right, round) & mask)];
    return left * 2 ** half + right;
  }

  /** The inverse of {@link permute}. */
  unpermute(value: number, bits: number, purpose: number): number {
    const half = bits / 2;
    const mask = 2 ** half - 1;
    let left = Math.floor(value / 2 ** half);
    let right = value & mask;
    for (let round = 3; round >= 0; round -= 1)
      [left, right] = [right ^ (this.bits(purpose, left, round) & mask), left];
    return left * 2 ** half + right;
  }

  /** A permutation of the integers below any `bound` up to 2^30, by walking the cycle of {@link permute}. */
  permuteBelow(value: number, bound: number, purpose: number): number {
    const bits = bitsFor(bound);
    let moved = this.permute(value, bits, purpose);
    while (moved >= bound) moved = this.permute(moved, bits, purpose);
    return moved;
  }

  /** The inverse of {@link permuteBelow}. */
  unpermuteBelow(value: number, bound: number, purpose: number): number {
    const bits = bitsFor(bound);
    let moved = this.unpermute(value, bits, purpose);
    while (moved >= bound) moved = this.unpermute(moved, bits, purpose);
    return moved;
  }
}

function bitsFor(bound: number): number {
  const wanted = Math.max(2, Math.ceil(Math.log2(bound)));
  return wanted + (wanted % 2);
}

/** The purposes of draws: draws of different purposes are independent. */
export const purposes = {
  personName: 1,
  workName: 2,
  organisationName: 3,
  townName: 4,
  eventName: 5,
  regionName: 6,
  relation: 7,
  year: 8,
  trade: 9,
  wording: 10,
  order: 11,
  filler: 12,
  outdated: 13,
  rumour: 14,
  falseFact: 15,
  namesake: 16,
  note: 17,
  question: 18,
  edition: 19,
} as const;
