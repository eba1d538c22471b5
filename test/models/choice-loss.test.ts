import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChoiceTraining } from '../../models/choice/choice-batch.ts';
import { choiceLoss } from '../../models/choice/choice-loss.ts';
import { rowLogSoftmax } from '../../models/choice/row-softmax.ts';
import { objectiveSchema, type Objective } from '../../models/objectives/objective.ts';
import { referenceLoss } from '../support/reference-network/reference-loss.ts';
import { constant, differentiate } from '../support/reference-network/scalar.ts';
import { randomBatch, randomTraining, withoutDecisions } from './random-batch.ts';
import { runs } from '../support/thorough.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const positive = (max: number): fc.Arbitrary<number> => fc.double({ min: 0.05, max, noNaN: true });
const share = fc.double({ min: 0, max: 0.9, noNaN: true });

const objectives: fc.Arbitrary<Objective> = fc.oneof(
  fc.record({
    kind: fc.constant('imitate' as const),
    temperature: positive(3),
    labelSmoothing: share,
    entropyWeight: share,
  }),
  fc.record(
    {
      kind: fc.constant('policy' as const),
      surrogate: fc.constant({ kind: 'clipped', options: {} }),
      temperature: positive(3),
      low: share.map((value) => value + 0.05),
      high: positive(1),
      klWeight: share,
      entropyWeight: share,
      dualClip: positive(3).map((value) => value + 1),
      importanceCap: positive(2),
    },
    { requiredKeys: ['kind', 'surrogate', 'temperature', 'low', 'high', 'klWeight', 'entropyWeight'] },
  ),
);

interface Sample {
  readonly training: ChoiceTraining & { readonly referenceLogprobs: Float32Array };
  readonly logits: Float32Array;
}

function sample(seed: number, decisions = 6): Sample {
  const batch = randomBatch(seed, { decisions, candidates: 5, features: 1, buckets: 3 });
  const training = randomTraining(seed, batch);
  const logits = training.referenceLogprobs.map((value, row) => 1.5 * value + Math.sin(7 * row + seed));
  return { training, logits };
}

const sizeOf = (training: ChoiceTraining, decision: number): number =>
  (training.rowStart[decision + 1] as number) - (training.rowStart[decision] as number);

describe('loss of a choice batch', () => {
  test('equals its definition in value and gradient', () => {
    fc.assert(
      fc.property(seeds, objectives, (seed, objective) => {
        const { training, logits } = sample(seed);
        fc.pre(training.weight.some((weight) => weight > 0));
        const scalars = Array.from(logits, constant);
        const expected = referenceLoss(scalars, training, objective);
        const derivatives = differentiate(expected);
        const { figures, gradient } = choiceLoss(logits, training, objective, 'batch');
        expect(Math.abs(figures.loss - expected.value)).toBeLessThan(
          1e-5 * Math.max(1, Math.abs(expected.value)),
        );
        const slopes = scalars.map((scalar) => derivatives.get(scalar) ?? 0);
        const reach = 1e-5 * Math.max(1, ...slopes.map(Math.abs));
        for (const [row, slope] of slopes.entries())
          expect(Math.abs((gradient[row] as number) - slope)).toBeLessThan(reach);
      }),
      { numRuns: runs(300) },
    );
  });

  test('yields a gradient that sums to 0 within each decision, as a softmax ignores a shared offset', () => {
    fc.assert(
      fc.property(seeds, objectives, (seed, objective) => {
        const { training, logits } = sample(seed);
        const { gradient } = choiceLoss(logits, training, objective, 'batch');
        for (let decision = 0; decision + 1 < training.rowStart.length; decision += 1) {
          const rows = gradient.subarray(training.rowStart[decision], training.rowStart[decision + 1]);
          expect(Math.abs(rows.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-5);
        }
      }),
    );
  });

  test('yields bitwise the same for a decision alone, whatever else is in the batch', () => {
    fc.assert(
      fc.property(seeds, objectives, (seed, objective) => {
        const { training, logits } = sample(seed);
        const { gradient } = choiceLoss(logits, { ...training, normaliser: 3 }, objective, 'batch');
        const logprobs = rowLogSoftmax(logits, training.rowStart, objective.temperature);
        for (let decision = 0; decision + 1 < training.rowStart.length; decision += 1) {
          const [from, to] = [training.rowStart[decision], training.rowStart[decision + 1]];
          const alone = withoutDecisions(training, (other) => other !== decision);
          const own = logits.slice(from, to);
          expect(choiceLoss(own, { ...alone, normaliser: 3 }, objective, 'batch').gradient).toEqual(
            gradient.slice(from, to),
          );
          expect(rowLogSoftmax(own, alone.rowStart, objective.temperature)).toEqual(logprobs.slice(from, to));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('reports exact bounds: the entropy of a uniform policy is log n, and its KL to itself 0', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { training } = sample(seed, 1);
        const logits = new Float32Array(training.referenceLogprobs.length).fill(2.5);
        const own = rowLogSoftmax(logits, training.rowStart, 1);
        const { figures } = choiceLoss(
          logits,
          { ...training, weight: Float32Array.of(1), referenceLogprobs: own },
          objectiveSchema.parse({ kind: 'policy', low: 0.2, high: 0.2 }),
          'batch',
        );
        expect(figures.entropy).toBeCloseTo(Math.log(sizeOf(training, 0)), 6);
        expect(figures.referenceKl).toBe(0);
      }),
    );
  });
});

describe('clipped objective', () => {
  /** Two candidates; the first was chosen, and its probability is now `ratio` times 0.4. */
  const atRatio = (
    ratio: number,
    advantage: number,
    extra: Partial<Objective> = {},
  ): { readonly slope: number; readonly clipFraction: number; readonly policyLoss: number } => {
    const probability = 0.4 * ratio;
    const training: ChoiceTraining = {
      stateFeatures: new Int32Array(0),
      stateStart: new Int32Array(2),
      candidateFeatures: new Int32Array(0),
      candidateStart: new Int32Array(3),
      rowStart: Int32Array.of(0, 2),
      chosen: Int32Array.of(0),
      advantage: Float32Array.of(advantage),
      weight: Float32Array.of(1),
      proximalLogprob: Float32Array.of(Math.log(0.4)),
      behaviourLogprob: Float32Array.of(Math.log(0.2)),
    };
    const objective = objectiveSchema.parse({ kind: 'policy', low: 0.2, high: 0.28, ...extra });
    const { figures, gradient } = choiceLoss(
      Float32Array.of(Math.log(probability), Math.log(1 - probability)),
      training,
      objective,
      'batch',
    );
    return {
      slope: Math.sign(gradient[0] as number),
      clipFraction: figures.clipFraction,
      policyLoss: figures.policyLoss,
    };
  };

  test.each([
    // advantage, ratio, sign of the slope by the chosen logit, clipped
    [1, 1, -1, 0],
    [1, 1.27, -1, 0],
    [1, 1.29, 0, 1],
    [1, 0.5, -1, 0], // a good action that became rarer is pushed back up, however far
    [-1, 1, 1, 0],
    [-1, 0.81, 1, 0],
    [-1, 0.79, 0, 1],
    [-1, 2, 1, 0], // a bad action that became more frequent is pushed down, however far
    [0, 1, 0, 0],
  ])('yields for advantage %d at ratio %d a slope of sign %d', (advantage, ratio, slope, clipFraction) => {
    const result = atRatio(ratio, advantage);
    expect(result.slope + 0).toBe(slope);
    expect(result.clipFraction).toBe(clipFraction);
  });

  test('bounds the loss of a bad action a second time with dualClip', () => {
    expect(atRatio(2, -1, { dualClip: 1.5 })).toMatchObject({ slope: 0, clipFraction: 1 });
    expect(atRatio(2, -1, { dualClip: 1.5 }).policyLoss).toBeCloseTo(1.5, 6);
    expect(atRatio(1.4, -1, { dualClip: 1.5 })).toMatchObject({ slope: 1, clipFraction: 0 });
    expect(atRatio(2, 1, { dualClip: 1.5 }).policyLoss).toBeCloseTo(-1.28, 6);
  });

  test('weights a stale decision by proximal over behaviour, up to the cap', () => {
    expect(atRatio(1, 1).policyLoss).toBeCloseTo(-1, 6);
    expect(atRatio(1, 1, { importanceCap: 5 }).policyLoss).toBeCloseTo(-2, 6); // 0.4 / 0.2
    expect(atRatio(1, 1, { importanceCap: 1.5 }).policyLoss).toBeCloseTo(-1.5, 6);
  });
});

/*
 * Two decisions between two candidates of equal logits: what was chosen now has the probability 1/2. It had 1/4 in the first and 1 in the
 * second under the proximal policy, so the ratios are 2 and 1/2.
 */
test('the KL estimate is ratio - 1 - log ratio, computed by hand', () => {
  const training: ChoiceTraining = {
    stateFeatures: new Int32Array(),
    stateStart: Int32Array.of(0, 0, 0),
    candidateFeatures: new Int32Array(),
    candidateStart: new Int32Array(5),
    rowStart: Int32Array.of(0, 2, 4),
    chosen: Int32Array.of(0, 1),
    advantage: Float32Array.of(-1, 1),
    weight: Float32Array.of(1, 3),
    proximalLogprob: Float32Array.of(Math.log(1 / 4), 0),
    behaviourLogprob: Float32Array.of(Math.log(1 / 4), 0),
  };
  const objective = objectiveSchema.parse({ kind: 'policy', low: 0.2, high: 0.2 });
  const { figures } = choiceLoss(new Float32Array(4), training, objective, 'batch');
  expect(figures.approximateKl).toBeCloseTo(0.2215735903, 7); // (1 (2 - 1 - log 2) + 3 (1/2 - 1 + log 2)) / 4 = (2 log 2 - 1/2) / 4
  expect(figures.meanRatio).toBeCloseTo(0.875, 7); // (2 + 3/2) / 4
});
