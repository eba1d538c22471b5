import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noCap, priceCap } from '../../../../envs/shop/goals/price-cap.ts';

/** The choices of the original: the first four of 10, 20, … 990 that are above the price. */
const choicesAt = (price: number): readonly number[] =>
  Array.from({ length: 99 }, (_, index) => 10 * (index + 1))
    .filter((cap) => cap > price)
    .slice(0, 4);

describe('priceCap', () => {
  it('chooses the larger of two of the next four tens above the price', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1_200, noNaN: true }), fc.nat(9), (price, instruction) => {
        const { priceUpper, text } = priceCap(price, 'B0LAMP', instruction);
        const choices = choicesAt(price);
        if (choices.length < 2) expect({ priceUpper, text }).toEqual({ priceUpper: noCap, text: '' });
        else {
          expect(choices.slice(1)).toContain(priceUpper);
          expect(text).toBe(`, and price lower than ${priceUpper}.00 dollars`);
        }
      }),
    );
  });

  it.each([
    [0, [20, 30, 40]],
    [9.99, [20, 30, 40]],
    [10, [30, 40, 50]],
    [12.5, [30, 40, 50]],
    [969.99, [980, 990]],
    [979.99, [990]],
    [980, [noCap]],
    [990, [noCap]],
    [5_000, [noCap]],
  ])('chooses, at %f dollars, one of %j', (price, caps) => {
    const drawn = new Set(
      Array.from({ length: 200 }, (_, instruction) => priceCap(price, 'B0', instruction).priceUpper),
    );
    expect([...drawn].toSorted((a, b) => a - b)).toEqual(caps);
  });

  it('draws every pair equally often', () => {
    const counts = new Map<number, number>();
    for (let number = 0; number < 6_000; number += 1) {
      const { priceUpper } = priceCap(5, `B${number}`, 0);
      counts.set(priceUpper, (counts.get(priceUpper) ?? 0) + 1);
    }
    for (const [cap, share] of [
      [20, 1 / 6],
      [30, 2 / 6],
      [40, 3 / 6],
    ] as const)
      expect((counts.get(cap) ?? 0) / 6_000).toBeCloseTo(share, 1);
  });

  it('depends on the product and the instruction only', () => {
    const caps = (asin: string): readonly number[] =>
      Array.from({ length: 20 }, (_, instruction) => priceCap(5, asin, instruction).priceUpper);
    expect(caps('B1')).toEqual(caps('B1'));
    expect(caps('B1')).not.toEqual(caps('B2'));
    expect(caps('B06Y3VLDFB').slice(0, 6)).toEqual([30, 30, 40, 30, 30, 40]);
  });
});
