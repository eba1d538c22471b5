import { readFileSync } from 'node:fs';
import { tensor2d, type Tensor2D } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openBackend } from '../../models/backend/open-backend.ts';
import { muonStep } from '../../models/kernels/muon.ts';
import type { OptimiserStepInput } from '../../models/policy-model.ts';
import type { AdamState } from '../../models/kernels/operations.ts';
import { createRng } from '../../envs/core/rng.ts';
import { createChoiceModel } from '../../models/choice/choice-model.ts';

const numbers = z.array(z.number());
const cases = z
  .array(
    z.strictObject({
      shape: z.tuple([z.int(), z.int()]),
      start: numbers,
      gradients: z.array(numbers),
      value: numbers,
      momentum: numbers,
    }),
  )
  .parse(JSON.parse(readFileSync('test/golden/muon/steps.json', 'utf8')));
const constants = { learningRate: 0.02, weightDecay: 0.1, gradientScale: 1, momentum: 0.95 };

test.each(cases.flatMap((one) => (['wasm', 'cpu'] as const).map((backend) => ({ ...one, backend }))))(
  'three steps of Muon for a matrix of $shape on $backend agree with the reference',
  async ({ shape, start, gradients, value, momentum, backend: name }) => {
    const backend = await openBackend(name);
    const end = backend.run(() => {
      const of = (values: readonly number[]): Tensor2D => tensor2d([...values], shape);
      const zeros = start.map(() => 0);
      let state: AdamState = { value: of(start), first: of(zeros), second: of(zeros) };
      for (const gradient of gradients) state = muonStep(state, of(gradient), constants);
      return state;
    });
    const near = (own: Float32Array, expected: readonly number[]): void => {
      const furthest = Math.max(...expected.map((number, at) => Math.abs(number - (own[at] ?? Number.NaN))));
      expect(furthest).toBeLessThan(2e-5);
    };
    near(await backend.read(end.value), value);
    near(await backend.read(end.first), momentum);
    Object.values(end).forEach((tensor) => tensor.dispose());
  },
);

test('a choice model with Muon learns otherwise than with AdamW', async () => {
  const backend = await openBackend('cpu');
  const after = async (optimiser: OptimiserStepInput['optimiser']) => {
    const config = { buckets: 16, width: 16, hidden: 16 };
    const model = createChoiceModel({ backend, config, rng: createRng(1) });
    const batch = {
      stateFeatures: Int32Array.of(1, 2),
      stateStart: Int32Array.of(0, 2),
      candidateFeatures: Int32Array.of(3, 4),
      candidateStart: Int32Array.of(0, 1, 2),
      rowStart: Int32Array.of(0, 2),
    };
    const ones = Float32Array.of(1);
    const training = {
      ...batch,
      chosen: Int32Array.of(0),
      advantage: ones,
      weight: ones,
      behaviourLogprob: Float32Array.of(-0.7),
      proximalLogprob: Float32Array.of(-0.7),
    };
    const objective = { kind: 'imitate', temperature: 1, labelSmoothing: 0, entropyWeight: 0 } as const;
    for (let step = 0; step < 3; step += 1) {
      await model.accumulate(training, objective, new AbortController().signal);
      await model.apply({ optimiser, learningRate: 0.01, maxGradNorm: 1 });
    }
    const logits = await model.logits(batch);
    await model.dispose();
    return logits;
  };
  const [muon, adamw] = [await after({ kind: 'muon' }), await after({ kind: 'adamw' })];
  expect(muon).not.toEqual(adamw);
  for (const [chosen = 0, other = 0] of [muon, adamw]) expect(chosen).toBeGreaterThan(other);
});
