import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory, tensor2d } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../envs/core/rng.ts';
import type { BackendName, TensorBackend } from '../../models/backend/backend.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import type { ChoiceTraining } from '../../models/choice/choice-batch.ts';
import { choiceLoss } from '../../models/choice/choice-loss.ts';
import { ChoiceModel, createChoiceModel, openChoiceModel } from '../../models/choice/choice-model.ts';
import { backward, forward } from '../../models/choice/choice-network.ts';
import { distinctRows, spreadOverRows } from '../../models/choice/distinct-rows.ts';
import {
  mapWeights,
  weightNames,
  weightShapes,
  type ChoiceWeights,
} from '../../models/choice/choice-weights.ts';
import { initialWeights } from '../../models/choice/initial-weights.ts';
import type { Objective } from '../../models/objectives/objective.ts';
import { optimiserStepSchema } from '../../models/policy-model.ts';
import { ReferenceNetwork } from '../support/reference-network/reference-network.ts';
import { randomBatch, randomTraining, withoutDecisions } from './random-batch.ts';

export interface ContractOptions {
  readonly backend: BackendName;
  /** Largest difference from the float64 reference, relative to the largest value of the tensor. */
  readonly tolerance: number;
  /** True where equal inputs must give equal bits, whatever else is in the batch. */
  readonly exact: boolean;
}

const objectives: readonly Objective[] = [
  { kind: 'imitate', temperature: 1, labelSmoothing: 0, entropyWeight: 0 },
  { kind: 'imitate', temperature: 0.7, labelSmoothing: 0.1, entropyWeight: 0.05 },
  {
    kind: 'policy',
    surrogate: { kind: 'clipped', options: {} },
    temperature: 1,
    low: 0.2,
    high: 0.28,
    klWeight: 0,
    entropyWeight: 0,
  },
  {
    kind: 'policy',
    surrogate: { kind: 'clipped', options: {} },
    temperature: 1.3,
    low: 0.2,
    high: 0.28,
    dualClip: 3,
    klWeight: 0.1,
    entropyWeight: 0.02,
    importanceCap: 1.1,
  },
];
const clipped = objectives[3] as Objective;
const step = { learningRate: 0.01, maxGradNorm: 1, weightDecay: 0.01 };
/** Strides and a decay that show, and an epsilon that keeps AdamW from blowing up the rounding of gradients that are all but 0. */
const wideStep = { learningRate: 0.05, maxGradNorm: 0.01, weightDecay: 0.5, epsilon: 1e-3 };
const { signal } = new AbortController();

/** Widths that fill vectors and blocks, and widths that leave rests. */
const configs = [
  { buckets: 31, width: 3, hidden: 5 },
  { buckets: 23, width: 12, hidden: 8 },
  { buckets: 17, width: 36, hidden: 4 },
] as const;
const config = configs[1];

/** What every tensor backend must do, checked against the float64 reference. */
export function choiceContract(options: ContractOptions): void {
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend(options.backend);
  });
  const create = (seed = 5): ChoiceModel => createChoiceModel({ backend, config, rng: createRng(seed) });

  describe.each(configs)('network of $width by $hidden', (shape) => {
    const weights = initialWeights(shape, createRng(3));
    const reference = new ReferenceNetwork(shape, weights);
    const training = trainingOf(4, 12, shape.buckets);

    test('scores like the reference', async () => {
      const model = createChoiceModel({ backend, config: shape, rng: createRng(3) });
      expectClose(await model.logits(training), reference.logits(training), options.tolerance);
    });

    test.each(objectives)(
      'computes the reference’s gradient of $kind for every weight',
      async (objective) => {
        const expected = reference.gradient(training, objective);
        const actual = await gradientOn(backend, { shape, weights, training, objective });
        for (const name of weightNames) expectClose(actual[name], expected[name], options.tolerance);
      },
    );
  });

  test.each(objectives)('moves by $kind like the reference over several updates', async (objective) => {
    const model = create();
    const reference = new ReferenceNetwork(config, initialWeights(config, createRng(5)));
    for (let update = 0; update < 4; update += 1) {
      const training = trainingOf(update, 9, config.buckets);
      const { loss } = await model.accumulate(training, objective, signal);
      expect(loss).toBeCloseTo(reference.loss(training, objective), 4);
      const expected = reference.apply(
        reference.gradient(training, objective),
        optimiserStepSchema.parse(wideStep),
      );
      const { gradNorm } = await model.apply(wideStep);
      expect(gradNorm / expected.gradNorm).toBeCloseTo(1, 4);
      expect(gradNorm).toBeGreaterThan(wideStep.maxGradNorm);
      expectClose(await model.logits(training), reference.logits(training), 20 * options.tolerance);
    }
    expect(model.version).toBe(4);
  });

  test('parts of a batch under one normaliser yield the gradient of the whole', async () => {
    const whole = trainingOf(6, 12, config.buckets);
    const normaliser = whole.weight.reduce((sum, weight) => sum + weight, 0);
    const [together, apart] = [create(), create()];
    await together.accumulate(whole, clipped, signal);
    for (const part of [
      withoutDecisions(whole, (decision) => decision < 7),
      withoutDecisions(whole, (decision) => decision >= 7),
    ]) {
      await apart.accumulate({ ...part, normaliser }, clipped, signal);
    }
    const norms = [(await together.apply(step)).gradNorm, (await apart.apply(step)).gradNorm] as const;
    expect(norms[1] / norms[0]).toBeCloseTo(1, 5);
  });

  test('a decision of weight 0 changes nothing', async () => {
    const whole = trainingOf(7, 12, config.buckets);
    const [all, trained] = [create(), create()];
    const left = withoutDecisions(whole, (decision) => whole.weight[decision] === 0);
    expect(left.weight.length).toBeLessThan(whole.weight.length);
    const figures = await all.accumulate(whole, clipped, signal);
    expect(figures).toEqual(await trained.accumulate(left, clipped, signal));
    expect((await all.apply(step)).gradNorm / (await trained.apply(step)).gradNorm).toBeCloseTo(1, 5);
  });

  test('unchanged weights yield ratio 1 and KL 0, exactly', async () => {
    const model = create();
    const training = trainingOf(8, 12, config.buckets);
    const own = await model.logprobs(training, 1.3);
    const proximalLogprob = training.chosen.reduce((values, chosen, decision) => {
      values[decision] = own[(training.rowStart[decision] as number) + chosen] as number;
      return values;
    }, new Float32Array(training.chosen.length));
    const figures = await model.accumulate(
      { ...training, proximalLogprob, behaviourLogprob: proximalLogprob, referenceLogprobs: own },
      clipped,
      signal,
    );
    if (options.exact)
      expect(figures).toMatchObject({
        meanRatio: 1,
        largestRatio: 1,
        referenceKl: 0,
        approximateKl: 0,
        clipFraction: 0,
        meanImportance: 1,
      });
    else expect(figures.largestRatio).toBeCloseTo(1, 5);
  });

  test('a row has the same score whatever else is in the batch', async () => {
    const model = createChoiceModel({
      backend,
      config: { buckets: 300, width: 32, hidden: 40 },
      rng: createRng(2),
    });
    const batch = randomBatch(1, { decisions: 257, candidates: 1, features: 9, buckets: 300 });
    const all = await model.logits(batch);
    const sizes = options.exact ? Array.from({ length: 257 }, (_, index) => index + 1) : [1, 33, 256];
    for (const size of sizes) {
      const first = await model.logits(withoutDecisions(batch, (decision) => decision >= size));
      if (options.exact) expect(first).toEqual(all.subarray(0, size));
      else expectClose(first, all.subarray(0, size), options.tolerance);
    }
  });

  test.each([Number.NaN, 2e38])(
    'a weight of %d, or an overflow from it, is named when scoring and when learning',
    async (bad) => {
      const value = initialWeights(config, createRng(5));
      value.embedding.fill(bad);
      const model = new ChoiceModel(backend, {
        config,
        version: 3,
        step: 3,
        value,
        first: value,
        second: value,
      });
      const training = trainingOf(1, 9, config.buckets);
      await expect(model.logits(training)).rejects.toThrow(
        /^batch scored at version 3, logits\[\d+\]: a value is/,
      );
      await expect(model.accumulate(training, clipped, signal)).rejects.toThrow(
        /^batch 1 after version 3, logits\[\d+\]: a value is/,
      );
      await model.dispose();
    },
  );

  test('keeps no tensors over many updates, even when a batch fails', async () => {
    const model = create();
    await train(model, 2);
    const { numTensors, numBytes } = memory();
    await train(model, options.exact ? 20 : 5);
    for (let failure = 0; failure < 5; failure += 1) {
      const training = trainingOf(failure, 5, config.buckets);
      training.advantage[0] = Number.NaN;
      await expect(model.accumulate(training, clipped, signal)).rejects.toThrow('NaN');
    }
    expect(memory()).toMatchObject({ numTensors, numBytes });
    await model.dispose();
    expect(memory().numTensors).toBe(numTensors - 15);
  });

  test('continues after save and load as if never interrupted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-model-'));
    try {
      const model = create();
      await train(model, 3);
      await model.save(folder);
      const opened = await openChoiceModel({ backend, folder });
      const loaded = create(6);
      await loaded.load(folder);
      expect([opened.version, loaded.version]).toEqual([3, 3]);
      const after = await train(model, 3);
      if (options.exact) {
        expect(await train(opened, 3)).toEqual(after);
        expect(await train(loaded, 3)).toEqual(after);
      } else expectClose(await train(opened, 3), after, 100 * options.tolerance);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  if (options.exact) {
    test('computes the same bits for the same inputs', async () => {
      expect(await train(create(), 5)).toEqual(await train(create(), 5));
    });
  }
}

function trainingOf(seed: number, decisions: number, buckets: number): ReturnType<typeof randomTraining> {
  return randomTraining(seed, randomBatch(seed, { decisions, candidates: 6, features: 7, buckets }));
}

async function train(model: ChoiceModel, updates: number): Promise<Float32Array> {
  for (let update = 0; update < updates; update += 1) {
    for (const part of [0, 100])
      await model.accumulate(trainingOf(update + part, 9, config.buckets), clipped, signal);
    await model.apply(step);
  }
  return model.logits(
    randomBatch(99, { decisions: 20, candidates: 6, features: 7, buckets: config.buckets }),
  );
}

/** The gradient as the backend works it out, before any optimiser touches it. */
async function gradientOn(
  backend: TensorBackend,
  of: {
    readonly shape: Parameters<typeof weightShapes>[0];
    readonly weights: ChoiceWeights<Float32Array>;
    readonly training: ChoiceTraining;
    readonly objective: Objective;
  },
): Promise<ChoiceWeights<Float32Array>> {
  const shapes = weightShapes(of.shape);
  const weights = backend.run(() => mapWeights((name) => tensor2d(of.weights[name], shapes[name])));
  const rows = distinctRows(of.training);
  const activations = backend.run(() => forward(weights, rows));
  const { gradient } = choiceLoss(
    spreadOverRows(rows, await backend.read(activations.logits)),
    of.training,
    of.objective,
    'batch',
  );
  const gradients = backend.run(() => backward(weights, rows, activations, gradient));
  const read = await Promise.all(
    weightNames.map(async (name) => [name, await backend.read(gradients[name])] as const),
  );
  for (const tensor of [weights, activations, gradients].flatMap((record) =>
    Object.values<{ dispose(): void }>(record),
  ))
    tensor.dispose();
  return mapWeights((name) => new Map(read).get(name) ?? new Float32Array(0));
}

/** Every value within `tolerance` of the largest expected one. */
function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  const values = Array.from(expected);
  const reach = tolerance * Math.max(1e-3, ...values.map(Math.abs));
  const worst = Math.max(0, ...values.map((value, at) => Math.abs(value - (actual[at] ?? Number.NaN))));
  expect(worst).toBeLessThanOrEqual(reach);
}
