import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunError } from '../../../envs/core/errors.ts';
import { mismatchFigures } from '../../../trainers/update/mismatch.ts';

const bounds = { threshold: 0.1, cap: 2 };
const logprob = fc.float({ min: -15, max: 0, noNaN: true });
const pairs = fc.array(fc.tuple(logprob, logprob), { minLength: 1, maxLength: 40 });
const figuresOf = (of: readonly (readonly [number, number])[], within = bounds) =>
  mismatchFigures(
    Float32Array.from(of, ([given]) => given),
    Float32Array.from(of, ([, ours]) => ours),
    within,
  );

describe('mismatchFigures', () => {
  it('returns numbers computed by hand', () => {
    const figures = mismatchFigures(
      Float32Array.of(-1, -2, -3),
      Float32Array.of(-1, -2 + Math.log(2), -3 - Math.log(4)),
      { threshold: 1, cap: 1.5 },
    );
    expect(figures['update/mismatch']).toBeCloseTo((Math.log(2) + Math.log(4)) / 3, 6);
    expect(figures['update/largest-mismatch']).toBeCloseTo(Math.log(4), 6);
    expect(figures['update/mismatch-kl']).toBeCloseTo(
      (0 + (2 - 1 - Math.log(2)) + (0.25 - 1 + Math.log(4))) / 3,
      6,
    );
    expect(figures['update/mismatch-share']).toBeCloseTo(1 / 3, 12);
    expect(figures['update/mismatch-sample-size']).toBeCloseTo(
      (1 + 1.5 + 0.25) ** 2 / (1 + 2.25 + 0.0625) / 3,
      6,
    );
  });

  it('returns zeros when both are equal, and no figures for no tokens', () => {
    fc.assert(
      fc.property(fc.array(logprob, { minLength: 1 }), (all) => {
        expect(figuresOf(all.map((one) => [one, one]))).toEqual({
          'update/mismatch': 0,
          'update/largest-mismatch': 0,
          'update/mismatch-kl': 0,
          'update/mismatch-share': 0,
          'update/mismatch-sample-size': expect.closeTo(1, 12) as number,
        });
      }),
    );
    expect(mismatchFigures(new Float32Array(), new Float32Array(), bounds)).toEqual({});
  });

  it('stays within its bounds, whatever the tokens', () => {
    fc.assert(
      fc.property(
        pairs,
        fc.double({ min: 0, max: 5, noNaN: true }),
        fc.double({ min: 1, max: 10, noNaN: true }),
        (of, threshold, cap) => {
          const figures = figuresOf(of, { threshold, cap });
          const [mean = -1, largest = -1, kl = -1, share = -1, size = -1] = Object.values(figures);
          expect(mean).toBeLessThanOrEqual(largest * (1 + 1e-12));
          expect([mean, kl, share].every((figure) => figure >= 0)).toBe(true);
          expect(share > 0).toBe(largest > threshold);
          expect(size).toBeGreaterThanOrEqual((1 / of.length) * (1 - 1e-9));
          expect(size).toBeLessThanOrEqual(1 + 1e-9);
          expect(Object.values(figures).every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });

  it('counts a difference above the threshold, not at it', () => {
    expect(
      figuresOf(
        [
          [-2, -1],
          [-1, -2],
          [-4, -2],
          [-1, -1],
        ],
        { threshold: 1, cap: 2 },
      )['update/mismatch-share'],
    ).toBe(0.25);
  });

  it('ignores the order of the tokens', () => {
    fc.assert(
      fc.property(pairs, (of) => {
        const [there, back] = [figuresOf(of), figuresOf(of.toReversed())];
        for (const name of Object.keys(there)) expect(back[name]).toBeCloseTo(there[name] ?? Number.NaN, 9);
      }),
    );
  });

  it('estimates the KL between the two on samples from one', () => {
    const [given, ours] = [
      [0.5, 0.3, 0.2],
      [0.4, 0.4, 0.2],
    ] as const;
    const drawn = given.flatMap((share, token) =>
      Array.from({ length: Math.round(share * 10) }, (): readonly [number, number] => [
        Math.log(share),
        Math.log(ours[token] ?? 0),
      ]),
    );
    const exact = given.reduce((sum, share, token) => sum + share * Math.log(share / (ours[token] ?? 0)), 0);
    expect(figuresOf(drawn)['update/mismatch-kl']).toBeCloseTo(exact, 6);
  });

  it('stays finite for an extreme difference', () => {
    const figures = figuresOf(
      [
        [-9000, 0],
        [-1, -1],
      ],
      { threshold: 1, cap: 1e30 },
    );
    expect([
      figures['update/largest-mismatch'],
      Number.isFinite(figures['update/mismatch-kl']),
      Number.isFinite(figures['update/mismatch-sample-size']),
    ]).toEqual([9000, true, true]);
  });

  it.each([
    [Number.NaN, -1],
    [-1, Number.NaN],
    [-1, -Infinity],
    [-Infinity, -Infinity],
  ])('refuses %d beside %d, and names the token', (given, ours) => {
    expect(() =>
      figuresOf([
        [-1, -1],
        [given, ours],
      ]),
    ).toThrow(RunError);
    expect(() =>
      figuresOf([
        [-1, -1],
        [given, ours],
      ]),
    ).toThrow(/token 1 has the log-probability/);
  });

  it('refuses lists of different lengths', () => {
    expect(() => mismatchFigures(new Float32Array(2), new Float32Array(3), bounds)).toThrow(
      /2 log-probabilities cannot be compared with 3/,
    );
  });
});
