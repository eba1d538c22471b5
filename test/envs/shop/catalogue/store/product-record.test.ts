import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProductWriter, readRecord } from '../../../../../envs/shop/catalogue/store/product-record.ts';
import { plainProduct, productArbitrary } from '../../../../support/product-arbitrary.ts';

describe('a product record', () => {
  it('reads back as it was written, whatever was written before', () => {
    const writer = new ProductWriter();
    fc.assert(
      fc.property(productArbitrary, (product) => {
        expect(readRecord(Buffer.from(writer.record(product)))).toEqual(product);
      }),
    );
  });

  it('stores texts of any length', () => {
    const long = plainProduct('B0', {
      description: 'x'.repeat(127),
      name: 'y'.repeat(128),
      bulletPoints: ['z'.repeat(3_000_000)],
      attributes: Array.from({ length: 20_000 }, String),
    });
    expect(readRecord(new ProductWriter().record(long))).toEqual(long);
  });

  it('replaces half a surrogate pair by the replacement character', () => {
    expect(readRecord(new ProductWriter().record(plainProduct('B0', { name: 'a\uD83Db' }))).name).toBe(
      'a\uFFFDb',
    );
  });

  it('throws when it is truncated, too long or malformed', () => {
    const bytes = Buffer.from(new ProductWriter().record(plainProduct('B0')));
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => readRecord(bytes.subarray(0, length))).toThrow(RangeError);
    expect(() => readRecord(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(RangeError);
    expect(() => readRecord(Buffer.alloc(100, 0xff))).toThrow(RangeError);
  });

  it('never gives much more than its damaged bytes can hold', () => {
    const bytes = Buffer.from(new ProductWriter().record(plainProduct('B0')));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = byte;
        try {
          expect(JSON.stringify(readRecord(damaged)).length).toBeLessThan(20 * bytes.length);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
