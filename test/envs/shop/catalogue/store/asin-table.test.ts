import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asinBytes, AsinTable, isAsin } from '../../../../../envs/shop/catalogue/store/asin-table.ts';

const asins = fc.stringMatching(/^[\x20-\x7E]{0,10}$/);

describe('AsinTable', () => {
  it('numbers ids in order, each once, and finds them again', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 1_024),
        fc.array(asins, { maxLength: 300 }),
        fc.array(asins),
        (capacity, added, others) => {
          const table = new AsinTable(capacity);
          const expected = new Map<string, number>();
          for (const asin of added) {
            const number = table.add(asin);
            expect(number).toBe(expected.has(asin) ? undefined : expected.size);
            if (number !== undefined) expected.set(asin, number);
          }
          expect(table.size).toBe(expected.size);
          const read = AsinTable.from(table.bytes);
          expect(read.size).toBe(expected.size);
          for (const asin of [...added, ...others]) {
            expect(table.find(asin)).toBe(expected.get(asin));
            expect(read.find(asin)).toBe(expected.get(asin));
          }
        },
      ),
    );
  });

  it('sorts ids as strings, a shorter one before those that begin with it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(asins, { maxLength: 300 }), (added) => {
        const table = new AsinTable();
        for (const asin of added) table.add(asin);
        const sorted = Array.from(table.sorted(), (number) => added[number]);
        expect(sorted).toEqual(added.toSorted((a, b) => (a < b ? -1 : 1)));
      }),
    );
  });

  it('stores 50,000 similar ids', () => {
    const table = new AsinTable();
    const name = (number: number): string => `B${String(number).padStart(9, '0')}`;
    for (let number = 0; number < 50_000; number += 1) expect(table.add(name(number))).toBe(number);
    expect(table.bytes).toHaveLength(50_000 * asinBytes);
    for (const number of [0, 1, 4_095, 49_999]) expect(table.find(name(number))).toBe(number);
    expect(table.find(name(50_000))).toBeUndefined();
  });

  it('distinguishes ids by every character and by length', () => {
    const table = new AsinTable();
    const alike = ['', ' ', 'B', 'B ', 'b', 'B000000001', 'B000000010', 'C000000001', 'B00000001'];
    alike.forEach((asin, number) => expect(table.add(asin)).toBe(number));
    alike.forEach((asin, number) => expect(table.find(asin)).toBe(number));
  });

  it('finds nothing that could not be added', () => {
    const table = new AsinTable();
    table.add('B000000001');
    expect(table.find('B0000000011')).toBeUndefined();
    expect(table.find('B00000000\u0161')).toBeUndefined(); // ends in the same byte as 1 when cut to eight bits
    expect(['B\0', 'B\u00E9', '12345678901', 'B\n', 'B\u007F'].some(isAsin)).toBe(false);
    expect(['', 'B000000001', 'a b'].every(isAsin)).toBe(true);
  });

  it('refuses bytes with a duplicate id', () => {
    const bytes = new Uint8Array(3 * asinBytes);
    bytes[0] = 65;
    bytes[asinBytes] = 66;
    bytes[2 * asinBytes] = 65;
    expect(() => AsinTable.from(bytes)).toThrow(RangeError);
  });
});
