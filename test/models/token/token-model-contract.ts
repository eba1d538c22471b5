import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory, profile, scalar } from '@tensorflow/tfjs-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { BackendName, TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { openSafetensors } from '../../../models/safetensors/read-safetensors.ts';
import { readAdapter } from '../../../models/token/adapter-files.ts';
import { readWeights } from '../../../models/token/checkpoint.ts';
import { loraConfigSchema } from '../../../models/token/lora.ts';
import { openTokenModel, type AdapterChoice } from '../../../models/token/open-token-model.ts';
import type { TokenBatch } from '../../../models/token/token-batch.ts';
import type { TokenModel, TokenModelSettingsInput } from '../../../models/token/token-model.ts';
import type { TokenObjectiveInput } from '../../../models/token/token-objective.ts';
import { readTransformerConfig } from '../../../models/token/transformer-config.ts';
import { goldenFolder, readExpected, readGoldens } from './golden-model.ts';
import { batchOf, imitationOf, randomTraining, rowsOfTraining } from './random-tokens.ts';
import { expectNear, relativeError } from './tensor-checks.ts';

export interface TokenModelContract {
  readonly backend: BackendName;
  /** True where equal inputs must give equal bits, whatever else is in the batch. */
  readonly exact: boolean;
  /** Of the golden checkpoints. */
  readonly families: readonly string[];
  /** Updates over which nothing may be left behind. */
  readonly updates: number;
  /** False for a backend that is too slow here for the laws that hold of the model wherever it computes. */
  readonly thorough: boolean;
}

const vocabulary = 300;
const imitate: TokenObjectiveInput = { kind: 'imitate' };
const clipped = {
  kind: 'policy',
  temperature: 1.3,
  low: 0.2,
  high: 0.28,
  dualClip: 3,
  klWeight: 0.1,
  entropyWeight: 0.02,
  importanceCap: 1.1,
} as const satisfies TokenObjectiveInput;
const step = { learningRate: 0.01, maxGradNorm: 1, weightDecay: 0.01 };
/** The optimiser of make-goldens.py. */
const goldenStep = { learningRate: 0.01, epsilon: 1e-4, weightDecay: 0.1 };
const newAdapter: AdapterChoice = {
  kind: 'new',
  config: loraConfigSchema.parse({ rank: 2, alpha: 4, targets: ['q_proj', 'up_proj'] }),
  rng: createRng(1),
};
const { signal } = new AbortController();

/** What a token model must do on a backend: where PyTorch and PEFT get to, and laws. */
export function tokenModelContract(options: TokenModelContract): void {
  let backend: TensorBackend;
  let folder: string;
  beforeAll(async () => {
    backend = await openBackend(options.backend);
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-token-model-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const open = (
    of: {
      readonly name?: string;
      readonly adapter?: AdapterChoice;
      readonly settings?: TokenModelSettingsInput;
    } = {},
  ): Promise<TokenModel> => {
    const { name = 'qwen2', ...rest } = of;
    return openTokenModel({ backend, folder: goldenFolder(name), ...rest });
  };

  describe.each(options.families)('%s', (name) => {
    test('reaches with an adapter PEFT’s factors after three steps of AdamW', async () => {
      const model = await open({
        name,
        adapter: { kind: 'stored', folder: join(goldenFolder(name), 'adapter') },
      });
      const { losses, gradNorms } = await imitateGoldens(model, name, 1e9);
      expect(losses[0]).toBeCloseTo(readGoldens(name).losses.lora as number, 4);
      expect(new Set(gradNorms).size).toBe(3);
      await model.save(folder);
      const { factors } = await readAdapter(folder, await readTransformerConfig(goldenFolder(name)));
      await expectAt(Object.entries(factors), await readExpected(`${name}/adapter`, 'stepped.'));
      await model.dispose();
    });

    test('reaches with all weights those of PyTorch after three steps of AdamW with clipped gradients', async () => {
      const model = await open({ name });
      const { losses, gradNorms } = await imitateGoldens(model, name, 0.5);
      expect(losses[0]).toBeCloseTo(readGoldens(name).losses.full, 4);
      expect(Math.min(...gradNorms)).toBeGreaterThan(0.5);
      await model.save(folder);
      const weights: (readonly [string, Float32Array])[] = [];
      for await (const weight of readWeights(folder, await readTransformerConfig(folder)))
        weights.push(weight);
      await expectAt(weights, await readExpected(name, '', 'stepped.safetensors'));
      await model.dispose();
    });
  });

  // What is left behind is counted by TensorFlow.js above its backends: where updates are dear, those of an adapter, which have more parts, stand for both.
  const trainings = [
    ['an adapter', newAdapter],
    ...(options.thorough ? [['all weights', undefined] as const] : []),
  ] as const;
  describe.each(trainings)('training %s', (_, adapter) => {
    if (options.thorough) {
      test.each([
        ['five parts', { tokensAtOnce: 8192 }, 5],
        ['one part, few tokens at once', { tokensAtOnce: 9 }, 1],
        ['one part, layers recomputed', { recompute: true }, 1],
      ] as const)('splits a batch in %s with the gradient of the whole', async (_kind, settings, parts) => {
        const whole = randomTraining(6, { rows: 10, vocabulary });
        const objective: TokenObjectiveInput = { ...clipped, ratio: 'sequence' };
        const [together, apart] = [
          await open(withAdapter(adapter)),
          await open({ ...withAdapter(adapter), settings }),
        ];
        await train(together, 0, 2); // away from the beginning, where half of an adapter's gradient is zero
        await together.save(join(folder, 'start'));
        await apart.load(join(folder, 'start'));
        await together.accumulate(whole, objective, signal);
        for (let part = 0; part < parts; part += 1) {
          await apart.accumulate(
            rowsOfTraining(
              whole,
              [...Array(10).keys()].filter((row) => row % parts === part),
            ),
            objective,
            signal,
          );
        }
        const [left, right] = [
          await gradientOf(together, join(folder, 'together')),
          await gradientOf(apart, join(folder, 'apart')),
        ];
        expect(left.size).toBeGreaterThan(3);
        for (const [name, values] of left)
          expect(relativeError(right.get(name) ?? new Float32Array(0), values), name).toBeLessThan(1e-5);
        await together.dispose();
        await apart.dispose();
      });

      test('continues after save and load as if never interrupted', async () => {
        const model = await open(withAdapter(adapter));
        await train(model, 0, 3);
        await model.save(join(folder, 'middle'));
        const loaded = await open(withAdapter(adapter));
        await train(loaded, 5, 1); // which load takes back
        await loaded.load(join(folder, 'middle'));
        expect(loaded.version).toBe(3);
        for (const [one, name] of [
          [model, 'one'],
          [loaded, 'other'],
        ] as const) {
          await train(one, 3, 3);
          await one.save(join(folder, name));
          await one.dispose();
        }
        const [one, other] = [await contentOf(join(folder, 'one')), await contentOf(join(folder, 'other'))];
        expect([...one.keys()]).toEqual([...other.keys()]);
        if (options.exact)
          for (const [file, bytes] of one) expect(other.get(file)?.equals(bytes), file).toBe(true);
      });
    }

    test('leaves nothing behind and takes no more memory, update for update', async () => {
      const { numTensors: before } = memory();
      const model = await open({
        ...withAdapter(adapter),
        settings: options.thorough ? { tokensAtOnce: 20 } : {},
      });
      const peakOf = async (update: number): Promise<number> => {
        const { peakBytes } = await profile(async () => {
          await train(model, 0, 1);
          return scalar(update);
        });
        return peakBytes;
      };
      await train(model, 0, 2);
      const first = await peakOf(2);
      const { numTensors, numBytes } = memory();
      for (let update = 3; update < options.updates - 1; update += 1) await train(model, 0, 1);
      const last = await peakOf(options.updates);
      expect(memory()).toMatchObject({ numTensors: numTensors + 1, numBytes: numBytes + 4 }); // the profile's own
      expect(last).toBe(first + 4);
      await model.dispose();
      expect(memory().numTensors).toBe(before + 2);
    });
  });

  test('scores tokens the same whatever else is in the batch: unchanged weights have ratio 1', async () => {
    const model = await open();
    const training = randomTraining(8, { rows: 9, vocabulary });
    const own = await model.logprobs(training, 1.3);
    const rows = rowsOfTraining(
      { ...training, proximalLogprob: own, behaviourLogprob: own, referenceLogprob: own },
      [7, 2, 3],
    );
    const figures = await model.accumulate(rows, clipped, signal);
    if (options.exact)
      expect(figures).toMatchObject({
        meanRatio: 1,
        largestRatio: 1,
        referenceKl: 0,
        approximateKl: 0,
        clipFraction: 0,
        meanImportance: 1,
      });
    else expect(figures.largestRatio).toBeCloseTo(1, 4);
    await model.dispose();
  });

  test('a restricted token has its probability among the allowed tokens alone', async () => {
    const model = await open();
    const among = [7, 250, 1];
    const chances = (await model.logprobs(batchOf(among.map((token) => [5, 17, token])), 0.8))
      .filter((_, at) => at % 2 === 1)
      .map(Math.exp);
    const free = batchOf([
      [5, 17, 250],
      [5, 17, 250],
    ]);
    const batch: TokenBatch = {
      ...free,
      allowed: { members: Int32Array.from(among), start: Int32Array.of(0, 0, 3, 3, 3) },
    };
    const [unrestricted, restricted] = [await model.logprobs(free, 0.8), await model.logprobs(batch, 0.8)];
    expectNear(restricted, [
      unrestricted[0],
      Math.log((chances[1] as number) / chances.reduce((sum, chance) => sum + chance, 0)),
      unrestricted[2],
      unrestricted[3],
    ] as number[]);
    await model.dispose();
  });

  if (!options.thorough) return;

  test('the model with its adapter off equals the reference, however far the adapter has moved', async () => {
    const [base, model] = [await open(), await open({ adapter: newAdapter })];
    const batch = randomTraining(3, { rows: 4, vocabulary });
    await train(model, 0, 2);
    expect(await model.referenceLogprobs(batch, 1.3)).toEqual(await base.logprobs(batch, 1.3));
    expect(await model.logprobs(batch, 1.3)).not.toEqual(await base.logprobs(batch, 1.3));
    await expect(base.referenceLogprobs(batch, 1)).rejects.toThrow(/has no adapter/);
    await base.dispose();
    await model.dispose();
  });

  test('openTokenModel opens a saved model for play only', async () => {
    for (const adapter of [undefined, newAdapter]) {
      const model = await open(withAdapter(adapter));
      await train(model, 0, 2);
      const saved = join(folder, adapter === undefined ? 'weights' : 'adapter');
      await model.save(saved);
      const loadable = (await readdir(saved)).filter((file) => file.endsWith('.safetensors')); // vLLM and SGLang load all of them
      expect(loadable).toEqual([adapter === undefined ? 'model.safetensors' : 'adapter_model.safetensors']);
      const opened =
        adapter === undefined
          ? await openTokenModel({ backend, folder: saved })
          : await open({ adapter: { kind: 'stored', folder: saved } });
      expect(opened.version).toBe(2);
      const batch = randomTraining(3, { rows: 4, vocabulary });
      expect(await opened.logprobs(batch, 1)).toEqual(await model.logprobs(batch, 1));
      await model.dispose();
      await opened.dispose();
    }
  });
}

const withAdapter = (adapter: AdapterChoice | undefined): { readonly adapter?: AdapterChoice } =>
  adapter === undefined ? {} : { adapter };

/** What has accumulated: without memory the optimiser's first moments are the gradient itself. */
async function gradientOf(model: TokenModel, folder: string): Promise<ReadonlyMap<string, Float32Array>> {
  await model.apply({ learningRate: 0, maxGradNorm: 1e9, beta1: 0 });
  await model.save(folder);
  await using file = await openSafetensors(join(folder, 'optimiser.state'));
  const gradient = new Map<string, Float32Array>();
  for (const name of file.tensors.keys())
    if (name.startsWith('first.')) gradient.set(name, await file.read(name));
  return gradient;
}

async function train(model: TokenModel, from: number, updates: number): Promise<void> {
  for (let update = from; update < from + updates; update += 1) {
    for (const part of [0, 100])
      await model.accumulate(randomTraining(update + part, { rows: 4, vocabulary }), clipped, signal);
    await model.apply(step);
  }
}

async function imitateGoldens(
  model: TokenModel,
  name: string,
  maxGradNorm: number,
): Promise<{ readonly losses: readonly number[]; readonly gradNorms: readonly number[] }> {
  const training = imitationOf(batchOf(readGoldens(name).rows));
  const losses: number[] = [];
  const gradNorms: number[] = [];
  for (let update = 0; update < 3; update += 1) {
    losses.push((await model.accumulate(training, imitate, signal)).loss);
    gradNorms.push((await model.apply({ ...goldenStep, maxGradNorm })).gradNorm);
  }
  return { losses, gradNorms };
}

async function expectAt(
  actual: readonly (readonly [name: string, values: Float32Array])[],
  expected: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  expect(actual.map(([name]) => name).sort()).toEqual([...expected.keys()].sort());
  for (const [name, values] of actual)
    expect(relativeError(values, expected.get(name) as Float32Array), name).toBeLessThan(1e-4);
}

async function contentOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = (await readdir(folder)).toSorted();
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file))] as const)),
  );
}
