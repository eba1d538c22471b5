import { dispose, memory, tensor2d, zeros, type Rank, type Tensor2D } from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { BackendName, TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { adamStep, type AdamState } from '../../../models/kernels/operations.ts';
import { uploadTensors } from '../../../models/token/checkpoint.ts';
import { KeyValueCache } from '../../../models/token/generate/key-value-cache.ts';
import { scoreHidden, scoreHiddenGradient, type WantedTokens } from '../../../models/token/head.ts';
import { initialTransformerWeights } from '../../../models/token/initial-weights.ts';
import { factorShapes, initialFactors, type LoraConfig } from '../../../models/token/lora.ts';
import { backward, forward, forwardWithCache, type Transformer } from '../../../models/token/network.ts';
import { product } from '../../../models/token/operations/product.ts';
import { packRows, type PackedTokens } from '../../../models/token/packed-tokens.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { outputName, weightShapes, type NamedTensors } from '../../../models/token/weight-layout.ts';
import { closeModel, openGolden, readExpected, readGoldens } from './golden-model.ts';
import { expectNear, relativeError } from './tensor-checks.ts';

const families = ['llama', 'qwen2', 'qwen3'] as const;
type Family = (typeof families)[number];
const adam = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-4,
  weightDecay: 0.1,
  gradientScale: 1,
};

/** A small model that has every part. */
const config: TransformerConfig = {
  family: 'qwen3',
  vocabulary: 19,
  width: 8,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headSize: 6,
  hiddenWidth: 10,
  ropeTheta: 100,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: true,
  attentionBias: true,
  outputBias: true,
  feedForwardBias: false,
  queryKeyNorm: true,
  longestContext: 64,
};
const lora: LoraConfig = { rank: 1, alpha: 3, targets: ['q_proj', 'down_proj'] };

/**
 * What a transformer must give on a backend: the numbers of transformers, PEFT and PyTorch, and laws.
 * @param options.adapted families whose adapters are looked at: all, unless the backend is slow
 */
export function networkContract(options: {
  readonly backend: BackendName;
  readonly runs: number;
  readonly adapted?: readonly Family[];
}): void {
  const { adapted = families } = options;
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend(options.backend);
  });

  test.each([...families, 'qwen3-bf16', 'llama-f16'])(
    'computes the logits of transformers: %s',
    async (name) => {
      const model = await openGolden(backend, name, { adapter: false });
      await expectLogits(backend, model, name, name);
      closeModel(model);
    },
  );

  describe.each(families)('%s', (name) => {
    test.each([false, true])(
      'computes PyTorch’s gradient of all weights, recomputing: %s',
      async (recompute) => {
        const model = await openGolden(backend, name, { adapter: false });
        const { rows, losses } = readGoldens(name);
        const { loss, gradients } = await crossEntropy(backend, model, rows, recompute);
        expect(loss).toBeCloseTo(losses.full, 4);
        await expectGradients(backend, gradients, await readExpected(name, 'gradient.'));
        dispose(gradients);
        closeModel(model);
      },
    );
  });

  describe.each(adapted)('%s with an adapter', (name) => {
    test('computes the logits and the gradient of PEFT', async () => {
      const model = await openGolden(backend, name, { adapter: true });
      const { rows, losses } = readGoldens(name);
      await expectLogits(backend, model, name, `${name}/adapter`);
      const { loss, gradients } = await crossEntropy(backend, model, rows, false);
      expect(loss).toBeCloseTo(losses.lora as number, 4);
      await expectGradients(backend, gradients, await readExpected(`${name}/adapter`, 'gradient.'));
      dispose(gradients);
      closeModel(model);
    });

    test('reaches the factors of PEFT after three steps of AdamW', async () => {
      const model = await openGolden(backend, name, { adapter: true });
      const stepped = await threeSteps(backend, model, readGoldens(name).rows);
      await expectGradients(backend, stepped, await readExpected(`${name}/adapter`, 'stepped.'));
      dispose(stepped);
      closeModel(model);
    });
  });

  test('computes packed rows like each row alone', async () => {
    const model = await smallModel(backend);
    const row = fc.array(fc.integer({ min: 0, max: config.vocabulary - 1 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), async (rows) => {
        const alone: number[] = [];
        for (const tokens of rows) alone.push(...(await hiddenOf(backend, model, packRows([tokens]))));
        expectNear(await hiddenOf(backend, model, packRows(rows)), alone);
      }),
      { numRuns: options.runs },
    );
    closeModel(model);
  });

  test.each([
    [[3, 19], /token 4 of the batch: its id is 19, but the model knows the ids below 19\. Use the tokenizer/],
    [[3, -1], /its id is -1/],
    [
      Array.from({ length: 65 }, () => 1),
      /token 67 of the batch: it stands at place 64 of its row, but the model's context has 64 tokens\./,
    ],
  ])('refuses the row %j', async (row, message) => {
    const model = await smallModel(backend);
    await expect(hiddenOf(backend, model, packRows([[1, 2, 3], row]))).rejects.toThrow(message);
    closeModel(model);
  });

  test('computes with a cache token by token the same as at once', async () => {
    const model = await smallModel(backend);
    const rows = [
      [3, 1, 4, 1, 5],
      [9, 2, 6],
    ];
    const length = 6; // tokens of the cache for each row
    const whole = await hiddenOf(backend, model, packRows(rows));
    const cache = new KeyValueCache(backend, config, { rows: 12 });
    for (let place = 0; place < 5; place += 1) {
      const live = rows.flatMap((row, slot) => (place < row.length ? [slot] : []));
      const tokens: PackedTokens = {
        ids: Int32Array.from(live, (slot) => rows[slot]?.[place] as number),
        positions: new Int32Array(live.length).fill(place),
        from: Int32Array.from(live, (slot) => slot * length),
        until: Int32Array.from(live, (slot) => slot * length + place),
      };
      const hidden = backend.run(() =>
        forwardWithCache(model, tokens, (layer, fresh) => cache.write(layer, fresh, tokens.until)),
      );
      const values = await backend.read(hidden);
      hidden.dispose();
      for (const [index, slot] of live.entries()) {
        const at = (slot * 5 + place) * config.width;
        expectNear(
          values.subarray(index * config.width, (index + 1) * config.width),
          whole.subarray(at, at + config.width),
        );
      }
    }
    cache.dispose();
    closeModel(model);
  });

  test('equals the reference with its adapter off, and a new adapter changes nothing', async () => {
    const reference = await smallModel(backend);
    const fresh = await withAdapter(backend, reference, 0);
    const changed = await withAdapter(backend, reference, 1);
    const tokens = packRows([[3, 1, 4]]);
    const before = await hiddenOf(backend, reference, tokens);
    expect(await hiddenOf(backend, fresh, tokens)).toEqual(before);
    expect(await hiddenOf(backend, changed, tokens)).not.toEqual(before);
    expect(await hiddenOf(backend, { ...changed, adapter: undefined }, tokens)).toEqual(before);
    dispose([fresh.adapter?.factors ?? {}, changed.adapter?.factors ?? {}]);
    closeModel(reference);
  });

  test.each(options.runs > 3 ? [false, true] : [true])(
    'leaves no tensor behind over passes with an adapter of rank 1, recomputing: %s',
    async (recompute) => {
      const model = await withAdapter(backend, await smallModel(backend), 1);
      const rows = [[3, 1, 4, 1, 5], [9]];
      let gradients: NamedTensors = {};
      let before: Float32Array | undefined;
      const counts: number[] = [];
      for (let pass = 0; pass < 3; pass += 1) {
        dispose(gradients);
        ({ gradients } = await crossEntropy(backend, model, rows, recompute));
        counts.push(memory().numTensors);
        const values = await backend.read(
          gradients['model.layers.0.self_attn.q_proj.lora_A.weight'] as Tensor2D,
        );
        expect(values).toEqual(before ?? values);
        before = values;
      }
      expect(new Set(counts).size).toBe(1);
      dispose(gradients);
      closeModel(model);
    },
  );

  test('matches with an adapter of rank 1 the gradient of central differences', async () => {
    const model = await withAdapter(backend, await smallModel(backend), 1);
    const rows = [
      [3, 1, 4, 1, 5],
      [9, 2],
    ];
    const { gradients } = await crossEntropy(backend, model, rows, true);
    const factors = model.adapter?.factors ?? {};
    const ways = new Map(
      Object.entries(factors).map(([name, { size }], index) => [name, randomLike(size, 50 + index)]),
    );
    const lossAt = async (by: number): Promise<number> => {
      const values = new Map<string, Float32Array>();
      for (const [name, way] of ways)
        values.set(
          name,
          (await backend.read(factors[name] as Tensor2D)).map(
            (value, at) => value + by * (way[at] as number),
          ),
        );
      const moved = await uploadTensors(backend, factorShapes(config, lora), values);
      const { loss, gradients: unused } = await crossEntropy(
        backend,
        { ...model, adapter: { config: lora, factors: moved } },
        rows,
        false,
      );
      dispose([unused, moved]);
      return loss;
    };
    let slope = 0;
    for (const [name, way] of ways)
      slope += (await backend.read(gradients[name] as Tensor2D)).reduce(
        (total, value, at) => total + value * (way[at] as number),
        0,
      );
    expect(((await lossAt(0.01)) - (await lossAt(-0.01))) / 0.02).toBeCloseTo(slope, 2);
    expect(Math.abs(slope)).toBeGreaterThan(0.1);
    dispose(gradients);
    closeModel(model);
  });
}

async function smallModel(backend: TensorBackend): Promise<Transformer> {
  const values = Object.entries(initialTransformerWeights(config, createRng(3))).map(
    ([name, numbers]) => [name, numbers.map((value) => value * 6 + 0.1)] as const,
  );
  return { config, weights: await uploadTensors(backend, weightShapes(config), values), adapter: undefined };
}

/** @param scale of random factors B, which are 0 at first */
async function withAdapter(backend: TensorBackend, model: Transformer, scale: number): Promise<Transformer> {
  const factors = Object.entries(initialFactors(config, lora, createRng(4))).map(
    ([name, values]) =>
      [
        name,
        name.endsWith('lora_B.weight') ? randomLike(values.length, 5).map((value) => value * scale) : values,
      ] as const,
  );
  return {
    ...model,
    adapter: { config: lora, factors: await uploadTensors(backend, factorShapes(config, lora), factors) },
  };
}

function randomLike(length: number, seed: number): Float32Array {
  const rng = createRng(seed).fork('random');
  return Float32Array.from({ length }, () => 2 * rng.uniform() - 1);
}

async function hiddenOf(
  backend: TensorBackend,
  model: Transformer,
  tokens: PackedTokens,
): Promise<Float32Array> {
  const hidden = backend.run(() => forward(model, tokens, { recompute: true }).hidden);
  const values = await backend.read(hidden);
  hidden.dispose();
  return values;
}

async function expectLogits(
  backend: TensorBackend,
  model: Transformer,
  name: string,
  goldens: string,
): Promise<void> {
  const expected = await readExpected(goldens, 'logits.');
  const { rows } = readGoldens(name);
  const logits = backend.run(() =>
    product(
      forward(model, packRows(rows), { recompute: true }).hidden,
      model.weights[outputName(model.config)] as Tensor2D,
    ),
  );
  const values = await backend.read(logits);
  logits.dispose();
  const together = rows.flatMap((_, row) => [...(expected.get(String(row)) ?? [])]);
  expect(together.length).toBe(values.length);
  expect(Math.max(...together.map((value, at) => Math.abs(value - (values[at] as number))))).toBeLessThan(
    1e-4,
  );
}

/** The mean cross-entropy of all tokens that have one before them, and its gradient. */
async function crossEntropy(
  backend: TensorBackend,
  model: Transformer,
  rows: readonly (readonly number[])[],
  recompute: boolean,
): Promise<{ readonly loss: number; readonly gradients: NamedTensors }> {
  const tokens = packRows(rows);
  const places = [...tokens.positions.keys()].filter((place) => (tokens.positions[place + 1] ?? 0) > 0);
  const wanted: WantedTokens = {
    places: Int32Array.from(places),
    targets: Int32Array.from(places, (place) => tokens.ids[place + 1] as number),
    temperature: 1,
  };
  // In two runs, as training does it: the loss is worked out between them.
  const made = backend.run(() => {
    const { hidden, activations } = forward(model, tokens, { recompute });
    return { hidden, activations, scores: scoreHidden(model, hidden, wanted) };
  });
  const logprobs = await backend.read(made.scores.logprob);
  const gradients = backend.run(() => {
    const slopes = {
      logprob: tensor2d(new Float32Array(places.length).fill(-1 / places.length), [places.length, 1]),
      entropy: zeros<Rank.R2>([places.length, 1]),
    };
    return {
      ...backward(
        model,
        tokens,
        made.activations,
        scoreHiddenGradient(model, made.hidden, wanted, { scores: made.scores, slopes }),
      ),
    };
  });
  dispose(made);
  return { loss: -logprobs.reduce((total, value) => total + value, 0) / places.length, gradients };
}

async function threeSteps(
  backend: TensorBackend,
  model: Transformer,
  rows: readonly (readonly number[])[],
): Promise<NamedTensors> {
  const lora = model.adapter?.config as LoraConfig;
  let factors = backend.run(() =>
    Object.fromEntries(
      Object.entries(model.adapter?.factors ?? {}).map(([name, value]) => [name, value.clone()]),
    ),
  );
  let moments = backend.run(() =>
    Object.fromEntries(
      Object.entries(factors).map(([name, { shape }]) => [
        name,
        {
          first: tensor2d(new Float32Array(shape[0] * shape[1]), shape),
          second: tensor2d(new Float32Array(shape[0] * shape[1]), shape),
        },
      ]),
    ),
  );
  for (let step = 1; step <= 3; step += 1) {
    const { gradients } = await crossEntropy(
      backend,
      { ...model, adapter: { config: lora, factors } },
      rows,
      false,
    );
    const made: Readonly<Record<string, AdamState>> = backend.run(() =>
      Object.fromEntries(
        Object.entries(factors).map(([name, value]) => {
          const { first, second } = moments[name] as { first: Tensor2D; second: Tensor2D };
          return [name, adamStep({ value, first, second }, gradients[name] as Tensor2D, { ...adam, step })];
        }),
      ),
    );
    dispose([gradients, factors, moments]);
    factors = Object.fromEntries(Object.entries(made).map(([name, { value }]) => [name, value]));
    moments = Object.fromEntries(
      Object.entries(made).map(([name, { first, second }]) => [name, { first, second }]),
    );
  }
  dispose(moments);
  return factors;
}

async function expectGradients(
  backend: TensorBackend,
  actual: NamedTensors,
  expected: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  expect(Object.keys(actual).sort()).toEqual([...expected.keys()].sort());
  for (const [name, tensor] of Object.entries(actual)) {
    expect(relativeError(await backend.read(tensor), expected.get(name) as Float32Array), name).toBeLessThan(
      1e-4,
    );
  }
}
