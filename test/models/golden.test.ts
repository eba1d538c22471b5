import { readFileSync } from 'node:fs';
import { tensor2d, type Tensor2D } from '@tensorflow/tfjs-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openBackend } from '../../models/backend/open-backend.ts';
import type { ChoiceTraining } from '../../models/choice/choice-batch.ts';
import { choiceLoss } from '../../models/choice/choice-loss.ts';
import { adamStep, type AdamState } from '../../models/kernels/operations.ts';
import { objectiveSchema } from '../../models/objectives/objective.ts';
import { referenceLoss } from '../support/reference-network/reference-loss.ts';
import { constant, differentiate } from '../support/reference-network/scalar.ts';

const numbers = z.array(z.number());
const goldenSchema = z.object({
  batch: z.object({
    sizes: numbers,
    chosen: numbers,
    logits: numbers,
    advantage: numbers,
    weight: numbers,
    referenceLogprobs: numbers,
    proximalLogprob: numbers,
    behaviourLogprob: numbers,
  }),
  cases: z.array(
    z.object({ objective: objectiveSchema, figures: z.record(z.string(), z.number()), gradient: numbers }),
  ),
  adam: z.array(
    z.object({
      constants: z.object({
        learningRate: z.number(),
        beta1: z.number(),
        beta2: z.number(),
        epsilon: z.number(),
        weightDecay: z.number(),
      }),
      maxGradNorm: z.number(),
      start: numbers,
      steps: z.array(
        z.object({
          gradient: numbers,
          gradNorm: z.number(),
          value: numbers,
          first: numbers,
          second: numbers,
        }),
      ),
    }),
  ),
});

/** Made by PyTorch: see make-goldens.py beside it. */
const golden = goldenSchema.parse(
  JSON.parse(readFileSync(new URL('../golden/choice/goldens.json', import.meta.url), 'utf8')),
);
const logits = Float32Array.from(golden.batch.logits);
const training = trainingOf(golden.batch);

describe.each(golden.cases)('loss $objective', ({ objective, figures, gradient }) => {
  test('equals PyTorch in value, figures and gradient', () => {
    const loss = choiceLoss(logits, training, objective, 'golden batch');
    expectNear(loss.gradient, gradient, 1e-6);
    const {
      loss: value,
      policyLoss,
      entropy,
      referenceKl,
      meanRatio,
      largestRatio,
      clipFraction,
    } = loss.figures;
    const ours: Readonly<Record<string, number>> = {
      loss: value,
      policyLoss,
      entropy,
      referenceKl,
      meanRatio,
      largestRatio,
      clipFraction,
    };
    for (const [name, expected] of Object.entries(figures)) expect(ours[name], name).toBeCloseTo(expected, 5);
  });

  test('equals the reference in its gradient', () => {
    const scalars = golden.batch.logits.map(constant);
    const result = referenceLoss(scalars, training, objective);
    const derivatives = differentiate(result);
    expect(result.value).toBeCloseTo(figures['loss'] ?? Number.NaN, 7);
    expectNear(
      scalars.map((scalar) => derivatives.get(scalar) ?? 0),
      gradient,
      1e-7,
    );
  });
});

describe.each(['wasm', 'cpu'] as const)('AdamW on %s', (name) => {
  test.each(golden.adam)(
    'steps like PyTorch with decay $constants.weightDecay',
    async ({ constants, maxGradNorm, start, steps }) => {
      const backend = await openBackend(name);
      const on = (values: readonly number[]): Tensor2D =>
        tensor2d(Float32Array.from(values), [1, values.length]);
      const zeros = start.map(() => 0);
      let state: AdamState = backend.run(() => ({ value: on(start), first: on(zeros), second: on(zeros) }));
      for (const [index, expected] of steps.entries()) {
        const gradientScale = Math.min(1, maxGradNorm / (Math.hypot(...expected.gradient) + 1e-6));
        expect(Math.hypot(...expected.gradient)).toBeCloseTo(expected.gradNorm, 6);
        state = backend.run(() =>
          adamStep(state, on(expected.gradient), { ...constants, gradientScale, step: index + 1 }),
        );
        for (const part of ['value', 'first', 'second'] as const)
          expectNear(await backend.read(state[part]), expected[part], 3e-7);
      }
    },
  );
});

function trainingOf(batch: z.output<typeof goldenSchema>['batch']): ChoiceTraining {
  const rowStart = Int32Array.from([
    0,
    ...batch.sizes.map((_, index) => batch.sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0)),
  ]);
  return {
    rowStart,
    stateFeatures: new Int32Array(0),
    stateStart: new Int32Array(batch.sizes.length + 1),
    candidateFeatures: new Int32Array(0),
    candidateStart: new Int32Array(batch.logits.length + 1),
    chosen: Int32Array.from(batch.chosen),
    advantage: Float32Array.from(batch.advantage),
    weight: Float32Array.from(batch.weight),
    behaviourLogprob: Float32Array.from(batch.behaviourLogprob),
    proximalLogprob: Float32Array.from(batch.proximalLogprob),
    referenceLogprobs: Float32Array.from(batch.referenceLogprobs),
  };
}

/** Every value within `tolerance` of the expected one, relative where that is above 1. */
function expectNear(actual: ArrayLike<number>, expected: readonly number[], tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  const worst = Math.max(
    ...expected.map(
      (value, at) => Math.abs(value - (actual[at] ?? Number.NaN)) / Math.max(1, Math.abs(value)),
    ),
  );
  expect(worst).toBeLessThan(tolerance);
}
