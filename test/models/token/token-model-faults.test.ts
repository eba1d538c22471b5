import { mkdtempSync } from 'node:fs';
import { cp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory } from '@tensorflow/tfjs-core';
import { afterAll, describe, expect, test } from 'vitest';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { memoryFull } from '../../../models/backend/memory-full.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { openSafetensors } from '../../../models/safetensors/read-safetensors.ts';
import { writeSafetensors } from '../../../models/safetensors/write-safetensors.ts';
import { loraConfigSchema, type LoraConfig } from '../../../models/token/lora.ts';
import { readWeights, uploadTensors } from '../../../models/token/checkpoint.ts';
import { openTokenModel } from '../../../models/token/open-token-model.ts';
import type { TokenTraining } from '../../../models/token/token-batch.ts';
import { TokenModel, type TokenModelSettingsInput } from '../../../models/token/token-model.ts';
import type { TokenObjectiveInput } from '../../../models/token/token-objective.ts';
import { readTransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../models/token/weight-layout.ts';
import { goldenFolder } from './golden-model.ts';
import { batchOf, imitationOf, randomTraining } from './random-tokens.ts';

const vocabulary = 300;
const clipped: TokenObjectiveInput = {
  kind: 'policy',
  low: 0.2,
  high: 0.28,
  klWeight: 0.1,
  entropyWeight: 0.01,
};
const step = { learningRate: 0.01, maxGradNorm: 1 };
const lora = loraConfigSchema.parse({ rank: 2, alpha: 4, targets: ['v_proj'] });
const { signal } = new AbortController();
const root = mkdtempSync(join(tmpdir(), 'cairn-token-faults-'));
afterAll(() => rm(root, { recursive: true }));

async function open(
  of: {
    readonly backend?: TensorBackend;
    readonly folder?: string;
    readonly lora?: LoraConfig;
    readonly settings?: TokenModelSettingsInput;
  } = {},
): Promise<TokenModel> {
  const {
    backend = await openBackend('wasm'),
    folder = goldenFolder('qwen2'),
    lora: config,
    settings = {},
  } = of;
  return openTokenModel({
    backend,
    folder,
    settings,
    ...(config === undefined ? {} : { adapter: { kind: 'new', config, rng: createRng(1) } }),
  });
}
const good = (seed = 1): ReturnType<typeof randomTraining> => randomTraining(seed, { rows: 5, vocabulary });

async function expectRefused(work: Promise<unknown>, message: RegExp): Promise<void> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(UsageError.is(thrown), String(thrown)).toBe(true);
  expect(String(thrown)).toMatch(message);
}

async function expectFailed(work: Promise<unknown>, message: RegExp): Promise<void> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(RunError.is(thrown), String(thrown)).toBe(true);
  expect(String(thrown)).toMatch(message);
}

async function rewritten(
  file: string,
  change: (values: Float32Array, tensor: string) => Float32Array,
): Promise<void> {
  await using stored = await openSafetensors(file);
  const tensors = await Promise.all(
    [...stored.tensors].map(
      async ([name, { shape }]) => [name, { shape, values: change(await stored.read(name), name) }] as const,
    ),
  );
  await writeSafetensors(file, Object.fromEntries(tensors), stored.metadata);
}

describe('token update with a non-finite number', () => {
  const spoilt = (values: Float32Array, value: number, at: number): Float32Array =>
    values.slice().fill(value, at, at + 1);
  test.each<readonly [string, Partial<TokenTraining>, RegExp]>([
    [
      'an advantage',
      { advantage: spoilt(good().advantage, Number.NaN, 2) },
      /update 7, advantage\[2\]: a value is NaN/,
    ],
    [
      'a weight',
      { weight: spoilt(good().weight, Number.POSITIVE_INFINITY, 0) },
      /update 7, weight\[0\]: a value is Infinity/,
    ],
    [
      'a proximal log-probability',
      { proximalLogprob: spoilt(good().proximalLogprob, Number.NaN, 3) },
      /proximalLogprob\[3\]/,
    ],
    [
      'a behaviour log-probability',
      { behaviourLogprob: spoilt(good().behaviourLogprob, Number.NEGATIVE_INFINITY, 1) },
      /behaviourLogprob\[1\]/,
    ],
    [
      'a reference log-probability',
      { referenceLogprob: spoilt(good().referenceLogprob, Number.NaN, 1) },
      /referenceLogprob\[1\]/,
    ],
    [
      'an advantage whose loss overflows',
      { advantage: spoilt(good().advantage, 3e38, 0) },
      /update 7, gradient of [\w.]+: a value is/,
    ],
  ])(
    'stops before the weights move when it is in %s, names it, and drops the accumulated gradient',
    async (_, changes, message) => {
      const model = await open();
      const before = await model.logprobs(good(), 1);
      await model.accumulate(good(2), clipped, signal);
      await expectFailed(
        model.accumulate({ ...good(), ...changes, label: 'update 7' }, clipped, signal),
        message,
      );
      await expectRefused(model.apply(step), /no gradient has accumulated/);
      expect(await model.logprobs(good(), 1)).toEqual(before);
      await model.dispose();
    },
  );

  test.each([Number.NaN, 2e38])(
    'stops scoring and learning when a weight is %d or overflows from it, and names it',
    async (bad) => {
      const backend = await openBackend('wasm');
      const config = await readTransformerConfig(goldenFolder('qwen2'));
      const weights: Record<string, Float32Array> = {};
      for await (const [name, values] of readWeights(goldenFolder('qwen2'), config)) weights[name] = values;
      weights['model.layers.1.mlp.up_proj.weight']?.fill(bad);
      const transformer = {
        config,
        weights: await uploadTensors(backend, weightShapes(config), Object.entries(weights)),
        adapter: undefined,
      };
      const model = new TokenModel({ backend, transformer, baseModel: { name: 'test' }, version: 3 });
      await expectFailed(
        model.logprobs(good(), 1),
        /batch scored at version 3, logprob of scored token \d+: a value is/,
      );
      await expectFailed(
        model.accumulate(good(), clipped, signal),
        /batch 1 after version 3, logprobs of scored token \d+: a value is/,
      );
      await expectRefused(model.apply(step), /no gradient has accumulated/);
      await model.dispose();
    },
  );
});

describe('checkpoint with finite weights whose results overflow', () => {
  async function overflowing(name: string, folder: string, file: string, tensor: string): Promise<string> {
    await cp(folder, join(root, name), { recursive: true });
    await rewritten(join(root, name, file), (values, of) =>
      of.includes(tensor) ? values.map((_, at) => (at % 2 === 0 ? 2e38 : -2e38)) : values,
    );
    return join(root, name);
  }

  test('fails to open, by its folder, and leaves no tensors', async () => {
    const { numTensors } = memory();
    const weights = await overflowing('overflowing', goldenFolder('qwen2'), 'model.safetensors', 'up_proj');
    await expectRefused(
      open({ folder: weights }),
      /overflowing: its weights are finite, but the model's results are not: a logit is -?(?:NaN|Infinity)\. Use an intact checkpoint/,
    );
    await expectRefused(open({ folder: weights, lora }), /overflowing: its weights/);
    const adapter = await overflowing(
      'overflown',
      join(goldenFolder('qwen2'), 'adapter'),
      'adapter_model.safetensors',
      'lora_B',
    );
    const backend = await openBackend('wasm');
    await expectRefused(
      openTokenModel({
        backend,
        folder: goldenFolder('qwen2'),
        adapter: { kind: 'stored', folder: adapter },
      }),
      /overflown: its weights/,
    );
    expect(memory().numTensors).toBe(numTensors);
  });
});

describe('token model', () => {
  const ok = imitationOf(
    batchOf([
      [1, 2, 3],
      [4, 5],
    ]),
  );
  test.each<readonly [string, Partial<TokenTraining>, RegExp]>([
    [
      'starts that do not begin with 0',
      { rowStart: Int32Array.of(1, 5) },
      /rowStart: it does not begin with 0/,
    ],
    [
      'decreasing starts',
      { rowStart: Int32Array.of(0, 4, 3, 5) },
      /rowStart\[2\]: it is 3, below the entry before it/,
    ],
    [
      'starts that leave tokens out',
      { rowStart: Int32Array.of(0, 3) },
      /rowStart: it ends with 3, but there are 5/,
    ],
    [
      'an empty row',
      { rowStart: Int32Array.of(0, 3, 3, 5) },
      /rowStart\[1\]: it leaves a row without tokens/,
    ],
    [
      'a row beyond the context',
      { ...imitationOf(batchOf([Array.from({ length: 257 }, () => 1)])) },
      /row 0: it has 257 tokens, but the model's context has 256\. Shorten what the policy is shown/,
    ],
    [
      'an unknown token',
      { tokens: Int32Array.of(1, 2, 3, 300, 5) },
      /tokens\[3\]: its id is 300, but the model knows the ids below 300\. Use the tokenizer/,
    ],
    [
      'places that do not increase',
      { scored: Int32Array.of(2, 1, 4) },
      /scored\[1\]: it is 1: the places do not rise/,
    ],
    [
      'a place beyond the end',
      { scored: Int32Array.of(1, 2, 5) },
      /scored\[2\]: it is 5: the places do not rise from 1 to 4/,
    ],
    [
      'a scored first token of a row',
      { scored: Int32Array.of(1, 2, 3) },
      /scored\[2\]: it is 3, the first token of a row/,
    ],
    [
      'an array of another length',
      { advantage: new Float32Array(2) },
      /advantage: it has 2 entries where 3 are due/,
    ],
    ['a weight below 0', { weight: Float32Array.of(1, -1, 1) }, /weight\[1\]: it is -1, below 0/],
    ['a normaliser of 0', { normaliser: 0 }, /normaliser: it is 0, not above 0/],
    [
      'allowed lists for other tokens',
      { allowed: { members: Int32Array.of(2), start: Int32Array.of(0, 1, 1) } },
      /allowed\.start: it has 3 entries for 3 scored tokens/,
    ],
    [
      'a token that was not allowed',
      { allowed: { members: Int32Array.of(7, 8), start: Int32Array.of(0, 0, 2, 2) } },
      /allowed, scored token 1: it is 3, which is not among/,
    ],
    [
      'an unknown allowed token',
      { allowed: { members: Int32Array.of(3, 300), start: Int32Array.of(0, 0, 2, 2) } },
      /allowed\.members\[1\]: its id is 300/,
    ],
  ])('refuses a batch with %s', async (_, changes, message) => {
    const model = await open();
    await expectRefused(model.accumulate({ ...ok, ...changes }, { kind: 'imitate' }, signal), message);
    await expectRefused(model.apply(step), /no gradient/);
    await model.dispose();
  });

  test('refuses invalid settings, objectives, steps and temperatures, and rows too long for a pass', async () => {
    await expectRefused(open({ settings: { tokensAtOnce: 0 } }), /tokensAtOnce/);
    const model = await open({ settings: { tokensAtOnce: 4 } });
    const long = imitationOf(
      batchOf([
        [1, 2],
        [1, 2, 3, 4, 5],
      ]),
    );
    await model.accumulate(ok, { kind: 'imitate' }, signal);
    await expectRefused(
      model.accumulate(long, { kind: 'imitate' }, signal),
      /row 1: it has 5 tokens, more than the 4 that the model takes at once\. Raise tokensAtOnce to 5 or more/,
    );
    await expectRefused(model.logprobs(long, 1), /Raise tokensAtOnce to 5/);
    await expectRefused(model.logprobs(ok, 0), /temperature/);
    await expectRefused(model.accumulate(ok, { kind: 'policy', low: 2, high: 1 }, signal), /objective: low/);
    await expectRefused(model.apply({ ...step, learningRate: -1 }), /learningRate/);
    await expectRefused(model.save(join(root, 'early')), /would be lost/);
    await model.apply(step); // what was accumulated first is still there
    await model.dispose();
    await model.dispose();
    await expectRefused(model.logprobs(ok, 1), /after dispose/);
  });
});

test('an aborted batch leaves no gradient', async () => {
  const model = await open({ settings: { tokensAtOnce: 9 } });
  const controller = new AbortController();
  const running = model.accumulate(good(), clipped, controller.signal);
  const waiting = model.accumulate(good(), clipped, controller.signal);
  controller.abort(new Error('stop'));
  await expect(running).rejects.toThrow('stop');
  await expect(waiting).rejects.toThrow('stop');
  await expectRefused(model.apply(step), /no gradient/);
  await model.dispose();
});

test('an empty batch adds no gradient', async () => {
  const model = await open();
  const figures = await model
    .accumulate(imitationOf(batchOf([])), clipped, signal)
    .catch((error: unknown) => error);
  expect(String(figures)).toMatch(/referenceLogprob/); // the objective has a klWeight
  expect(await model.accumulate(imitationOf(batchOf([])), { kind: 'imitate' }, signal)).toMatchObject({
    count: 0,
    weight: 0,
    loss: 0,
    entropy: 0,
  });
  expect(
    await model.accumulate({ ...good(), weight: new Float32Array(good().weight.length) }, clipped, signal),
  ).toMatchObject({ count: 0, loss: 0 });
  expect((await model.logprobs(batchOf([[1], [2]]), 1)).length).toBe(0);
  await expectRefused(model.apply(step), /no gradient/);
  await model.dispose();
});

describe('full memory', () => {
  /** A backend whose memory is full at the run of that number, counted from when `arm` is called. */
  const filling = (
    backend: TensorBackend,
  ): { readonly backend: TensorBackend; readonly arm: (at: number) => void } => {
    let left = Number.POSITIVE_INFINITY;
    const run = <T>(body: () => T): T =>
      backend.run(() => {
        const made = body();
        left -= 1;
        if (left === -1)
          throw memoryFull('backend wasm', 'its memory of 4 GiB has no room for another 8 bytes.');
        return made;
      });
    return {
      backend: { ...backend, run, read: (tensor) => backend.read(tensor) },
      arm: (at) => void (left = at),
    };
  };

  test.each([undefined, lora])(
    'causes an error with the fix wherever it occurs in learning, and leaves no tensors: %j',
    async (config) => {
      const { backend, arm } = filling(await openBackend('wasm'));
      const model = await open({
        backend,
        ...(config === undefined ? {} : { lora: config }),
        settings: { tokensAtOnce: 20 },
      });
      const before = await model.logprobs(good(), 1);
      const { numTensors } = memory();
      let failures = 0;
      for (let at = 0; ; at += 1) {
        arm(at);
        const thrown = await model.accumulate(good(), clipped, signal).then(
          () => undefined,
          (error: unknown) => error,
        );
        arm(Number.POSITIVE_INFINITY);
        if (thrown === undefined) break;
        failures += 1;
        expect(RunError.is(thrown) && thrown.message).toMatch(
          /batch \d+ after version 0: memory is full \(backend wasm.*Lower tokensAtOnce, which is 20, set recompute/,
        );
        expect(memory().numTensors).toBe(numTensors);
      }
      expect(failures).toBeGreaterThan(6);
      expect(await model.logprobs(good(), 1)).toEqual(before);
      arm(0);
      await expectFailed(
        model.logprobs(good(), 1),
        /batch scored at version 0: memory is full.*Lower tokensAtOnce/,
      );
      await model.dispose();
    },
  );

  test('leaves a model that asks for its checkpoint when it occurs during an optimiser step', async () => {
    const { backend, arm } = filling(await openBackend('wasm'));
    const model = await open({ backend, lora });
    const folder = join(root, 'before-the-step');
    await model.accumulate(good(), clipped, signal);
    await model.apply(step);
    await model.save(folder);
    const before = await model.logprobs(good(), 1);
    await model.accumulate(good(), clipped, signal);
    const { numTensors } = memory();
    arm(1);
    await expect(model.apply(step)).rejects.toThrow(/no room/);
    arm(Number.POSITIVE_INFINITY);
    expect(memory().numTensors).toBe(numTensors - 4); // the gradient of four factors
    await expectFailed(
      model.logprobs(good(), 1),
      /its last step of the optimiser broke off.*Load the last checkpoint/,
    );
    await expectFailed(model.save(join(root, 'torn')), /Load the last checkpoint/);
    await model.load(folder);
    expect(await model.logprobs(good(), 1)).toEqual(before);
    await model.dispose();
  });
});

describe('checkpoint of a token model', () => {
  async function savedWith(name: string, config?: LoraConfig): Promise<string> {
    const folder = join(root, name);
    const model = await open(config === undefined ? {} : { lora: config });
    await model.accumulate(good(), clipped, signal);
    await model.apply(step);
    await model.save(folder);
    await model.dispose();
    return folder;
  }

  test.each([
    ['weights', undefined, 'model.safetensors'],
    ['an adapter', lora, 'adapter_model.safetensors'],
  ] as const)(
    'fails to load as %s when cut off, mixed, foreign or not finite, and the model stays usable',
    async (name, config, file) => {
      const { numTensors } = memory();
      const folder = await savedWith(name, config);
      const model = await open(config === undefined ? {} : { lora: config });
      const held = memory().numTensors;
      const before = await model.logprobs(good(), 1);
      const copy = async (label: string): Promise<string> => {
        await cp(folder, join(root, `${name}-${label}`), { recursive: true });
        return join(root, `${name}-${label}`);
      };
      const torn = await copy('torn');
      await truncate(join(torn, file), (await stat(join(torn, file))).size - 8);
      await expectRefused(model.load(torn), /safetensors.*cut off/);
      const mixed = await copy('mixed');
      await cp(join(mixed, 'optimiser.state'), join(mixed, 'optimiser.state.kept'));
      const further = await open(config === undefined ? {} : { lora: config });
      await further.load(folder);
      await further.accumulate(good(), clipped, signal);
      await further.apply(step);
      await further.save(mixed);
      await further.dispose();
      await cp(join(mixed, 'optimiser.state.kept'), join(mixed, 'optimiser.state'));
      await expectRefused(
        model.load(mixed),
        /weights are of version 2, its optimiser of version 1: it was cut off between two saves/,
      );
      const spoilt = await copy('spoilt');
      await rewritten(join(spoilt, file), (values, tensor) =>
        tensor.includes('v_proj') ? values.fill(Number.NaN, 1, 2) : values,
      );
      await expectRefused(model.load(spoilt), /v_proj.*entry 1 is NaN/);
      const sick = await copy('sick');
      await rewritten(join(sick, 'optimiser.state'), (values, tensor) =>
        tensor.startsWith('second.') && tensor.includes('v_proj') ? values.fill(Number.NaN, 1, 2) : values,
      );
      await expectRefused(model.load(sick), /optimiser\.state, tensor "second\..*v_proj.*entry 1 is NaN/);
      await expectRefused(model.load(join(root, 'absent')), /cannot be opened/);
      expect(memory().numTensors).toBe(held);
      expect(await model.logprobs(good(), 1)).toEqual(before);
      await model.load(folder);
      expect(model.version).toBe(1);
      await model.dispose();
      expect(memory().numTensors).toBe(numTensors);
    },
  );

  test('fails to load for another model or adapter, or without training state', async () => {
    const model = await open({ lora });
    await expectRefused(
      model.load(await savedWith('other-rank', { ...lora, rank: 3 })),
      /rank 3 instead of 2\. Use the model and the adapter settings/,
    );
    await expectRefused(model.load(join(goldenFolder('qwen2'), 'adapter')), /was not saved in training/);
    const whole = await open({ folder: goldenFolder('llama') });
    await expectRefused(whole.load(await savedWith('qwen2')), /model_type "qwen2" instead of "llama"/);
    await expectRefused(whole.load(goldenFolder('llama')), /was not saved in training/);
    await model.dispose();
    await whole.dispose();
  });
});
