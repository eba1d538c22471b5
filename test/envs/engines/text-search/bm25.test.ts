import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anseriniParameters,
  inverseDocumentFrequency,
  inverseNorms,
  termScore,
} from '../../../../envs/engines/text-search/bm25.ts';
import { decodeLength, encodeLength } from '../../../../envs/engines/text-search/length-code.ts';
import { goldens } from './goldens.ts';

describe('the code of a document length', () => {
  it('equals the code of Lucene', () => {
    expect(
      goldens.lengths.map(([length]) => [length, encodeLength(length), decodeLength(encodeLength(length))]),
    ).toEqual(goldens.lengths);
  });

  it('keeps the order, and never decodes to a longer length', () => {
    const length = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(length, length, (one, other) => {
        const [shorter, longer] = one < other ? [one, other] : [other, one];
        expect(encodeLength(shorter)).toBeLessThanOrEqual(encodeLength(longer));
        expect(decodeLength(encodeLength(longer))).toBeLessThanOrEqual(longer);
        expect(decodeLength(encodeLength(longer))).toBeGreaterThan(longer * 0.87);
      }),
    );
  });

  it.each([-1, 0.5, 2 ** 31, Number.NaN])('refuses %s', (length) => {
    expect(() => encodeLength(length)).toThrow(RangeError);
  });
});

describe('BM25', () => {
  it('equals its formula up to single precision', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 39 }),
        fc.double({ min: 1, max: 200, noNaN: true }),
        (frequency, length, average) => {
          const norm = inverseNorms(anseriniParameters, average)[encodeLength(length)] as number;
          const weight = inverseDocumentFrequency(30, 1000);
          const saturation = frequency / (frequency + 0.9 * (1 - 0.4 + (0.4 * length) / average));
          expect(termScore(weight, Math.fround(frequency * norm))).toBeCloseTo(
            Math.log(1 + 970.5 / 30.5) * saturation,
            5,
          );
        },
      ),
    );
  });

  it('never falls when the impact rises, despite rounding', () => {
    const impact = fc.float({ min: 0, max: 1000, noNaN: true });
    fc.assert(
      fc.property(impact, impact, fc.float({ min: 0, max: 20, noNaN: true }), (one, other, weight) => {
        expect(termScore(weight, Math.max(one, other))).toBeGreaterThanOrEqual(
          termScore(weight, Math.min(one, other)),
        );
      }),
    );
  });
});
