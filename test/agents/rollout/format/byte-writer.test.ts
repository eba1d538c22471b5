import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../../agents/rollout/format/byte-writer.ts';
import { runs } from '../../../support/thorough.ts';

const ascii = fc.string({ unit: 'binary-ascii', maxLength: 80 });
const text = fc.string({ unit: 'binary', maxLength: 80 });
const number = fc.oneof(
  fc.nat(20_000),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, 1e21, 5e-324),
);

const piece = fc.oneof(
  ascii.map((value) => ({ write: (to: ByteWriter): void => to.ascii(value), reads: value })),
  text.map((value) => ({ write: (to: ByteWriter): void => to.text(value), reads: value })),
  number.map((value) => ({
    write: (to: ByteWriter): void => to.number(value),
    reads: JSON.stringify(value),
  })),
  fc.array(fc.option(number)).map((value) => ({
    write: (to: ByteWriter): void => to.numbers(value),
    reads: value.map((item) => JSON.stringify(item)).join(','),
  })),
);

describe('ByteWriter', () => {
  it('writes the concatenation of its pieces, whatever its initial capacity', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 200 }), (pieces, room) => {
        const writer = new ByteWriter(room);
        for (const { write } of pieces) write(writer);
        const expected = Buffer.from(pieces.map(({ reads }) => reads).join(''));
        expect(writer.length).toBe(expected.length);
        expect(writer.written.equals(expected)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
