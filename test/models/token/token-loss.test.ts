import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import type { TokenTraining } from '../../../models/token/token-batch.ts';
import type { LossSums } from '../../../models/loss-totals.ts';
import { TokenLoss, type TokenValues } from '../../../models/token/token-loss.ts';
import {
  tokenObjectiveSchema,
  type TokenObjective,
  type TokenObjectiveInput,
} from '../../../models/token/token-objective.ts';

const numbers = z.array(z.number());
const batchSchema = z.object({
  logprob: numbers,
  entropy: numbers,
  advantage: numbers,
  weight: numbers,
  proximalLogprob: numbers,
  behaviourLogprob: numbers,
  referenceLogprob: numbers,
});
const goldenSchema = z.object({
  lengths: numbers,
  batches: z.object({ near: batchSchema, far: batchSchema }),
  cases: z.array(
    z.object({
      batch: z.enum(['near', 'far']),
      objective: tokenObjectiveSchema,
      normaliser: z.number(),
      figures: z.record(z.string(), z.number()),
      slopes: z.object({ logprob: numbers, entropy: numbers }),
    }),
  ),
});

/** Made by PyTorch: see make-goldens.py beside it. */
const golden = goldenSchema.parse(
  JSON.parse(readFileSync(new URL('../../golden/token-loss/goldens.json', import.meta.url), 'utf8')),
);
const floats = (values: readonly number[]): Float32Array => Float32Array.from(values);
const { near } = golden.batches; // all have its log-probabilities, entropies and weights
const values: TokenValues = { logprob: floats(near.logprob), entropy: floats(near.entropy) };

/** Rows of one token more than are scored. */
function trainingOf(changes: Partial<TokenTraining> = {}, batch: 'near' | 'far' = 'near'): TokenTraining {
  const rowStart = [0];
  const scored: number[] = [];
  for (const length of golden.lengths) {
    const first = rowStart.at(-1) as number;
    for (let place = 1; place <= length; place += 1) scored.push(first + place);
    rowStart.push(first + length + 1);
  }
  const { advantage, weight, proximalLogprob, behaviourLogprob, referenceLogprob } = golden.batches[batch];
  return {
    tokens: new Int32Array(rowStart.at(-1) as number),
    rowStart: Int32Array.from(rowStart),
    scored: Int32Array.from(scored),
    advantage: floats(advantage),
    weight: floats(weight),
    proximalLogprob: floats(proximalLogprob),
    behaviourLogprob: floats(behaviourLogprob),
    referenceLogprob: floats(referenceLogprob),
    ...changes,
  };
}

const clipped = (changes: Partial<Extract<TokenObjectiveInput, { kind: 'policy' }>> = {}): TokenObjective =>
  tokenObjectiveSchema.parse({ kind: 'policy', low: 0.2, high: 0.28, ...changes });

describe.each(golden.cases.map((one, index) => ({ ...one, index })))(
  'token loss of case $index, $batch: $objective',
  ({ batch, objective, normaliser, figures, slopes }) => {
    test('equals PyTorch in value, figures and derivatives', () => {
      const loss = new TokenLoss(trainingOf({ normaliser }, batch), objective, 'golden batch');
      const made = loss.of([0, 1, 2], values);
      expectNear(made.slopes.logprob, slopes.logprob);
      expectNear(made.slopes.entropy, slopes.entropy);
      const ours: Readonly<Record<string, number>> = { ...loss.figures([made.sums]) };
      for (const [name, expected] of Object.entries(figures)) expectNear([ours[name] as number], [expected]);
    });

    test('stays the same row by row, in any order', () => {
      const loss = new TokenLoss(trainingOf({ normaliser }, batch), objective, 'golden batch');
      const whole = loss.of([0, 1, 2], values);
      const starts = [0, 4, 5, 12];
      const parts: LossSums[] = [];
      for (const row of [2, 0, 1]) {
        const part = (of: Float32Array): Float32Array => of.slice(starts[row], starts[row + 1]);
        const { sums, slopes: own } = loss.of([row], {
          logprob: part(values.logprob),
          entropy: part(values.entropy),
        });
        expect(own).toEqual({ logprob: part(whole.slopes.logprob), entropy: part(whole.slopes.entropy) });
        parts.push(sums);
      }
      const apart: Readonly<Record<string, number>> = { ...loss.figures(parts) };
      for (const [name, value] of Object.entries(loss.figures([whole.sums])))
        expectNear([apart[name] as number], [value]);
    });
  },
);

test('TokenLoss divides by the sum of weights without a normaliser', () => {
  const whole = near.weight.reduce((total, weight) => total + weight, 0);
  const [given, own] = [trainingOf({ normaliser: whole }), trainingOf()].map(
    (training) => new TokenLoss(training, clipped(), 'batch'),
  );
  const slopes = [given, own].map((loss) => loss?.of([0, 1, 2], values).slopes);
  expectNear(slopes[1]?.logprob ?? [], [...(slopes[0]?.logprob ?? [])]);
});

test.each(['token', 'sequence'] as const)(
  'the ratio per %s is exactly 1, and the KL 0, at unchanged weights',
  (ratio) => {
    const same = {
      proximalLogprob: values.logprob,
      behaviourLogprob: values.logprob,
      referenceLogprob: values.logprob,
    };
    const loss = new TokenLoss(
      trainingOf(same),
      clipped({ ratio, klWeight: 0.1, importanceCap: 2 }),
      'batch',
    );
    const {
      sums,
      slopes: { logprob },
    } = loss.of([0, 1, 2], values);
    expect(loss.figures([sums])).toMatchObject({
      meanRatio: 1,
      largestRatio: 1,
      clipFraction: 0,
      approximateKl: 0,
      referenceKl: 0,
      meanImportance: 1,
      count: 11,
    });
    const weightSum = near.weight.reduce((total, weight) => total + weight, 0);
    expectNear(
      logprob,
      near.advantage.map((advantage, token) => (-advantage * (near.weight[token] as number)) / weightSum),
    );
  },
);

test.each(['k1', 'k2', 'k3'] as const)('the gradient of %s is on average that of the KL', (klEstimator) => {
  // A policy over four tokens by its logits, each token drawn as often as it is likely: the mean of slope times the gradient of the
  // log-probability must be the gradient of the exact KL, p (log p - log q - KL).
  const logits = [0.3, -1.1, 0.9, 0.2];
  const other = [1, 0.5, -0.2, 0.4];
  const softmax = (of: readonly number[]): number[] =>
    of.map((logit) => Math.exp(logit) / of.reduce((total, one) => total + Math.exp(one), 0));
  const [p, q] = [softmax(logits), softmax(other)];
  const kl = p.reduce((total, share, token) => total + share * Math.log(share / (q[token] as number)), 0);
  const training: TokenTraining = {
    tokens: new Int32Array(5),
    rowStart: Int32Array.of(0, 5),
    scored: Int32Array.of(1, 2, 3, 4),
    advantage: new Float32Array(4),
    weight: floats(p),
    proximalLogprob: floats(p.map(Math.log)),
    behaviourLogprob: floats(p.map(Math.log)),
    referenceLogprob: floats(q.map(Math.log)),
  };
  const loss = new TokenLoss(training, clipped({ klWeight: 1, klEstimator }), 'batch');
  const { sums, slopes } = loss.of([0], { logprob: floats(p.map(Math.log)), entropy: new Float32Array(4) });
  const gradient = logits.map((_, by) =>
    slopes.logprob.reduce(
      (total, slope, token) => total + slope * ((token === by ? 1 : 0) - (p[by] as number)),
      0,
    ),
  );
  expectNear(
    gradient,
    p.map((share, by) => share * (Math.log(share / (q[by] as number)) - kl)),
  );
  if (klEstimator !== 'k2') expect(loss.figures([sums]).referenceKl).toBeCloseTo(kl, 6); // unbiased; k2 is not
});

test('TokenLoss refuses a KL weight without a reference, and names a non-finite value', () => {
  const { referenceLogprob: _, ...without } = trainingOf();
  expect(() => new TokenLoss(without, clipped({ klWeight: 0.1 }), 'update 3')).toThrow(UsageError);
  expect(() => new TokenLoss(without, clipped({ klWeight: 0.1 }), 'update 3')).toThrow(
    /update 3, referenceLogprob.*set klWeight to 0/,
  );
  const loss = new TokenLoss(without, clipped(), 'update 3');
  const spoilt = { ...values, logprob: values.logprob.slice().fill(Number.NaN, 7, 8) };
  expect(() => loss.of([0, 1, 2], spoilt)).toThrow(RunError);
  expect(() => loss.of([0, 1, 2], spoilt)).toThrow(/update 3, logprobs of scored token 7: a value is NaN/);
  const entropic = new TokenLoss(without, clipped({ entropyWeight: 0.1 }), 'update 3');
  expect(() =>
    entropic.of([0, 1, 2], {
      ...values,
      entropy: values.entropy.slice().fill(Number.POSITIVE_INFINITY, 1, 2),
    }),
  ).toThrow(/loss of scored token 1: a value is -Infinity/);
});

function expectNear(actual: ArrayLike<number>, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [at, value] of expected.entries())
    expect(
      Math.abs((actual[at] as number) - value) / Math.max(1e-2, Math.abs(value)),
      `entry ${at}: ${actual[at]} for ${value}`,
    ).toBeLessThan(5e-6);
}
