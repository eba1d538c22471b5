import { mkdtempSync } from 'node:fs';
import { cp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import { createRng } from '../../envs/core/rng.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import type { ChoiceTraining } from '../../models/choice/choice-batch.ts';
import { createChoiceModel, openChoiceModel, type ChoiceModel } from '../../models/choice/choice-model.ts';
import type { Objective } from '../../models/objectives/objective.ts';
import { openSafetensors } from '../../models/safetensors/read-safetensors.ts';
import { writeSafetensors } from '../../models/safetensors/write-safetensors.ts';
import { randomBatch, randomTraining } from './random-batch.ts';

const config = { buckets: 23, width: 12, hidden: 8 };
const clipped: Objective = {
  kind: 'policy',
  surrogate: { kind: 'clipped', options: {} },
  temperature: 1,
  low: 0.2,
  high: 0.28,
  klWeight: 0.1,
  entropyWeight: 0.01,
};
const step = { learningRate: 0.01, maxGradNorm: 1 };
const { signal } = new AbortController();
const root = mkdtempSync(join(tmpdir(), 'cairn-faults-'));
afterAll(() => rm(root, { recursive: true }));

const create = async (): Promise<ChoiceModel> =>
  createChoiceModel({ backend: await openBackend('wasm'), config, rng: createRng(5) });
const good = (seed = 1): ReturnType<typeof randomTraining> =>
  randomTraining(
    seed,
    randomBatch(seed, { decisions: 6, candidates: 5, features: 4, buckets: config.buckets }),
  );

async function expectRefused(work: Promise<unknown>, message: string | RegExp): Promise<void> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(UsageError.is(thrown), String(thrown)).toBe(true);
  expect(String(thrown)).toMatch(message);
}

describe('choice update with a non-finite number', () => {
  const cases: readonly (readonly [string, ChoiceTraining, RegExp])[] = [
    [
      'an advantage',
      { ...good(), advantage: good().advantage.fill(Number.NaN, 2, 3) },
      /update 7, advantage\[2\]: a value is NaN/,
    ],
    [
      'a weight',
      { ...good(), weight: good().weight.fill(Number.POSITIVE_INFINITY, 0, 1) },
      /update 7, weight\[0\]: a value is Infinity/,
    ],
    [
      'a proximal log-probability',
      { ...good(), proximalLogprob: good().proximalLogprob.fill(Number.NaN, 5) },
      /proximalLogprob\[5\]/,
    ],
    [
      'a behaviour log-probability',
      { ...good(), behaviourLogprob: good().behaviourLogprob.fill(Number.NEGATIVE_INFINITY) },
      /behaviourLogprob\[0\]/,
    ],
    [
      'a reference log-probability',
      { ...good(), referenceLogprobs: good().referenceLogprobs.fill(Number.NaN, 1, 2) },
      /referenceLogprobs\[1\]/,
    ],
    [
      'the gradient, by overflow',
      { ...good(), advantage: good().advantage.fill(3e38), weight: good().weight.fill(1) },
      /update 7, gradient of embedding: a value is/,
    ],
  ];

  test.each(cases)('stops when it is in %s, names it, and moves nothing', async (_, bad, message) => {
    const [hit, spared] = [await create(), await create()];
    await hit.accumulate(good(1), clipped, signal);
    const attempt = hit.accumulate({ ...bad, label: 'update 7' }, clipped, signal);
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toSatisfy((thrown) => RunError.is(thrown));
    expect(hit.version).toBe(0);
    await expectRefused(hit.apply(step), 'no gradient has accumulated');
    for (const model of [hit, spared]) {
      await model.accumulate(good(2), clipped, signal);
      await model.apply(step);
    }
    expect(await hit.logits(good())).toEqual(await spared.logits(good()));
  });
});

describe('malformed batch', () => {
  const base = good();
  const cases: readonly (readonly [string, ChoiceTraining, RegExp])[] = [
    [
      'feature above the buckets',
      { ...base, candidateFeatures: base.candidateFeatures.with(0, 23) },
      /candidateFeatures\[0\].*23, outside 0 to 22/,
    ],
    ['feature below 0', { ...base, stateFeatures: base.stateFeatures.with(1, -1) }, /stateFeatures\[1\]/],
    [
      'decreasing starts',
      { ...base, candidateStart: base.candidateStart.with(1, 99) },
      /candidateStart\[2\].*below/,
    ],
    [
      'starts that end early',
      { ...base, stateStart: base.stateStart.with(6, base.stateStart[5] as number) },
      /stateStart.*to share out|ends with/,
    ],
    ['starts that begin late', { ...base, rowStart: base.rowStart.with(0, 1) }, /rowStart.*begin with 0/],
    [
      'a decision without candidates',
      { ...base, rowStart: base.rowStart.with(1, 0) },
      /rowStart\[0\].*without candidates/,
    ],
    [
      'too few states',
      { ...base, stateStart: base.stateStart.with(5, base.stateFeatures.length).subarray(0, 6) },
      /stateStart.*6 entries/,
    ],
    ['a choice outside its rows', { ...base, chosen: base.chosen.with(3, 40) }, /chosen\[3\].*40/],
    ['a weight below 0', { ...base, weight: base.weight.with(2, -1) }, /weight\[2\]/],
    [
      'a missing advantage',
      { ...base, advantage: base.advantage.subarray(1) },
      /advantage.*5 entries where 6/,
    ],
    ['a normaliser of 0', { ...base, normaliser: 0 }, /normaliser/],
  ];

  test.each(cases)('causes an error: %s', async (_, bad, message) => {
    const model = await create();
    await expectRefused(model.accumulate(bad, clipped, signal), message);
    await expectRefused(model.apply(step), 'no gradient');
  });
});

describe('choice model', () => {
  test('refuses invalid options', async () => {
    const model = await create();
    const { referenceLogprobs: _, ...withoutReference } = good();
    await expectRefused(model.accumulate(withoutReference, clipped, signal), /referenceLogprobs.*klWeight/);
    await expectRefused(model.accumulate(good(), { ...clipped, low: -1 }, signal), /objective.*low/);
    await expectRefused(
      model.accumulate(good(), Object.assign({ clip: 0.2 }, clipped), signal),
      /objective.*clip/,
    );
    await expectRefused(model.logprobs(good(), 0), /temperature/);
    await model.accumulate(good(), clipped, signal);
    await expectRefused(model.apply({ ...step, beta1: 1 }), /optimiser step.*beta1/);
    await expectRefused(model.apply({ learningRate: Number.NaN, maxGradNorm: 1 }), /learningRate/);
  });

  test('refuses apply before accumulate, save between the two, and any call after dispose', async () => {
    const model = await create();
    await expectRefused(model.apply(step), 'no gradient');
    await model.accumulate({ ...good(), weight: new Float32Array(6) }, clipped, signal);
    await expectRefused(model.apply(step), 'no gradient');
    await model.accumulate(good(), clipped, signal);
    await expectRefused(model.save(join(root, 'early')), /would be lost/);
    await model.dispose();
    await model.dispose();
    await expectRefused(model.logits(good()), /after dispose/);
  });
});

test('an aborted update adds nothing', async () => {
  const model = await create();
  const controller = new AbortController();
  const running = model.accumulate(good(), clipped, controller.signal);
  const waiting = model.accumulate(good(), clipped, controller.signal);
  controller.abort(new Error('stop'));
  await expect(running).rejects.toThrow('stop');
  await expect(waiting).rejects.toThrow('stop');
  await expectRefused(model.apply(step), 'no gradient');
});

test('calls are answered in the order they came', async () => {
  const [atOnce, inTurn] = [await create(), await create()];
  const together = await Promise.all([
    atOnce.accumulate(good(1), clipped, signal),
    atOnce.apply(step),
    atOnce.logits(good()),
    atOnce.accumulate(good(2), clipped, signal),
    atOnce.apply(step),
    atOnce.logits(good()),
  ]);
  for (const [seed, place] of [
    [1, 2],
    [2, 5],
  ] as const) {
    await inTurn.accumulate(good(seed), clipped, signal);
    await inTurn.apply(step);
    expect(await inTurn.logits(good())).toEqual(together[place]);
  }
});

test('an empty batch scores and trains nothing', async () => {
  const model = await create();
  const empty = randomTraining(
    1,
    randomBatch(1, { decisions: 0, candidates: 1, features: 1, buckets: config.buckets }),
  );
  expect((await model.logprobs(empty, 1)).length).toBe(0);
  expect(await model.accumulate(empty, clipped, signal)).toMatchObject({
    count: 0,
    weight: 0,
    loss: 0,
    entropy: 0,
  });
});

describe('checkpoint of a choice model', () => {
  const weightsFile = 'weights.safetensors';
  const load = async (folder: string): Promise<unknown> => (await create()).load(folder);

  test('fails to load when it is cut off or mixes two saves, and the model stays usable', async () => {
    const folder = await savedWith('whole');
    const torn = join(root, 'torn');
    await cp(folder, torn, { recursive: true });
    await truncate(join(torn, weightsFile), 1500);
    await expectRefused(load(torn), /weights\.safetensors.*cut off at 1500/);
    const mixed = join(root, 'mixed');
    const model = await openChoiceModel({ backend: await openBackend('wasm'), folder });
    await model.accumulate(good(), clipped, signal);
    await model.apply(step);
    await model.save(mixed);
    await cp(join(folder, weightsFile), join(mixed, weightsFile));
    const before = await model.logits(good());
    await expectRefused(model.load(mixed), /weights are of version 1, its optimiser of version 2/);
    expect(await model.logits(good())).toEqual(before);
  });

  test('fails to load when it is missing, foreign or not finite', async () => {
    await expectRefused(load(join(root, 'absent')), /weights\.safetensors.*cannot be opened/);
    const folder = await savedWith('foreign');
    await writeSafetensors(
      join(folder, weightsFile),
      { a: { shape: [1], values: Float32Array.of(1) } },
      { format: 'pt' },
    );
    await expectRefused(load(folder), /not a choice model/);
    const spoilt = await savedWith('spoilt', (values, name) =>
      name === 'hidden.weight' ? values.fill(Number.NaN, 3, 4) : values,
    );
    await expectRefused(load(spoilt), /tensor "hidden\.weight": entry 3 is NaN/);
  });

  test('opens with openChoiceModel when its shape differs, while load refuses it', async () => {
    const folder = await savedWith('shape');
    const backend = await openBackend('wasm');
    const other = createChoiceModel({ backend, config: { ...config, hidden: 9 }, rng: createRng(1) });
    await expectRefused(other.load(folder), /hidden 8 instead of 9/);
    expect((await openChoiceModel({ backend, folder })).config).toEqual(config);
  });
});

/** A folder with a model that was saved after one update, its weights changed by `change`. */
async function savedWith(
  name: string,
  change?: (values: Float32Array, tensor: string) => Float32Array,
): Promise<string> {
  const folder = join(root, name);
  const model = await create();
  await model.accumulate(good(), clipped, signal);
  await model.apply(step);
  await model.save(folder);
  if (change === undefined) return folder;
  const path = join(folder, 'weights.safetensors');
  await using file = await openSafetensors(path);
  const changed = await Promise.all(
    [...file.tensors].map(
      async ([tensor, { shape }]) =>
        [tensor, { shape, values: change(await file.read(tensor), tensor) }] as const,
    ),
  );
  await writeSafetensors(path, Object.fromEntries(changed), file.metadata);
  return folder;
}
