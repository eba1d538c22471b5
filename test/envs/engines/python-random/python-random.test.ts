import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MersenneTwister } from '../../../../envs/engines/python-random/mersenne-twister.ts';
import { PythonRandom } from '../../../../envs/engines/python-random/python-random.ts';

const numbers = z.array(z.number());
const pairs = z.array(z.tuple([z.number(), z.number()]));
const golden = z
  .object({
    streams: z.array(
      z.object({
        seed: z.string(),
        random: numbers,
        bits: pairs,
        below: pairs,
        uniform: z.array(z.tuple([z.number(), z.number(), z.number()])),
        choice: numbers,
        choices: numbers,
        weighted: numbers,
        sample: z.array(z.tuple([z.number(), z.number(), numbers])),
        shuffle: numbers,
        after: z.number(),
      }),
    ),
    'small shuffles': z.array(z.object({ seed: z.number(), size: z.number(), order: numbers })),
    'large shuffles': z.array(
      z.object({ seed: z.number(), size: z.number(), first: numbers, last: numbers, sha256: z.string() }),
    ),
  })
  .parse(
    JSON.parse(readFileSync(new URL('../../../golden/python-random/goldens.json', import.meta.url), 'utf8')),
  );

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

function shuffled(seed: number, size: number): number[] {
  const order = range(size);
  new PythonRandom(seed).shuffle(order);
  return order;
}

describe('PythonRandom', () => {
  it.each(golden.streams)('draws as CPython does from seed $seed, method after method', (stream) => {
    const rng = new PythonRandom(BigInt(stream.seed));
    expect(stream.random.map(() => rng.random())).toEqual(stream.random);
    expect(stream.bits.map(([bits]) => [bits, rng.getRandomBits(bits)])).toEqual(stream.bits);
    expect(stream.below.map(([bound]) => [bound, rng.below(bound)])).toEqual(stream.below);
    expect(stream.uniform.map(([low, high]) => [low, high, rng.uniform(low, high)])).toEqual(stream.uniform);
    expect([1, 3, 17, 1000].map((size) => rng.choice(range(size)))).toEqual(stream.choice);
    expect(rng.choices(range(26), 10)).toEqual(stream.choices);
    expect(rng.choices(range(5), 12, [1, 0, 2.5, 0.25, 3])).toEqual(stream.weighted);
    expect(stream.sample.map(([size, count]) => [size, count, rng.sample(range(size), count)])).toEqual(
      stream.sample,
    );
    const order = range(10);
    new PythonRandom(BigInt(stream.seed)).shuffle(order);
    expect(order).toEqual(stream.shuffle);
    expect(rng.random()).toBe(stream.after);
  });

  it.each(golden['small shuffles'])('shuffles $size items as CPython does', ({ seed, size, order }) => {
    expect(shuffled(seed, size)).toEqual(order);
  });

  it.each(golden['large shuffles'])(
    'shuffles $size items as CPython does from seed $seed',
    ({ seed, size, first, last, sha256 }) => {
      const order = Uint32Array.from(range(size));
      new PythonRandom(seed).shuffle(order);
      expect([...order.subarray(0, 10)]).toEqual(first);
      expect([...order.subarray(-10)]).toEqual(last);
      expect(createHash('sha256').update(order.join(',')).digest('hex')).toBe(sha256);
    },
  );

  it('takes a number and a bigint as the same seed', () => {
    expect(new PythonRandom(233).random()).toBe(new PythonRandom(233n).random());
  });

  it('leaves sampled items unchanged, and shuffles to the same items', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.integer(), { maxLength: 60 }), fc.nat(), (seed, items, k) => {
        const before = [...items];
        const rng = new PythonRandom(seed);
        const count = items.length === 0 ? 0 : k % (items.length + 1);
        const sample = rng.sample(items, count);
        expect(items).toEqual(before);
        expect(sample).toHaveLength(count);
        rng.shuffle(items);
        expect(items.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b));
      }),
    );
  });

  it('refuses what Python refuses, and what a number cannot represent', () => {
    const rng = new PythonRandom(1);
    expect(() => new PythonRandom(0.5)).toThrow(RangeError);
    expect(() => rng.getRandomBits(54)).toThrow(RangeError);
    expect(() => rng.getRandomBits(-1)).toThrow(RangeError);
    expect(() => rng.below(0)).toThrow(RangeError);
    expect(() => rng.choice([])).toThrow(RangeError);
    expect(() => rng.choices([], 1)).toThrow(RangeError);
    expect(() => rng.choices([1, 2], 1, [1])).toThrow(RangeError);
    expect(() => rng.choices([1, 2], 1, [0, 0])).toThrow(RangeError);
    expect(() => rng.sample([1, 2], 3)).toThrow(RangeError);
  });
});

describe('MersenneTwister', () => {
  it('draws the words that its authors publish for their key', () => {
    const twister = new MersenneTwister([0x123, 0x234, 0x345, 0x456]);
    expect(Array.from({ length: 5 }, () => twister.draw())).toEqual([
      1067595299, 955945823, 477289528, 4107218783, 4228976476,
    ]);
  });

  it('refuses an empty key', () => {
    expect(() => new MersenneTwister([])).toThrow(RangeError);
  });
});
