import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TokenDecoding } from '../../../../agents/core/token-sampler.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import { drawToken } from '../../../../models/token/generate/draw-token.ts';

const decodingSchema = z.strictObject({
  temperature: z.number(),
  topK: z.number().optional(),
  topP: z.number().optional(),
  minP: z.number().optional(),
});
const goldenSchema = z.array(
  z.strictObject({
    decoding: decodingSchema,
    logits: z.array(z.number()),
    logprobs: z.array(z.number().nullable()),
  }),
);
const goldens = goldenSchema.parse(
  JSON.parse(readFileSync(new URL('../../../golden/sampling/goldens.json', import.meta.url), 'utf8')),
);

const decodingOf = ({ temperature, topK, topP, minP }: z.output<typeof decodingSchema>): TokenDecoding => ({
  temperature,
  ...(topK === undefined ? {} : { topK }),
  ...(topP === undefined ? {} : { topP }),
  ...(minP === undefined ? {} : { minP }),
});
const draw = (
  logits: ArrayLike<number>,
  decoding: TokenDecoding,
  uniform: () => number,
  candidates?: readonly number[],
) => drawToken({ logits: Float32Array.from(logits), candidates, decoding, uniform, where: 'episode 3' });

/** 0.1 % of chi-square with so many degrees of freedom lie above (Wilson and Hilferty 1931). */
const chiSquareBound = (freedom: number): number =>
  freedom * (1 - 2 / (9 * freedom) + 3.09 * Math.sqrt(2 / (9 * freedom))) ** 3;

describe('drawToken', () => {
  it.each(goldens.map((golden) => [JSON.stringify(golden.decoding), golden] as const))(
    'draws from the distribution of transformers: %s',
    (_, { decoding, logits, logprobs }) => {
      const rng = createRng(11).fork(JSON.stringify(decoding));
      const draws = 4000;
      const counts = new Map<number, number>();
      for (let number = 0; number < draws; number += 1) {
        const { token, logprob } = draw(logits, decodingOf(decoding), () => rng.uniform());
        expect(logprob).toBeCloseTo(logprobs[token] ?? Number.NaN, 5);
        counts.set(token, (counts.get(token) ?? 0) + 1);
      }
      const expected = logprobs.flatMap((logprob, token) =>
        logprob === null ? [] : [{ token, count: draws * Math.exp(logprob) }],
      );
      const common = expected.filter(({ count }) => count >= 5);
      const rare = expected.filter(({ count }) => count < 5);
      const rareCount = rare.reduce((sum, { count }) => sum + count, 0);
      const rareSeen = rare.reduce((sum, { token }) => sum + (counts.get(token) ?? 0), 0);
      const cells = [
        ...common.map(({ token, count }) => [count, counts.get(token) ?? 0] as const),
        ...(rareCount >= 5 ? [[rareCount, rareSeen] as const] : []),
      ];
      if (cells.length < 2) return;
      expect(cells.reduce((sum, [count, seen]) => sum + (seen - count) ** 2 / count, 0)).toBeLessThan(
        chiSquareBound(cells.length - 1),
      );
    },
  );

  it('draws every token that the filters leave, and no other', () => {
    for (const { decoding, logits, logprobs } of goldens) {
      const drawn = new Set<number>();
      const steps = 2_000;
      for (let step = 0; step < steps; step += 1)
        drawn.add(draw(logits, decodingOf(decoding), () => step / steps).token);
      const kept = logprobs.flatMap((logprob, token) =>
        logprob === null || logprob < Math.log(1 / steps) ? [] : [token],
      );
      expect(kept.every((token) => drawn.has(token))).toBe(true);
      expect([...drawn].every((token) => logprobs[token] !== null)).toBe(true);
    }
  });

  it('takes the most likely token at temperature 0, the first of equals, without randomness', () => {
    const never = (): number => expect.fail('chance was asked for');
    expect(draw([1, 3, 3, 2], { temperature: 0 }, never)).toEqual({ token: 1, logprob: 0 });
    expect(draw([1, 3, 3, 2], { temperature: 0 }, never, [3, 0])).toEqual({ token: 3, logprob: 0 });
  });

  it('ranks the first of equals as more likely', () => {
    const drawn = Array.from(
      { length: 100 },
      (_, step) => draw([2, 5, 5, 5, 5], { temperature: 1, topK: 2 }, () => step / 100).token,
    );
    expect([...new Set(drawn)]).toEqual([1, 2]);
  });

  it('draws from candidates as if no other token existed', () => {
    const logits = fc.array(fc.float({ min: -5, max: 5, noNaN: true }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(
        logits,
        fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (values, candidates, point, topP) => {
          const restricted = draw(values, { temperature: 0.8, topP }, () => point, candidates);
          const alone = draw(
            candidates.map((id) => values[id] as number),
            { temperature: 0.8, topP },
            () => point,
          );
          expect(restricted).toEqual({ token: candidates[alone.token], logprob: alone.logprob });
        },
      ),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'names the request and the token when a logit is %d',
    (odd) => {
      for (const temperature of [0, 1])
        expect(() => draw([1, odd, 2], { temperature }, () => 0.5)).toThrow(
          `what is written for episode 3: the logit of token 1 is ${odd}`,
        );
    },
  );

  it('draws the last token when rounding puts the point at the end', () => {
    expect(draw([0, 0, -800], { temperature: 1 }, () => 1).token).toBe(1);
  });
});
