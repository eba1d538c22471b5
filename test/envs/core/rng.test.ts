import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRng, xoshiro128, type Rng } from '../../../envs/core/rng.ts';

const draws = (rng: Rng, count: number): readonly number[] =>
  Array.from({ length: count }, () => rng.int(4_294_967_296));

describe('xoshiro128**', () => {
  // Made by compiling xoshiro128starstar.c 1.1 of Blackman and Vigna (public domain) with gcc 12.2 -O2 and a main that sets
  // the four words of state, prints ten draws with %u, and prints draw 1,000,001.
  test.each([
    {
      state: [1, 2, 3, 4],
      first: [
        11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
      ],
      later: 3175353485,
    },
    {
      state: [0xdeadbeef, 0x01234567, 0x89abcdef, 0xffffffff],
      first: [
        2576977298, 1162350735, 2291329051, 732944927, 482780208, 3416574328, 2872943131, 1297184098,
        1191330009, 428123984,
      ],
      later: 3812151927,
    },
  ])('draws what the reference draws from $state', ({ state, first, later }) => {
    const words = Uint32Array.from(state);
    expect(Array.from({ length: 10 }, () => xoshiro128(words))).toEqual(first);
    for (let draw = 10; draw < 1_000_000; draw += 1) xoshiro128(words);
    expect(xoshiro128(words)).toBe(later);
  });
});

describe('a random stream', () => {
  test('draws the numbers that stored results contain', () => {
    // Made with Python's hashlib and a second implementation of the generator: state = four little-endian words of
    // sha256(sha256(b'cairn-seed\0' + b'0') + b'\0string\0train') and so on, the first word made odd.
    expect(draws(createRng(0), 3)).toEqual([1307028383, 594669158, 3163370197]);
    expect(draws(createRng(0).fork('train').fork(3), 3)).toEqual([1643978134, 3901663531, 4220710479]);
    expect(createRng(42).fork('u').uniform()).toBe(0.019211722763247896);
  });

  test('depends only on seed and path, and forking draws nothing from it', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.oneof(fc.string(), fc.integer())), (seed, path) => {
        const walk = (disturb: boolean): readonly number[] => {
          let rng = createRng(seed);
          for (const label of path) {
            if (disturb) {
              rng.uniform();
              rng.fork('other').int(7);
            }
            rng = rng.fork(label);
          }
          if (disturb) rng.fork('child').uniform();
          return draws(rng, 5);
        };
        expect(walk(true)).toEqual(walk(false));
      }),
    );
  });

  test('differs by each label, its type and the split of labels', () => {
    const paths: readonly (readonly (string | number)[])[] = [
      [],
      [1],
      ['1'],
      [1, 1],
      [11],
      ['a', 'b'],
      ['ab'],
      ['a\0string\0b'],
      ['b', 'a'],
      [''],
    ];
    const firsts = paths.map((path) =>
      draws(
        path.reduce<Rng>((rng, label) => rng.fork(label), createRng(5)),
        4,
      ).join(),
    );
    expect(new Set(firsts).size).toBe(paths.length);
  });

  test('shares no draws with neighbouring seeds and labels', () => {
    const seen = new Set<number>();
    for (let seed = 0; seed < 20; seed += 1) {
      for (let label = 0; label < 50; label += 1)
        for (const draw of draws(createRng(seed).fork(label), 5)) seen.add(draw);
    }
    // 5,000 draws from 2^32: the chance of even three repeats is below one in a million
    expect(seen.size).toBeGreaterThan(4_997);
  });
});

/** Chi-squared statistic of counts against equal expectation. */
function chiSquared(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('random draws', () => {
  test('small integers are uniform', () => {
    // limits that a sound generator exceeds once in 10,000 times
    for (const [bound, limit] of [
      [2, 15.1],
      [3, 18.4],
      [10, 33.7],
    ] as const) {
      const rng = createRng(11).fork(bound);
      const counts = Array.from({ length: bound }, () => 0);
      for (let draw = 0; draw < 60_000; draw += 1) {
        const drawn = rng.int(bound);
        counts[drawn] = (counts[drawn] ?? 0) + 1;
      }
      expect(chiSquared(counts)).toBeLessThan(limit);
    }
  });

  test('integers are unbiased for a bound that does not divide 2^32', () => {
    const bound = 3_000_000_000; // draw % bound would make results below 1,294,967,296 twice as likely
    const rng = createRng(2);
    let low = 0;
    for (let draw = 0; draw < 20_000; draw += 1) if (rng.int(bound) < 1_294_967_296) low += 1;
    expect(low / 20_000).toBeCloseTo(1_294_967_296 / bound, 1);
  });

  test('fractions have mean 1/2, variance 1/12 and all 53 bits', () => {
    const rng = createRng(3);
    const values = Array.from({ length: 50_000 }, () => rng.uniform());
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(0.5, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
    expect(values.every((value) => value >= 0 && value < 1 && Number.isInteger(value * 2 ** 53))).toBe(true);
    expect(values.some((value) => !Number.isInteger(value * 2 ** 52))).toBe(true);
  });

  test('shuffles are permutations of equal probability', () => {
    const rng = createRng(4);
    const counts = new Map<string, number>();
    const items = ['a', 'b', 'c'];
    for (let draw = 0; draw < 12_000; draw += 1) {
      const shuffled = rng.shuffle(items).join('');
      counts.set(shuffled, (counts.get(shuffled) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
    expect(chiSquared([...counts.values()])).toBeLessThan(25.7);
    expect(items).toEqual(['a', 'b', 'c']);
  });

  test('invalid bounds and empty lists are refused', () => {
    const rng = createRng(0);
    for (const bound of [0, -1, 1.5, Number.NaN, 2 ** 32 + 1])
      expect(() => rng.int(bound)).toThrow(RangeError);
    expect(() => rng.pick([])).toThrow(RangeError);
    expect(rng.int(1)).toBe(0);
    expect(rng.shuffle([])).toEqual([]);
  });
});
